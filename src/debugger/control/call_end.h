/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_end: a function that the user has called comes to its end: it returns, now or when it was
 * long given up; or it leaves in another way.
 */
#ifndef DEBUGGER_CALL_END_H
#define DEBUGGER_CALL_END_H

#include "debugger/control/control.h"

/* The call to whose return an event's thread has come; NULL: none. */
struct called *call_end_find(struct control *c, const struct event *event);

/*
 * It has returned: fills in the report. Who calls it just now reads its result, and undoes it;
 * else that is done here, for which all threads have to stand.
 */
MUST_CHECK struct error *call_end_return(struct control *c, const struct event *event,
					 struct called *one, struct stop_report *r);

/* What is watched while one runs: whether that ends it. */
bool call_end_leaves(const struct control *c, enum point_role role, struct stop_report *r);

#endif
