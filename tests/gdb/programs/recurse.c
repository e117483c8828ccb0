/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recursion: the same code at many depths, so that only the frame tells where a step is done. */
static int deepest;

static int factorial(int n)
{
	int below;

	if (n <= 1) {
		deepest = n; /* MARK: bottom */
		return 1;
	}
	below = factorial(n - 1); /* MARK: recursion */
	return n * below;         /* MARK: multiply */
}

static int odd(int n);

static int even(int n)
{
	if (n == 0)
		return 1;  /* MARK: even_zero */
	return odd(n - 1); /* MARK: even_call */
}

static int odd(int n)
{
	if (n == 0)
		return 0;
	return even(n - 1); /* MARK: odd_call */
}

static int depth(int n)
{
	return n == 0 ? 0 : 1 + depth(n - 1); /* MARK: depth */
}

int main(void)
{
	int f, e, d;

	f = factorial(6);                                             /* MARK: call */
	e = even(4);                                                  /* MARK: mutual */
	d = depth(50);                                                /* MARK: deep */
	return f == 720 && e == 1 && d == 50 && deepest == 1 ? 0 : 1; /* MARK: last */
}
