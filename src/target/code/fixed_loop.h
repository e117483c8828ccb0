/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fixed_loop: a loop that leads back to what it began with: as memory is now, the thread is in it
 * for ever, and writes nothing but what is on its own stack already. So it waits for somebody else
 * to change what it reads. Found by going through it, with the thread's registers.
 */
#ifndef TARGET_FIXED_LOOP_H
#define TARGET_FIXED_LOOP_H

#include "target/process/target.h"

/* Functions that do nothing but let time pass, and return. */
struct fixed_loop_idle {
	const taddr *items; /* borrowed; addresses of their first instructions */
	size_t len;
};

/*
 * The thread is in a function's code, or at the beginning of an idle function that it has called.
 * *ret: the first of the instructions that read memory of others; always the same one of a loop.
 * false: there is no such loop, or its instructions are not all known.
 */
bool fixed_loop_find(struct target *t, struct thread *th, const struct fixed_loop_idle *idle,
		     taddr *ret);

#endif
