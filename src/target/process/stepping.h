/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stepping: a thread that steps, again and again, while its pc stays in a piece of code: for a line
 * of the source. Each step is one as any other, but its outcome is not told.
 *
 * A signal that comes meanwhile and is to be passed (target_pass_signals()) has its handler run, as
 * fast as ever, up to a trap where the thread stood; others that come to that trap go on.
 */
#ifndef TARGET_STEPPING_H
#define TARGET_STEPPING_H

#include "target/process/tracees.h"

/* From now on a thread's steps are those of a range, until stepping_end(). */
void stepping_begin(struct thread *th, taddr start, taddr end);
MUST_CHECK struct error *stepping_end(struct tracees *ts, struct thread *th);

/* A thread has stepped, or came back from a handler: whether it has not left its range. */
bool stepping_goes_on(struct tracees *ts, struct thread *th);

/*
 * Prepares the next step. *ret_runs: it is not to step, but to go on: a signal is on its way, whose
 * handler will come back.
 */
MUST_CHECK struct error *stepping_prepare(struct tracees *ts, struct thread *th, bool *ret_runs);

#endif
