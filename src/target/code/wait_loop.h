/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_loop: the loop in which a thread waits, awake, for memory to change.
 */
#ifndef TARGET_WAIT_LOOP_H
#define TARGET_WAIT_LOOP_H

#include "target/process/target.h"

/*
 * The address that a loop around the thread's pc polls: a loop with a pause instruction in which
 * nothing but one place in memory is read, at an address that the loop does not change; the
 * thread's own stack does not count. false: no such loop, or it looks at several places.
 */
bool wait_loop_polls(struct target *t, struct thread *th, taddr *ret);

#endif
