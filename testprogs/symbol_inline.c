/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For looking up symbols and lines: inlined calls, names that share an address, cold code. */
#include <stdio.h>
#include <stdlib.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

int sink, table[8] = { 1, 2, 3 };

ALWAYS_INLINE int innermost(int n)
{
	__asm__ volatile("nop" ::: "memory"); /* MARK: innermost */
	return n * 3;
}

ALWAYS_INLINE int middle(int n)
{
	return innermost(n + 1) + sink; /* MARK: middle */
}

__attribute__((noinline, cold)) static void complain(int n)
{
	fprintf(stderr, "%d\n", n); /* MARK: complain */
	exit(2);
}

__attribute__((noinline)) int outer(int n)
{
	if (n > 1000)
		complain(n);
	return middle(n) + middle(n + 2); /* MARK: outer */
}

int outer_alias(int n) __attribute__((alias("outer")));
int __outer(int n) __attribute__((alias("outer")));
int _o(int n) __attribute__((alias("outer")));
int o_weak(int n) __attribute__((weak, alias("outer")));

__attribute__((noinline)) static int sum_in_parallel(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2) /* MARK: region */
	for (int i = 0; i < n; i++)
		s += middle(i); /* MARK: body */
	return s;
}

/* Hand-written code, without lines: a symbol without size, and a function inside of another. */
__asm__(".text\n"
	".globl unsized\n"
	"unsized:\n"
	"	mov $1, %eax\n"
	"	nop\n"
	"	ret\n"
	".type around, @function\n"
	"around:\n"
	"	nop\n"
	".type inside, @function\n"
	"inside:\n"
	"	nop\n"
	"	ret\n"
	".size inside, . - inside\n"
	"	nop\n"
	".size around, . - around\n");
int unsized(void);

int main(int argc, char **argv)
{
	(void)argv;
	sink = outer(argc) + unsized(); /* MARK: main */
	return sum_in_parallel(argc) < 0;
}
