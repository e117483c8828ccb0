/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Task: implicit and explicit tasks, and those around them.
 *
 * The initial task of a thread has no gomp_task until something needs one: its address is 0 then,
 * and its ICVs are the global ones. A task's parent is NULL as soon as that has ended. Undeferred
 * tasks are on the stack of the thread that met them, and have no function stored.
 */
#ifndef OMPD_GOMP_TASK_H
#define OMPD_GOMP_TASK_H

#include "ompd/gomp/team.h"

struct gomp_task {
	uint64_t address; /* 0: an initial task without a record                                */
	uint64_t team;    /* gomp_team of its region, which its record does not tell; 0: none    */
	enum gomp_task_kind kind;
	uint64_t parent, taskgroup, dependers, taskwait, unmet;
	uint64_t completion; /* address of the semaphore that its event posts; 0: none          */
	int32_t priority;
	uint64_t fn, fn_data; /* fn 0: not known */
	bool final;
	bool awaited; /* its parent waits for it, or has: a dependence of what it creates next */
	uint8_t icv[GOMP_ICV_SIZE];
	uint8_t children[GOMP_QUEUE_SIZE]; /* its children_queue, see queue.h */
};

struct ompd_task_handle {
	struct gomp_handle head;
	struct gomp_task task;
	uint64_t via; /* gomp_thread from which it was reached */
};

/* Where it waits, by its own flags. */
struct gomp_task_waits {
	bool in_taskwait, in_depend_wait, in_taskgroup;
	uint64_t taskgroup_children; /* in_taskgroup: unfinished tasks of that taskgroup */
};

struct gomp_taskgroup {
	bool in_wait;
	uint64_t num_children;
	uint8_t queue[GOMP_QUEUE_SIZE];
};

/* UNAVAILABLE: there is no gomp_task at that address. */
ompd_rc_t gomp_task_read(const ompd_address_space_handle_t *space, uint64_t address,
			 struct gomp_task *ret);
struct gomp_task_waits gomp_task_read_waits(const ompd_address_space_handle_t *space,
					    const struct gomp_task *task);
ompd_rc_t gomp_task_read_taskgroup(const ompd_address_space_handle_t *space, uint64_t address,
				   struct gomp_taskgroup *ret);

/* The task that a thread executes, with its team. UNAVAILABLE: the thread is idle. */
ompd_rc_t gomp_task_of_handle(ompd_thread_handle_t *thread, struct gomp_task *ret);
/* The task that made a task, with its team. UNAVAILABLE: it has ended, or there is none. */
ompd_rc_t gomp_task_parent(const ompd_address_space_handle_t *space, const struct gomp_task *task,
			   struct gomp_task *ret);

/*
 * The task that the thread has suspended for this one, which it executes. UNAVAILABLE: it has
 * suspended none. UNSUPPORTED: that stands on its stack only.
 */
ompd_rc_t gomp_task_suspended_for(const ompd_task_handle_t *task, struct gomp_task *ret);

/*
 * The address of the task that waits, or will wait, at the end of the taskgroup that a task is in.
 * 0: not known, as a task between them has ended.
 */
uint64_t gomp_task_group_owner(const ompd_address_space_handle_t *space,
			       const struct gomp_task *task);

ompd_rc_t gomp_task_new_handle(ompd_address_space_handle_t *space, const struct gomp_task *task,
			       uint64_t via, ompd_task_handle_t **ret);

#endif
