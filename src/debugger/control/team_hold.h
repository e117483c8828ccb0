/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_hold: threads that stay where they are when the program goes on, by their names in OpenMP.
 *
 * It is the same wish as that of "freeze" (threads.h), for as long as the thread lives: a process
 * that is let go, or that executes another program, has none that is held.
 */
#ifndef DEBUGGER_TEAM_HOLD_H
#define DEBUGGER_TEAM_HOLD_H

#include "debugger/control/control.h"

/* names: which ones, as team_names_parse(); ret: the same in full, "0.1, 0.2". */
MUST_CHECK struct error *team_hold(struct control *c, const char *names, struct buf *ret);
/* names "": all that are held. ret: empty if nobody was. */
MUST_CHECK struct error *team_release(struct control *c, const char *names, struct buf *ret);
/* Those that are held. */
MUST_CHECK struct error *team_held(struct control *c, struct buf *ret);

#endif
