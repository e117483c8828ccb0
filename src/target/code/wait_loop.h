/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_loop: a loop in which a thread is awake and waits until memory changes: one of a runtime's,
 * or of the program's own ("while (!flag);").
 */
#ifndef TARGET_WAIT_LOOP_H
#define TARGET_WAIT_LOOP_H

#include "target/process/target.h"

/*
 * The address that the loop around the thread's pc polls: the loop has a pause instruction, and
 * reads only one place in memory, at an address that it does not change. The thread's own stack
 * does not count. false: there is no such loop, or it looks at several places.
 */
bool wait_loop_polls(struct target *t, struct thread *th, taddr *ret);

/*
 * The loop around pc does nothing but look at memory: it calls nothing, stores nothing, and carries
 * nothing from one turn to the next, no counter either. So it goes on for as long as nobody else
 * changes what it reads. *ret: the instruction that reads. false: there is no such loop, or its
 * instructions are not all known.
 */
bool wait_loop_watches(struct target *t, taddr pc, taddr *ret);

#endif
