/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cyclic_frames HOW: a stack that does not end as it should. The frame of forged_*() says
 * that it was called from after_call_*, and that its caller's frame is
 *   cycle       itself
 *   misaligned  at an odd address
 *   unreadable  where there is no memory
 * With "cfi-" in front the unwind tables say so, else only the chain of frame pointers does.
 */
#include <stdint.h>

#include "testprog.h"

#define FORGED(name, start, cfa, end)                                                              \
	__asm__(".pushsection .text\n.globl forged_" name "\n.type forged_" name ", @function\n"   \
		"forged_" name ":\n" start "	push %rbp\n	mov %rsp, %rbp\n" cfa              \
		"	test %rdi, %rdi\n"                                                               \
		"	cmove %rbp, %rdi\n"                                                              \
		"	mov %rdi, (%rbp)\n" /* the caller's frame pointer */                       \
		"	lea after_call_" name "(%rip), %rax\n"                                     \
		"	mov %rax, 8(%rbp)\n" /* the return address */                              \
		"	call stuck\n"                                                                    \
		"after_call_" name ":\n"                                                           \
		"	hlt\n" end ".size forged_" name ", . - forged_" name "\n.popsection\n")

void forged_fp(uintptr_t frame);
void forged_cfi(uintptr_t frame);
FORGED("fp", "", "", "");
FORGED("cfi", "	.cfi_startproc\n", "	.cfi_def_cfa rbp, 16\n	.cfi_offset rbp, -16\n",
       "	.cfi_endproc\n");

__attribute__((used)) void stuck(void)
{
	ready();
	block(); /* MARK: stuck */
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "cycle";
	void (*forged)(uintptr_t) = strncmp(how, "cfi-", 4) == 0 ? forged_cfi : forged_fp;
	uintptr_t frame = 0;

	die_with_parent();
	if (strstr(how, "misaligned"))
		frame = (uintptr_t)&frame + 1;
	else if (strstr(how, "unreadable"))
		frame = 0x1000;
	forged(frame); /* MARK: main */
	return 1;
}
