/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Spins with known values in its registers until "go" is set. All must be as they were then,
 * except r15: its lowest byte is the exit status.
 */
#include <stdint.h>
#include <sys/syscall.h>

#include "testprog.h"

/* clang-format off */
#define EACH(what)                                                                                 \
	".set at, 0\n.irp r,rax,rbx,rcx,rdx,rsi,rdi,rbp,r8,r9,r10,r11,r12,r13,r14,r15\n"           \
	what "\n.set at, at + 8\n.endr\n"
#define VECTORS(what) ".irp r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n" what "\n.endr\n"
#define FUNCTION(name, body)                                                                       \
	".globl " name "\n.type " name ", @function\n" name ":\n" body ".size " name ", . - " name "\n"
__asm__(".text\n"
	FUNCTION("load_xmm", VECTORS("movdqu vectors+32*\\r(%rip), %xmm\\r") "ret\n")
	FUNCTION("load_ymm", VECTORS("vmovdqu vectors+32*\\r(%rip), %ymm\\r") "ret\n")
	FUNCTION("save_xmm", VECTORS("movdqu %xmm\\r, later+32*\\r(%rip)") "ret\n")
	FUNCTION("save_ymm", VECTORS("vmovdqu %ymm\\r, later+32*\\r(%rip)") "ret\n")
	FUNCTION("hold", "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
		 "mov %rsp, saved_sp(%rip)\n" EACH("mov before+at(%rip), %\\r"))
	FUNCTION("spin", "pause\ncmpb $0, go(%rip)\nje spin\n")
	EACH("mov %\\r, after+at(%rip)")
	"mov saved_sp(%rip), %rsp\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");
/* clang-format on */
void load_xmm(void), load_ymm(void), save_xmm(void), save_ymm(void), hold(void);

enum { GENERALS = 15, SET_GS = 0x1001, GET_FS = 0x1003 };
uint64_t before[GENERALS], after[GENERALS], saved_sp, mark;
unsigned char vectors[16][32], later[16][32];
volatile char go; /* the tests set it */

int main(void)
{
	int avx = __builtin_cpu_supports("avx");
	uint64_t fs = 0;

	die_with_parent();
	for (uint64_t i = 0; i < GENERALS; i++)
		before[i] = 0x0101010101010101 * (i + 1);
	for (int i = 0; i < 16 * 32; i++)
		vectors[i / 32][i % 32] = (unsigned char)(i / 32 * 16 + i % 32);
	syscall(SYS_arch_prctl, SET_GS, &mark);
	syscall(SYS_arch_prctl, GET_FS, &fs);
	printf("fs %#lx gs %p\n", fs, (void *)&mark);
	fflush(stdout);
	ready();
	(avx ? load_ymm : load_xmm)();
	hold();
	(avx ? save_ymm : save_xmm)();
	for (int i = 0; i < 16; i++)
		if (memcmp(vectors[i], later[i], avx ? 32 : 16) != 0)
			FAIL("vector register %d has changed", i);
	return memcmp(before, after, sizeof(before) - 8) ? 1 : (int)(after[GENERALS - 1] & 0xff);
}
