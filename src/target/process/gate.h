/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Gate: where processes that each look at one of several wait for each other, so that all of those
 * stand still at the same moment: nobody stops its own before all are ready to, nobody reads before
 * all are stopped.
 *
 * Whoever does not come in time is not waited for: no process is kept stopped by another one's
 * trouble.
 */
#ifndef TARGET_GATE_H
#define TARGET_GATE_H

enum gate_step { GATE_READY, GATE_STOPPED, NUM_GATE_STEPS };

struct gate;

/* In memory that children of this process share with it; n: how many come. NULL: there is none. */
struct gate *gate_new(int n);
void gate_free(struct gate *g);

/* Waits until all have come to this step, have left, or are too late. NULL: does nothing. */
void gate_meet(struct gate *g, enum gate_step step);

/* Of one that will not come (any more). */
void gate_leave(struct gate *g);

#endif
