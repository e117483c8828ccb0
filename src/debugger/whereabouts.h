/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whereabouts: what one stopped thread is in OpenMP: for the line that says who has stopped.
 *
 * No other thread is looked at, so that it costs the same for two threads and for two thousand; but
 * for the first time that a region is seen: what tells when it ends is on the stack of its creator.
 */
#ifndef DEBUGGER_WHEREABOUTS_H
#define DEBUGGER_WHEREABOUTS_H

#include "debugger/session.h"
#include "ompd/picture/picture.h"

struct whereabouts {
	enum thread_role role;
	long region, parent;      /* as users call them (omp_ids.h); -1: none               */
	long task, creator;       /* as well; of the task that it executes; -1: not known    */
	enum task_kind task_kind; /* if that is known                                       */
	long number; /* in the team; -1: unknown                                             */
	long size;   /* of the team; 0: unknown                                              */
	int level;   /* of the region; 0: in none                                            */
	bool lasts;  /* private: the ids of its regions are sure to stay the same            */
};

/*
 * The target must be stopped, and its modules up to date (module_list_update()). raw: the thread's
 * stack. Errors only for lack of memory.
 */
MUST_CHECK struct error *whereabouts_find(struct session *s, const struct thread *th,
					  const struct unwind_stack *raw, struct whereabouts *ret);

#endif
