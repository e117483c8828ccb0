/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inlined calls with loops that go round too often to be stepped through. */
#include <setjmp.h>

#define INLINE   static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

enum { MANY = 2000000 };

static volatile long sum, many = MANY;
static jmp_buf back;

NOINLINE static void add(long n)
{
	sum += n;
	if (n < 0)
		longjmp(back, 1);
}

INLINE void spins(void)
{
	for (long i = 0; i < many; i++) /* MARK: spins */
		sum += i;
}

NOINLINE static long plain(void)
{
	spins();  /* MARK: plain */
	sum += 1; /* MARK: behind-plain */
	return sum;
}

/* The frames of the recursion leave the same code before this one does. */
INLINE long descends(int depth, long (*call)(int))
{
	long n = 0;

	for (int i = 0; i < 3; i++)
		n += depth ? call(depth - 1) : i; /* MARK: descends */
	for (long i = 0; i < many / MANY; i++)
		n ^= i;
	return n;
}

NOINLINE static long recursion(int depth)
{
	long n = descends(depth, recursion); /* MARK: recursion */
	sum = n + depth;                     /* MARK: behind-recursion */
	return n + 1;
}

INLINE void jumps(void)
{
	for (long i = 0; i < many; i++)
		add(i < many / 100 ? i : -i); /* MARK: jumps */
}

NOINLINE static void caught(void)
{
	if (!setjmp(back))
		jumps(); /* MARK: caught */
	else
		sum = 5; /* MARK: landed */
	sum = 6;         /* MARK: behind-caught */
}

int main(void)
{
	sum += plain(); /* MARK: main */
	sum += recursion(4);
	caught();
	return 0;
}
