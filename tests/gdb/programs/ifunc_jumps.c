/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library with a function whose resolver is left by longjmp() when it is called first. */
#include <setjmp.h>

jmp_buf way_out;
static int calls;

static int chosen(int n)
{
	return n + 20; /* MARK: chosen_late */
}

static int (*resolve(void))(int)
{
	if (!calls++)
		longjmp(way_out, 1); /* MARK: jumps_out */
	return chosen;
}

int indirect(int n) __attribute__((ifunc("resolve")));
