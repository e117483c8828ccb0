/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that are jumps in optimised code. */
#define NOINLINE __attribute__((noinline, noclone))

volatile int result;

static NOINLINE int last(int n)
{
	result += n; /* MARK: end */
	return result;
}

static NOINLINE int second(int n)
{
	result++;           /* MARK: second */
	return last(n + 1); /* MARK: second_tail */
}

static NOINLINE int first(int n)
{
	result++;             /* MARK: first */
	return second(n + 1); /* MARK: first_tail */
}

int main(void)
{
	int a = first(1); /* MARK: call */

	result += a;        /* MARK: after */
	return result & 63; /* MARK: last */
}
