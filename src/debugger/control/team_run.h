/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_run: the threads of the current team run one at a time, in an order that somebody has
 * chosen, from station to station: a driver (driver.h) between the target and team_order.h.
 *
 * First those that are not in the region's code yet come there (GATHERS). Then one of those that
 * stand runs up to its next station; who is in the runtime, in a barrier, runs, too, and stands
 * where that returns (ORDERS). When all have left the region's code nobody is held, and the
 * program stops where the primary thread comes out of it (LEAVES).
 *
 * A thread that waits inside the runtime for what is no station is found by looking at it, every
 * now and then: then it is the next one's turn.
 */
#ifndef DEBUGGER_TEAM_RUN_H
#define DEBUGGER_TEAM_RUN_H

#include "debugger/control/team_moves.h"

/*
 * Runs it, up to a stop; keeps the order that was run in c->order. USAGE: the selected thread is
 * in no region, one of the team is held, or nothing can be watched.
 */
MUST_CHECK struct error *team_run(struct control *c, const struct team_run *how,
				  struct stop_report *ret);

#endif
