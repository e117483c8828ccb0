/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Instructions that are executed many times at one address, and that see their own flags. */
#include <string.h>

static char from[64] = "0123456789", to[64];
static unsigned long flags;

static __attribute__((noinline)) void copy(unsigned long count)
{
	void *source = from, *target = to;

	__asm__ volatile(".globl rep_here\nrep_here:\n\trep movsb" /* MARK: rep */
			 : "+S"(source), "+D"(target), "+c"(count)
			 :
			 : "memory");
}

static __attribute__((noinline)) void push_flags(void)
{
	__asm__ volatile(".globl pushf_here\npushf_here:\n\tpushf\n\tpop %0" /* MARK: pushf */
			 : "=r"(flags));
}

int main(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		copy(20); /* MARK: call */
		push_flags();
		if (flags & 0x100)
			return 2;
	}
	return memcmp(from, to, 20) == 0 ? 0 : 1; /* MARK: last */
}
