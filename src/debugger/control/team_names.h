/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_names: threads by their names in OpenMP, as users write them: "0.1", "0.2-5", "1.*", "all";
 * and "3", the thread with that number in the current team: of the region that the selected thread
 * is in.
 */
#ifndef DEBUGGER_TEAM_NAMES_H
#define DEBUGGER_TEAM_NAMES_H

#include "debugger/control/control.h"
#include "debugger/look.h"

/* All that OpenMP is at this stop, with names; the program stands. *ret is to be freed in any case.
 * holds: also what threads hold. USAGE: there is nothing to look at. */
MUST_CHECK struct error *team_look(struct control *c, bool holds, struct look *ret);

/* Of a picture's threads by LWP; -1: it is not there. */
int team_thread(const struct picture *p, pid_t lwp);
/* The region whose team is the current one; -1: the selected thread is in none. */
int team_current(const struct control *c, const struct picture *p);
/* The same. USAGE: it is in none. */
MUST_CHECK struct error *team_need_current(const struct control *c, const struct picture *p,
					   int *ret);

/*
 * Where a text begins with "0.[0-2,5]", as several threads are named: "0.0-2 0.5 ". Returns how
 * much of the text that is; 0: it begins otherwise.
 */
size_t team_names_expand(const char *text, struct buf *out);

/*
 * The threads that a text means, as indices in the picture, in its order; "all": those of all
 * teams. USAGE: it is no such text. NOT_FOUND: there is no such thread.
 */
MUST_CHECK struct error *team_names_parse(const struct control *c, const struct picture *p,
					  const char *text, struct ints *ret);

#endif
