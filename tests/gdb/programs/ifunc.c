/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function that the loader chooses, by a resolver: steps go to the one that was chosen. */
static int chosen(int n)
{
	return n + 40; /* MARK: chosen */
}

static int (*resolve(void))(int)
{
	return chosen; /* MARK: resolver */
}

int indirect(int n) __attribute__((ifunc("resolve")));

int main(void)
{
	int a = indirect(1); /* MARK: call */

	a += indirect(1); /* MARK: again */
	return a;         /* MARK: last */
}
