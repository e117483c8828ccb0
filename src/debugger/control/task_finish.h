/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_finish: out of a task, to where the task that has created it has waited for it, in whichever
 * thread that is.
 *
 * Where it waits already, a point behind that is enough: it gets there when the task is over. Else
 * points at the entries by which tasks wait tell, for its thread, when it comes to one itself, and
 * not in code that it calls meanwhile. If it comes to none, the end of the region is.
 */
#ifndef DEBUGGER_TASK_FINISH_H
#define DEBUGGER_TASK_FINISH_H

#include "debugger/control/plan.h"

/* Errors as of creator_wait_find(). */
MUST_CHECK struct error *task_finish_begin(struct plan *p, const struct plan_context *c);

/* A thread is at WAITS. */
MUST_CHECK struct error *task_finish_waits(struct plan *p, const struct plan_context *c);

#endif
