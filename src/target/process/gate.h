/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Gate: where processes that each look at one of several wait for each other, so that all of those
 * stand still at the same moment, and not for long: nobody seizes its own before all are ready to,
 * nobody interrupts them before all are seized, nobody awaits and reads them before all are
 * interrupted, which is the end of what they execute by themselves; nobody thinks about what it has
 * read before all have let go.
 *
 * Whoever does not come in time is not waited for: no process is kept stopped by another one's
 * trouble.
 */
#ifndef TARGET_GATE_H
#define TARGET_GATE_H

enum gate_step { GATE_READY, GATE_SEIZED, GATE_INTERRUPTED, GATE_RELEASED, NUM_GATE_STEPS };

struct gate;

/* Children of this process come to it, n of them, and not this process. NULL: there is none. */
struct gate *gate_new(int n);
void gate_free(struct gate *g);

/*
 * Waits until all have come to this step, have left, or are too late. Each comes to a step once: it
 * does nothing the next time. NULL: does nothing.
 */
void gate_meet(struct gate *g, enum gate_step step);

/* Of one, at its end, that will not come any more to the steps that it has not come to. */
void gate_leave(struct gate *g);

#endif
