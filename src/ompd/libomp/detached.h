/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Detached: finds the tasks of LLVM's runtime that wait for their events. The runtime has no list
 * of them.
 *
 * The event is a part of the task, and the program has its address somewhere: on a stack, in a
 * variable, in another task. The heap is not searched. Where nobody has kept it, libomp_tasks.c
 * finds the task in the queue that it was taken from.
 */
#ifndef OMPD_DETACHED_H
#define OMPD_DETACHED_H

#include "ompd/client/walk_state.h"
#include "ompd/libomp/libomp_taskdata.h"

struct detached_search {
	const struct walk *walk;                 /* borrowed */
	const struct libomp_task_layout *layout; /* borrowed */
	libomp_taskdata_found *found; /* called for each, several times maybe; false: ends it */
	void *context;
	size_t words; /* private: that were looked at so far */
	bool ended;   /* private */
};

/* Looks at the stacks and at the variables of the program. */
void detached_find(struct detached_search *s);
/* Looks at what belongs to a task. */
void detached_find_in(struct detached_search *s, const struct libomp_taskdata *task);

#endif
