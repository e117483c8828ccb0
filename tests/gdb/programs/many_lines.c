/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One line that begins in several places, lines without code, declarations, long functions. */
static int flag = 1;

/* nothing here */ /* MARK: no_code */

static int choose(int a, int b)
{
	return flag ? a : b; /* MARK: choose */
}

static int many(int n)
{
	int result = 0;

	/* MARK: comment */

	while (n-- > 0)                                        /* MARK: while */
		result += n % 2 ? choose(n, 1) : choose(1, n); /* MARK: body */

	return result; /* MARK: many_return */
}

int main(void)
{
	int a = many(4); /* MARK: call */

	for (int i = 0, j = 10; i < j; i += 3, j -= 3) /* MARK: for */
		a += i * j;                            /* MARK: for_body */
	return a;                                      /* MARK: last */
}
