/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Decide: what an event of a thread means: the program goes on, or it has stopped, and why.
 */
#ifndef DEBUGGER_DECIDE_H
#define DEBUGGER_DECIDE_H

#include "debugger/control/control.h"

/*
 * *ret_stops: the report says why, but not yet where; the thread is the event's. Those whom this
 * concerns stand still; others may run.
 */
MUST_CHECK struct error *decide_event(struct control *c, const struct event *event,
				      struct stop_report *ret, bool *ret_stops);

#endif
