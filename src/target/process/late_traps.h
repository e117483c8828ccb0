/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Late traps: of a thread that is interrupted when it has just come to a trap, or made a step, the
 * kernel tells the interrupt first (kernel/signal.c, get_signal()): it stands behind the trap then,
 * and the SIGTRAP is still to come.
 *
 * Whoever takes the trap out, or lets the thread go, has to have heard of it: it would kill.
 */
#ifndef TARGET_LATE_TRAPS_H
#define TARGET_LATE_TRAPS_H

#include "target/process/tracee.h"

/*
 * Lets those that stand so tell what they have come to: an event, if it was more than a step.
 * Nobody executes an instruction by that. In group-stops, too, only if the threads are let go after
 * it.
 */
MUST_CHECK struct error *late_traps_collect(struct tracees *ts, bool in_group_stops);

#endif
