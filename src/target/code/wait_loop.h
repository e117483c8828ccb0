/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_loop: a loop in which a thread is awake and waits until memory changes: one of a runtime's,
 * or of the program's own ("while (!flag);").
 */
#ifndef TARGET_WAIT_LOOP_H
#define TARGET_WAIT_LOOP_H

#include "target/process/target.h"

struct wait_loop {
	bool pauses;  /* the thread's pc is in a loop that has a pause instruction               */
	taddr polled; /* the only place in memory that the loop reads, at an address that it does
			 not change; the thread's own stack does not count. 0: it looks at several
			 places, or it is not known                                             */
	bool is_over; /* what is there now ends the loop, which the thread has not seen yet      */
};

/* false: nothing is polled. */
bool wait_loop_polls(struct target *t, struct thread *th, struct wait_loop *ret);

/*
 * The loop around pc does nothing but look at memory: it calls nothing, stores nothing, and carries
 * nothing from one turn to the next, no counter either; and it can be left. So it goes on for as
 * long as nobody else changes what it reads. *ret: the instruction that reads. false: there is no
 * such loop, or its instructions are not all known.
 */
bool wait_loop_watches(struct target *t, taddr pc, taddr *ret);

#endif
