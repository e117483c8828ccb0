/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fixed_loop: a loop that leads back to what it began with: as memory is now, the thread is in it
 * for ever, writes nothing but to its own stack, and what it reads of other memory decides how it
 * goes on. So it waits for somebody else to change that. Found by going through it, with the
 * thread's registers.
 */
#ifndef TARGET_FIXED_LOOP_H
#define TARGET_FIXED_LOOP_H

#include "target/process/target.h"

/* Which functions do nothing but let time pass, and return 0. */
struct fixed_loop_idle {
	bool (*is)(const void *context, taddr function); /* NULL: none is known */
	const void *context;
};

enum { FIXED_LOOP_REGISTERS = 32, FIXED_LOOP_READS = 8 };

/* A function's code that is being executed. */
struct fixed_loop_frame {
	taddr pc;
	uint64_t registers[FIXED_LOOP_REGISTERS]; /* numbered as struct arch's code_regs        */
	uint32_t known;                           /* of them, a bit each                        */
	bool called; /* it has called an idle function, which will return to pc            */
};

struct fixed_loop {
	taddr looks; /* the first of the instructions that read memory of others; always the same
			one of a loop                                                          */
	taddr reads[FIXED_LOOP_READS]; /* what they read, as far as there is room              */
	size_t len;
	bool more;       /* there was not                                                     */
	uint64_t values; /* a hash of what they read, wherever in the loop the thread is       */
};

/* false: there is no such loop, or its instructions are not all known. */
bool fixed_loop_find(struct target *t, const struct fixed_loop_frame *frame,
		     const struct fixed_loop_idle *idle, struct fixed_loop *ret);

/* Of a thread that is in such code itself. */
bool fixed_loop_of_thread(struct target *t, struct thread *th, const struct fixed_loop_idle *idle,
			  struct fixed_loop *ret);

#endif
