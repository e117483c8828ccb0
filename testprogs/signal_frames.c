/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * signal_frames [alt]: blocks inside a signal handler, on the alternative signal stack or on the
 * one that was interrupted. The instruction that was interrupted is the first of its function, so
 * that whoever takes the frame's pc for a return address finds the function before it.
 */
#include <stdbool.h>

#include "testprog.h"

void first_instruction_faults(void);
__asm__(".pushsection .text\n"
	".type before_the_fault, @function\n"
	"before_the_fault:\n"
	"	.cfi_startproc\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	"	.size before_the_fault, . - before_the_fault\n"
	".globl first_instruction_faults\n"
	".type first_instruction_faults, @function\n"
	"first_instruction_faults:\n"
	"	.cfi_startproc\n"
	"	ud2\n" /* MARK: fault */
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size first_instruction_faults, . - first_instruction_faults\n"
	".popsection\n");

static NOINLINE void in_handler(void)
{
	ready();
	block(); /* MARK: stuck */
	_exit(0);
}

static NOINLINE void handler(int sig)
{
	if (sig == SIGILL)
		in_handler(); /* MARK: handler */
	KEEP_FRAME();
}

static NOINLINE void interrupted(void)
{
	first_instruction_faults(); /* MARK: interrupted */
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	static char stack[1 << 16];
	bool alt = argc > 1 && strcmp(argv[1], "alt") == 0;
	struct sigaction action = { .sa_handler = handler, .sa_flags = alt ? SA_ONSTACK : 0 };

	die_with_parent();
	if (alt && sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL) < 0)
		FAIL("no signal stack");
	sigaction(SIGILL, &action, NULL);
	interrupted(); /* MARK: main */
	KEEP_FRAME();
	return 1;
}
