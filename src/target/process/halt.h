/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Halt: threads come to stand. The essay in target.h says how, and who does not.
 */
#ifndef TARGET_HALT_H
#define TARGET_HALT_H

#include "target/process/tracee.h"

/* As target_stop_all(). */
MUST_CHECK struct error *halt_all(struct tracees *ts);

/* Asks every thread of the target to stop; waits until no stop is due, or why one never comes. */
MUST_CHECK struct error *halt_interrupt(struct tracees *ts);
MUST_CHECK struct error *halt_await(struct tracees *ts);

/* After the threads: one that waits for its child in vfork() stops when that is done. */
MUST_CHECK struct error *halt_children(struct tracees *ts);

/* Stops all that run, and says who that was, for go_on_others(). */
MUST_CHECK struct error *halt_others(struct tracees *ts, struct lwp_list *ret);

#endif
