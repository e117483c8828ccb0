/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Gomp_extra: what libgomp's memory tells beyond OMPD. Not exported by libompd-gomp.so: for ompdb,
 * which has the provider built in. All functions take handles of the provider and return OMPD's
 * codes.
 */
#ifndef OMPD_GOMP_GOMP_EXTRA_H
#define OMPD_GOMP_GOMP_EXTRA_H

#include <stdbool.h>
#include <stdint.h>

#include "ompd/client/ompd_abi.h"
#include "ompd/gomp/types.h"

/* Which libgomp it is. */
ompd_rc_t gomp_extra_release(ompd_address_space_handle_t *space, struct gomp_release *ret);

/* Where each thread has what it says of itself: bytes, on x86-64. */
struct gomp_own {
	int64_t state;          /* of its gomp_team_state, from the thread pointer     */
	uint32_t number, level; /* in that, of 4 bytes                              */
	uint32_t team;          /* in that: the address of its team; 0: none        */
	uint32_t team_size;     /* in a team, of 4 bytes                            */
};
ompd_rc_t gomp_extra_own(ompd_address_space_handle_t *space, struct gomp_own *ret);

/* What an address is that a thread waits at, in a futex call or a loop. */
enum gomp_place {
	GOMP_PLACE_OTHER, /* none of the runtime's: a lock of the user's, or of another thread   */
	GOMP_PLACE_DOCK,  /* pool: idle until the next region                                    */
	GOMP_PLACE_BARRIER,  /* of a team, see barrier below  */
	GOMP_PLACE_TASKWAIT, /* the current task waits for its children, or for dependences */
	GOMP_PLACE_TASKGROUP,
	GOMP_PLACE_ORDERED,   /* its own turn   */
	GOMP_PLACE_TASK_LOCK, /* short internal locks: of the team's tasks, of a worksharing
				 construct */
	GOMP_PLACE_WORK_SHARE,
	GOMP_PLACE_DEFAULT_LOCK, /* of the unnamed critical */
	GOMP_PLACE_ATOMIC_LOCK,
	GOMP_PLACE_COMPLETION, /* GCC 11 on: an undeferred detachable task's event */
};

struct gomp_location {
	enum gomp_place place;
	uint64_t team; /* of DOCK: the pool; of BARRIER and below: the team they belong to; 0: none
			*/
	bool depend;   /* TASKWAIT: for dependences (in_depend_wait)                       */
};
ompd_rc_t gomp_extra_locate(ompd_thread_handle_t *thread, uint64_t address,
			    struct gomp_location *ret);

/* A thread now. One that is idle in the pool keeps pointers to what has ended: they are not told.
 */
struct gomp_thread_facts {
	uint64_t gomp_thread, team, task, pool; /* addresses; 0: none                        */
	bool idle;                              /* it waits in the pool for the next region  */
	uint32_t number, level, active_level;
	uint64_t work_share;
	uint64_t function, data; /* what the thread runs last (fn, data)      */
};
ompd_rc_t gomp_extra_thread(ompd_thread_handle_t *thread, struct gomp_thread_facts *ret);

/* The barrier of a team. */
struct gomp_barrier {
	uint64_t address;        /* of the team                              */
	uint32_t total, arrived; /* threads; at another barrier than the region's end */
	uint32_t arrived_final;  /* at the region's end                      */
	uint32_t generation;     /* rises with each barrier that is through  */
	bool final;              /* some have arrived at the region's end    */
	bool tasks_pending, waiting_for_tasks, cancelled;
	uint32_t task_count, queued, running;
};
ompd_rc_t gomp_extra_barrier(ompd_parallel_handle_t *parallel, struct gomp_barrier *ret);
/* The address that identifies a region or a task, for people and for finding it again. */
uint64_t gomp_extra_parallel_address(const ompd_parallel_handle_t *parallel);
uint64_t gomp_extra_task_address(const ompd_task_handle_t *task);

enum { GOMP_TASK_DEPENDS_MAX = 16 };

