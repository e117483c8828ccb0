/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task_step: steps that follow a task from where it is made to whichever thread executes it.
 *
 * The same code is that of many tasks. One of them is known by what its code is passed, its keys:
 *
 *   LLVM: task      the runtime's struct, which the program fills in and hands over
 *   LLVM: taskloop  the program hands over a pattern; the runtime copies it for each task
 *   gcc             the program hands over data on its stack; the runtime copies them, or lets
 *                   the program's function do so. Where it executes the task at once, it may pass
 *                   the original
 *
 * So while the thread is in the runtime's entry, a point where the runtime calls memcpy(), for this
 * thread and for sources that have a key in them, tells the keys of copies. Only what the entry has
 * made is known by then: a point at the task's code, for all threads, and with these keys as its
 * condition, stops the right task alone. All that is decided where the program is traced.
 *
 *   thread that makes it               point         thread that executes it
 *     call of the runtime's entry  --- ROLE_ENTRY -->  first instruction of the code
 *       copier(), memcpy()         ROLE_COPIER, ROLE_COPY: one key more
 *     behind the call              ROLE_MADE: the original is no key any longer
 *     behind the region            ROLE_REGION_END: it was cancelled, nobody ever executes it
 */
#ifndef DEBUGGER_TASK_STEP_H
#define DEBUGGER_TASK_STEP_H

#include "debugger/control/plan.h"

/* At the entry of a runtime that makes tasks, which frame "caller" has called: it is followed.
 * *ret false: what it is passed cannot be read, or how it is copied is not known. */
MUST_CHECK struct error *task_step_begin(struct plan *p, const struct plan_context *c,
					 size_t caller, const struct module *runtime, bool *ret);

/* The thread is at COPY or COPIER. */
MUST_CHECK struct error *task_step_copied(struct plan *p, const struct plan_context *c,
					  enum point_role role);

/* The thread is at MADE. *ret: the task may still be executed. */
MUST_CHECK struct error *task_step_made(struct plan *p, const struct plan_context *c, bool *ret);

/*
 * At an entry that makes tasks: an untied task may hand over itself, for its next part, which any
 * thread may execute. *ret: it does; that part is waited for.
 */
MUST_CHECK struct error *task_step_hands_over(struct plan *p, const struct plan_context *c,
					      const struct user_call *call, bool *ret);

/* A thread is at the task's code: tells who it is, and who has made it; at_once: that is the same.
 */
MUST_CHECK struct error *task_step_entered(struct plan *p, const struct plan_context *c,
					   bool at_once);

#endif
