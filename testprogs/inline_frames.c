/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that the compiler has inlined into each other, under a recursion. */
#include "testprog.h"

#define INLINE static inline __attribute__((always_inline))

static NOINLINE int sleep_here(int n)
{
	ready();
	block(); /* MARK: stuck */
	KEEP_FRAME();
	return n;
}

INLINE int inner(int n)
{
	int r = sleep_here(n + 1); /* MARK: inner */
	KEEP_FRAME();
	return r;
}

INLINE int middle(int n)
{
	return inner(n + 1) + 1; /* MARK: middle */
}

INLINE int outer(int n)
{
	return middle(n + 1) + 1; /* MARK: outer */
}

static NOINLINE int descend(int depth)
{
	int r = depth ? descend(depth - 1) : outer(0); /* MARK: descend */
	KEEP_FRAME();
	return r + 1;
}

int main(void)
{
	die_with_parent();
	return descend(5) == 11 ? 0 : 1; /* MARK: main */
}
