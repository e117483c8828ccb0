/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hang: a step that cannot end, as its thread waits for what nobody that may run can do any more;
 * and a program that goes on while threads are held, all others waiting for those.
 *
 * Nothing tells that: it is looked for where nothing has happened for a while, and seldom. Unless
 * the thread sleeps for another one of the process, or has been busy for long, nobody is stopped
 * for a look; what sleeps outside may sleep as long as it likes.
 */
#ifndef DEBUGGER_HANG_H
#define DEBUGGER_HANG_H

#include "debugger/control/team_names.h"

/* The program begins to run; it stands again. */
void hang_begin(struct control *c);
void hang_end(struct control *c);

/* Somebody steps, or is held. */
bool hang_is_due(const struct control *c);
/* Milliseconds without an event until hang_look() is due. */
int hang_pause(const struct control *c);
/* Of the thread that the plan is for, or of all. *ret_stops: r has kind and text, *lwp is the
 * thread to be shown. It may have stopped all threads. */
MUST_CHECK struct error *hang_look(struct control *c, struct stop_report *r, pid_t *lwp,
				   bool *ret_stops);

/*
 * Puts the verdict of a deadlock in place of the text, if there is one by that look; marks: of the
 * looks before, for threads that spin.
 */
MUST_CHECK struct error *hang_find_deadlock(const struct control *c, struct look *l,
					    struct wait_marks *marks, struct buf *text);
/* Of a thread that stands in the runtime the caller is what the user knows: selects that. */
MUST_CHECK struct error *hang_show_caller(struct control *c, struct stop_report *r);

#endif
