/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Watching_team: watchpoints on what each thread of a team has.
 *
 * What they share is one place, which is watched in all threads of the process. Of what each has a
 * copy of, all copies are watched in all threads while debug registers last, four in all; then
 * each copy in its own thread alone, four in each: what another thread writes there is not seen.
 */
#ifndef DEBUGGER_WATCHING_TEAM_H
#define DEBUGGER_WATCHING_TEAM_H

#include "debugger/control/watching.h"

/*
 * Finds the copies of b, by its text, in the threads of the selected thread's team that are in the
 * function of the selected frame. Of threads that are elsewhere it warns. *ret_shared: some threads
 * have one in common. USAGE: the selected thread is in no region, or as watching_find().
 */
MUST_CHECK struct error *watching_team(struct control *c, struct breakpoint *b, bool *ret_shared);

#endif
