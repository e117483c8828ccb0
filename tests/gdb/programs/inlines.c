/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inlined calls, inside one another, at the beginning of a line and of a function. */
#define INLINED static inline __attribute__((always_inline))

volatile int result;
volatile int input = 1;

static __attribute__((noinline)) int outside(int n)
{
	result += n; /* MARK: outside */
	return result;
}

INLINED int leaf(int n)
{
	result += n; /* MARK: leaf */
	result *= 2; /* MARK: leaf2 */
	return result;
}

INLINED int middle(int n)
{
	result++;           /* MARK: middle */
	return leaf(n + 1); /* MARK: middle_call */
}

INLINED int calls_outside(int n)
{
	int got = outside(n); /* MARK: inlined_call */

	return got + outside(n + 1); /* MARK: inlined_call2 */
}

static __attribute__((noinline)) int begins_inlined(int n)
{
	return leaf(n); /* MARK: begins */
}

int main(void)
{
	int a, b, c;

	input++;                  /* MARK: first */
	a = leaf(input);          /* MARK: call_leaf */
	b = middle(input);        /* MARK: call_middle */
	c = calls_outside(input); /* MARK: call_calls */
	c += begins_inlined(3);   /* MARK: call_begins */
	return (a + b + c) & 63;  /* MARK: last */
}
