/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Queue: the tasks in one of libgomp's task queues: of a team, of a task's children, of a
 * taskgroup.
 *
 * A queue is a ring; when tasks have priorities it is a tree of rings, one for each priority. All
 * of it is hostile: every step is paid from a budget, and the way ends when that is used up.
 */
#ifndef OMPD_GOMP_QUEUE_H
#define OMPD_GOMP_QUEUE_H

#include "ompd/gomp/space.h"

struct gomp_queue_walk {
	const ompd_address_space_handle_t *space;
	uint64_t budget; /* steps that are left; one is one read of the target */
	bool (*found)(void *context, uint64_t task);
	void *context;
};

/*
 * queue: the bytes of the structure, as they stand in the team, task or taskgroup. Calls "found"
 * for each task until it returns false. false: something could not be read, or the budget is used
 * up.
 */
bool gomp_queue_walk(struct gomp_queue_walk *walk, const uint8_t *queue, enum gomp_queue kind);

/* Whether its tasks have priorities. */
bool gomp_queue_has_priorities(const ompd_address_space_handle_t *space, const uint8_t *queue);

#endif
