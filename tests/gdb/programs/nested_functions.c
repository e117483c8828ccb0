/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions in functions, as GCC has them: called through code on the stack. */
static int apply(int (*function)(int), int value)
{
	return function(value); /* MARK: apply */
}

static int outer(int base)
{
	int add(int n)
	{
		return n + base; /* MARK: inner */
	}

	return apply(add, 5) + add(1); /* MARK: outer */
}

int main(void)
{
	int result = outer(10); /* MARK: call */

	return result; /* MARK: last */
}
