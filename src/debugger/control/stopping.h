/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stopping: all threads of a program stand, since something has happened to one of them; what is
 * told of that: where it is, in which frame, what has been returned; which step was given up for
 * it.
 */
#ifndef DEBUGGER_STOPPING_H
#define DEBUGGER_STOPPING_H

#include "debugger/control/control.h"

/*
 * Stops for what has happened to that thread, as far as the report says it, and fills in the rest.
 * If the program is gone meanwhile, nothing is told, and c->stands is false: its end comes next.
 */
MUST_CHECK struct error *stopping_stop(struct control *c, pid_t lwp, struct stop_report *r);
/* What the selected thread is in OpenMP, if there are many: asked of itself alone, as of many
 * threads each look takes its time. */
MUST_CHECK struct error *stopping_find_team(struct control *c, struct stop_report *r);
/* Since the user wants it to. */
MUST_CHECK struct error *stopping_interrupt(struct control *c, struct stop_report *r);

#endif
