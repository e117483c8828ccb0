/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Passage: where a thread is between its arrival at a site and the end of the instruction there.
 *
 * An arrival lasts while the thread stands at the site, and while a single step of that instruction
 * has not been completed. A thread that goes on without having executed it will be back: it is
 * given a signal, whose handler returns there; or it comes out of a group-stop. What it was when it
 * left is noted: who arrives with the very same registers has never been away. (A handler that does
 * not return but leaves by longjmp(), and the same call again with the same registers: nobody can
 * tell that from a return.)
 */
#ifndef TARGET_PASSAGE_H
#define TARGET_PASSAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "target/cpu/arch.h"

struct passage {
	taddr at;     /* the site                                          */
	bool arrived; /* its instruction is the next one                   */
	bool settled; /* whom the hit stops has been said, and it is counted */
	bool passes;  /* the processor lets it get over: its resume flag is set, in handlers' frames
			 as well (Linux, FIX_EFLAGS in arch/x86/kernel/signal.c)          */
	bool called;  /* it was a system call, which has been entered: it may have to be made again
		       */
	size_t copy;  /* it was sent through that one (copies.h); 0: none     */
};

/* Code in which a thread steps: stepping.h. */
struct stepping {
	taddr start, end;
	bool active;
	bool transfers; /* the step is a call or a return: it leaves the range       */
	bool signalled; /* a signal was kept from the last step, and has been sent again */
	bool waits;     /* for a trap at back_at, to which a handler returns,         */
	bool runs;      /* ...or where what it runs through ends                     */
	bool stood;     /* the last step was done for it, without its running        */
	taddr back_at;
	taddr code_at, last; /* what is known of its code; where the last step began   */
	uint8_t code[64];
	size_t ncode;
};

/* A thread that left a site and will be back. */
struct absence {
	pid_t lwp;
	uint64_t code_regs[32], pc;
};

struct absences {
	struct absence *items; /* owned; the oldest first */
	size_t len, cap;
};

void absences_fini(struct absences *a);

/* Notes a thread and its general registers. The oldest are forgotten. */
MUST_CHECK struct error *absences_add(struct absences *a, const struct arch *arch, pid_t lwp,
				      const uint8_t *general);

/* Whether a thread that arrives with these registers is back. Then it is forgotten. */
bool absences_end(struct absences *a, const struct arch *arch, pid_t lwp, const uint8_t *general);

/* Forgets a thread that is gone; with 0 all. */
void absences_drop(struct absences *a, pid_t lwp);

#endif
