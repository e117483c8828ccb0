/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creator_wait: where the task stands that has created the one a thread executes: it waits in a
 * runtime (taskwait, the end of a taskgroup, a barrier), or has not come to that yet.
 */
#ifndef DEBUGGER_CREATOR_WAIT_H
#define DEBUGGER_CREATOR_WAIT_H

#include "debugger/control/plan.h"

struct creator_wait {
	taddr task;         /* the creator's, as the runtime knows it: asked for once more        */
	pid_t lwp;          /* of the thread that executes the creator                           */
	bool waits;         /* then where it goes on behind that:                                */
	taddr pc, sp_above; /* 0: at the end of its region   */
	char own[THREAD_NAME_MAX], creator[THREAD_NAME_MAX]; /* threads: "0.3" */
};

/*
 * All threads must stand. task 0: the creator of the task that the thread executes; else that one.
 * USAGE: the thread executes no explicit task. NOT_FOUND: its creator has ended, or is not known.
 */
MUST_CHECK struct error *creator_wait_find(struct session *s, pid_t lwp, taddr task,
					   struct creator_wait *ret);

/* Calls "found" for each entry by which a task begins to wait for others, until that fails. */
MUST_CHECK struct error *creator_wait_entries(struct session *s,
					      struct error *(*found)(void *context, taddr entry),
					      void *context);

#endif
