/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads in kernels that are written in assembly, without unwind rules: each reads its input, and
 * so stays there. One leaves the stack and the frame pointer alone, one has saved registers and
 * computes in the frame pointer, one has a buffer on the stack, and what calls have left in it:
 * the frame pointer of who calls its caller.
 */
#include "testprog_omp.h"

__asm__(".text\n"
	".type plain_kernel, @function\n"
	"plain_kernel:\n"
	"	xor	%eax, %eax\n"
	"	syscall\n"
	"	ret\n"
	".size plain_kernel, . - plain_kernel\n"
	".type saving_kernel, @function\n"
	"saving_kernel:\n"
	"	push	%rbx\n"
	"	push	%rbp\n"
	"	sub	$0x48, %rsp\n"
	"	mov	%rsp, (%rsp)\n"
	"	mov	$1, %ebp\n"
	"	xor	%eax, %eax\n"
	"	syscall\n"
	"	add	$0x48, %rsp\n"
	"	pop	%rbp\n"
	"	pop	%rbx\n"
	"	ret\n"
	".size saving_kernel, . - saving_kernel\n"
	".type buffer_kernel, @function\n"
	"buffer_kernel:\n"
	"	push	%rbp\n"
	"	sub	$0x3000, %rsp\n"
	"	xor	%ebp, %ebp\n"
	"	xor	%eax, %eax\n"
	"	syscall\n"
	"	add	$0x3000, %rsp\n"
	"	pop	%rbp\n"
	"	ret\n"
	".size buffer_kernel, . - buffer_kernel\n"
	".type leave_remains, @function\n"
	"leave_remains:\n"
	"	sub	$0x1000, %rsp\n"
	"	push	%rbp\n"
	"	push	%rbp\n"
	"	add	$0x1010, %rsp\n"
	"	ret\n"
	".size leave_remains, . - leave_remains\n");

typedef long kernel(long file, void *buf, size_t size);
kernel plain_kernel, saving_kernel, buffer_kernel;
void leave_remains(void);
static kernel *volatile by_pointer;

static NOINLINE long multiply(int n)
{
	char input;
	long got;

	if (n == 0)
		got = plain_kernel(0, &input, 1); /* MARK: plain */
	else if (n == 1)
		got = saving_kernel(0, &input, 1); /* MARK: saving */
	else if (n == 2)
		got = by_pointer(0, &input, 1); /* MARK: by pointer */
	else
		got = buffer_kernel(0, &input, 1); /* MARK: buffer */
	KEEP_FRAME();
	return got;
}

int main(void)
{
	long sum = 0;

	team = 4;
	by_pointer = saving_kernel;
#pragma omp parallel num_threads(team) reduction(+ : sum) /* MARK: region */
	{
		tell("multiplies");
		wait_for_arrivals(team);
		if (omp_get_thread_num() == 0)
			ready();
		leave_remains();
		sum += multiply(omp_get_thread_num());
		KEEP_FRAME();
	}
	return sum ? 1 : 0;
}
