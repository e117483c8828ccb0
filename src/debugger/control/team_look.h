/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_look: what threads of a team that is moved do where no point tells: whether those that run
 * wait inside the runtime, and for whom.
 */
#ifndef DEBUGGER_TEAM_LOOK_H
#define DEBUGGER_TEAM_LOOK_H

#include "debugger/control/team_moves.h"

/*
 * Nothing has happened for a while. *ret_changes: somebody waits, or is gone: it is the next one's
 * turn; text: a sentence about that, or nothing. It may have stopped all threads.
 */
MUST_CHECK struct error *team_look_anew(struct control *c, struct team_moves *m, struct buf *text,
					bool *ret_changes);

/* Why nobody can go on; all stand. */
MUST_CHECK struct error *team_look_stuck(struct control *c, struct team_moves *m, struct buf *text);

/*
 * All threads in regions that run and are not of the team wait, as in a region of its own that one
 * of the team has begun: they will do nothing that the team waits for.
 */
bool team_look_others_wait(const struct team *team, const struct target *t, const struct picture *p,
			   struct wait_marks *marks);
/* For a while, in so many looks, it has slept for a lock of another library, as that of stdout:
 * only who stands can have it. */
bool team_look_sleeps_outside(const struct target *t, const struct picture_thread *th,
			      size_t looks);
/* "0.2 waits for critical 'x' at a.c:31, which thread 0.1 has" */
void team_look_add_wait(const struct picture *p, int thread, struct buf *out);

#endif
