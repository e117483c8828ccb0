/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Watch_hits: what is told of watchpoints that were hit: values, whose copy it was, and, for those
 * of a team, under which critical constructs and locks.
 */
#ifndef DEBUGGER_WATCH_HITS_H
#define DEBUGGER_WATCH_HITS_H

#include "debugger/control/control.h"

/*
 * Where b's condition means something when that thread has hit a location: the frame that a copy
 * belongs to, if it is that thread's; else its innermost one.
 */
MUST_CHECK struct error *watch_hits_scope(struct control *c, const struct breakpoint *b,
					  size_t location, struct thread *th, struct scope *ret);

/*
 * A value that is computed here (reckoned) was written to: whether that has changed it. Sets its
 * places anew if they are others now. The program stands. *ret: for watch_hits_add().
 */
MUST_CHECK struct error *watch_hits_look(struct control *c, struct breakpoint *b, size_t location,
					 struct report_watch *ret, bool *ret_stops);

/* Adds to r what is told of it; w, which is the caller's: has its values, if they are reckoned. */
MUST_CHECK struct error *watch_hits_add(struct control *c, const struct breakpoint *b,
					size_t location, const struct report_watch *w,
					struct stop_report *r);

/*
 * Fills in what a look at the whole program tells of a team's watchpoint that was hit: names of
 * threads, the thread's place in OpenMP, what it holds. All threads stand.
 */
MUST_CHECK struct error *watch_hits_find_team(struct control *c, struct stop_report *r);

#endif
