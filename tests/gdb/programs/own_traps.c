/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Executes traps of its own, with and without a handler for them. */
#include <signal.h>

static volatile int traps;

static void handler(int number)
{
	traps += number == SIGTRAP; /* MARK: handler */
}

int main(void)
{
	int i;

	signal(SIGTRAP, handler); /* MARK: main */
	for (i = 0; i < 3; i++)
		__asm__ volatile("int3"); /* MARK: trap */
	raise(SIGTRAP);                   /* MARK: raise */
	return traps;                     /* MARK: last */
}
