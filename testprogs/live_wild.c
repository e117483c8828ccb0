/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls a function where no memory is, and blocks in the handler of the fault. */
#include <stdint.h>

#include "testprog.h"

volatile uintptr_t nowhere = 0x10;

static NOINLINE void in_handler(void)
{
	ready();
	block(); /* MARK: stuck */
	_exit(0);
}

static NOINLINE void handler(int sig)
{
	if (sig == SIGSEGV)
		in_handler(); /* MARK: handler */
	KEEP_FRAME();
}

static NOINLINE void call_wild(void)
{
	((void (*)(void))nowhere)(); /* MARK: wild */
	KEEP_FRAME();
}

int main(void)
{
	die_with_parent();
	signal(SIGSEGV, handler);
	call_wild(); /* MARK: main */
	KEEP_FRAME();
	return 1;
}
