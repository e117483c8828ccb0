/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stepping: a thread that steps, again and again, while its pc stays in a piece of code: for a line
 * of the source. Each step is one as any other, but its outcome is not told.
 *
 * A signal that comes meanwhile and is to be passed (target_pass_signals()) has its handler run, as
 * fast as ever, up to a trap where the thread stood; others that come to that trap go on.
 *
 * Where all threads step or stay, none steps through instructions that can do nothing but go on to
 * the next: it runs to a trap behind them, unless something is watched. A jump, call or return that
 * it stands at is done for it, where that is possible. Limit: a line that changes its own code,
 * ahead of where it runs, may change it where the trap is, and then is left.
 */
#ifndef TARGET_STEPPING_H
#define TARGET_STEPPING_H

#include "target/process/tracees.h"

/* From now on a thread's steps are those of a range, until stepping_end(). */
void stepping_begin(struct thread *th, taddr start, taddr end);
MUST_CHECK struct error *stepping_end(struct tracees *ts, struct thread *th);

/* A thread has stepped, or came back from a handler: whether it has not left its range. */
bool stepping_goes_on(struct tracees *ts, struct thread *th);

enum stepping_way {
	STEPPING_STEPS,
	STEPPING_RUNS, /* it is to go on, to a trap: behind what it runs through, or where a signal
			  that is on its way has its handler come back                          */
	STEPPING_DONE, /* the step has been done for it                                         */
};

/* Prepares the next step. */
MUST_CHECK struct error *stepping_prepare(struct tracees *ts, struct thread *th,
					  enum stepping_way *ret);

#endif
