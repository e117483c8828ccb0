/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_loop: a loop in which a thread is awake and waits until memory changes.
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

#endif
