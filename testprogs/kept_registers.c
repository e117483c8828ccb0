/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A variable in a register that functions of other modules need not keep. */
#include <stdio.h>

static __attribute__((noinline)) void own(void)
{
	__asm__ volatile("nop");
}

int main(void)
{
	register long fleeting __asm__("r11") = 42;

	__asm__ volatile("" : "+r"(fleeting));
	own();
	__asm__ volatile("" : "+r"(fleeting));
	puts("said");
	__asm__ volatile("" : : "r"(fleeting));
	return 0;
}
