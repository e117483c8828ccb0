/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_step: all threads of the current team make one step together: each has a plan of its own
 * (plan.h), and stands where that has led until all have arrived: a driver (driver.h).
 *
 *   MOVES ----> ASKS ----> MOVES ...       ASKS: it has come to something that its plan is to be
 *                 |                        asked about; that is done for all at once, when no other
 *                 +------> ARRIVED         one is within a line, so that points are set while all
 *                 +------> LEFT            stand anyway
 *
 * Who is not in the region's code yet comes to its beginning; who is in the runtime, as in a
 * barrier, comes back and goes on to the next line; who has left the region runs on, and the
 * primary thread up to where it is out of it.
 *
 * Those that wait inside the runtime for one that has arrived, and for nothing else, cannot arrive:
 * when a look shows that of all that are left the step ends, and they are named.
 */
#ifndef DEBUGGER_TEAM_STEP_H
#define DEBUGGER_TEAM_STEP_H

#include "debugger/control/mover.h"

/* USAGE: the selected thread is in no region, or a thread of the team is held. */
MUST_CHECK struct error *team_step(struct control *c, const struct team_step *how,
				   struct stop_report *ret);

#endif