struct gomp_task_facts {
	uint64_t address;
	enum gomp_task_kind kind;
	uint64_t parent;   /* 0: it has ended, or the initial task      */
	uint64_t function; /* 0: unknown, as for IMPLICIT and UNDEFERRED */
	uint64_t data;
	int64_t priority;
	uint64_t unmet;                            /* dependences that are not met yet          */
	uint64_t waits_for[GOMP_TASK_DEPENDS_MAX]; /* tasks that this one depends on, as far as
						      known */
	uint32_t nwaits_for;
	uint64_t taskgroup;                                  /* address; 0: none */
	bool in_taskwait, in_depend_wait, in_taskgroup_wait; /* it waits there, by its own flags */
	uint32_t taskgroup_children; /* unfinished tasks of the taskgroup it waits in           */
};
/* One task. What it depends on is not told: that takes gomp_extra_tasks(). */
ompd_rc_t gomp_extra_task(ompd_task_handle_t *task, struct gomp_task_facts *ret);

/*
 * Every task that can be found from a region: implicit tasks, queued ones, children of those found,
 * tasks that depend on them. Calls "found" until it returns false; each task once. At most "most"
 * tasks. INCOMPLETE: memory changed underneath, or there were more.
 */
ompd_rc_t gomp_extra_tasks(ompd_parallel_handle_t *parallel, uint32_t most,
			   bool (*found)(void *context, const struct gomp_task_facts *task),
			   void *context);

/* What a task has named when it was created; the numbers are libgomp's. */
enum { GOMP_DEPEND_OUT, GOMP_DEPEND_IN, GOMP_DEPEND_INOUTSET };
struct gomp_depend {
	uint64_t object; /* 0: omp_all_memory                                             */
	uint8_t kind;
	bool superseded; /* nobody waits for it any more: a later one has named the object  */
};
/* At most "most"; *ret_n: how many. INCOMPLETE: there are more. */
ompd_rc_t gomp_extra_depends(ompd_parallel_handle_t *parallel, uint64_t task,
			     struct gomp_depend *ret, uint32_t most, uint32_t *ret_n);

/*
 * The task that was suspended on this thread when it began to execute the given explicit task
 * there: in a taskwait the parent, in a taskgroup the one that waits for that taskgroup, in a
 * barrier the implicit task of the thread. 0: not known.
 */
enum gomp_scheduling_point {
	GOMP_POINT_UNDEFERRED,
	GOMP_POINT_TASKWAIT,
	GOMP_POINT_TASKGROUP,
	GOMP_POINT_BARRIER
};
uint64_t gomp_extra_suspended(ompd_thread_handle_t *thread, uint64_t task,
			      enum gomp_scheduling_point point);

/* Whose turn it is in the ordered loop that this thread is in; false: not known. */
bool gomp_extra_ordered_turn(ompd_thread_handle_t *thread, uint32_t *ret_number);

/* The worksharing construct that a thread is in or was in last, as the runtime keeps it. */
struct gomp_work_share {
	uint64_t address;
	uint32_t schedule; /* GOMP_SCHED_* in layout.h                                  */
	bool monotonic;
	uint64_t chunk, end, increment, next; /* of loops; dynamic chunks are times increment   */
	bool entered; /* it has not been left: but for that which came with the region, of which
			 that is not told                                                 */
};

/*
 * That of the region which the thread is in; or, "inner" given, of the one around that, where the
 * thread must be the one that made it. UNAVAILABLE: there is none.
 */
ompd_rc_t gomp_extra_work_share(ompd_thread_handle_t *thread, const ompd_parallel_handle_t *inner,
				struct gomp_work_share *ret);

/* The task that holds a nest lock (omp_nest_lock_t), and how often. UNAVAILABLE: it is free. */
ompd_rc_t gomp_extra_nest_lock(ompd_address_space_handle_t *space, uint64_t lock,
			       uint64_t *ret_task, uint32_t *ret_count);

#endif
