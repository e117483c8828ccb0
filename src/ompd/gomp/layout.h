/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Layout: where libgomp's structures keep what: one row for each class of releases.
 *
 * All numbers are bytes from the start of a structure, on x86-64 Linux. What has been the same in
 * all releases is in the enums, the rest is in the table. What a structure means is told by
 * libgomp.h of GCC's sources; the structures are named as there: gomp_thread, gomp_team, gomp_task,
 * gomp_taskgroup, ...
 */
#ifndef OMPD_GOMP_LAYOUT_H
#define OMPD_GOMP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* gomp_thread: in thread-local storage, one for each thread of the process. */
enum {
	GOMP_THREAD_FN = 0,
	GOMP_THREAD_DATA = 8,
	GOMP_THREAD_TS = 16, /* a gomp_team_state */
	GOMP_THREAD_MAX = 120,
};

/* gomp_team_state: of a thread now, and in a team of the thread that made it (prev_ts). */
enum {
	GOMP_TS_TEAM = 0,
	GOMP_TS_WORK_SHARE = 8,
	GOMP_TS_LAST_WORK_SHARE = 16,
	GOMP_TS_TEAM_ID = 24,
	GOMP_TS_LEVEL = 28,
	GOMP_TS_ACTIVE_LEVEL = 32,
};

enum {
	GOMP_TEAM_NTHREADS = 0,
	GOMP_TEAM_PREV_TS = 8,
	GOMP_TEAM_BARRIER = 128,
	GOMP_TEAM_TASK_LOCK = 1280,
	GOMP_TEAM_TASK_QUEUE = 1288,
	GOMP_TEAM_MAX = 1344,
};

enum {
	GOMP_BARRIER_TOTAL = 0,
	GOMP_BARRIER_GENERATION = 4, /* what threads wait at */
	GOMP_BARRIER_AWAITED = 64,
	GOMP_BARRIER_AWAITED_FINAL = 68,
};

/* The low bits of a generation; it rises by 8. */
enum {
	GOMP_BARRIER_TASK_PENDING = 1,
	GOMP_BARRIER_WAITING_FOR_TASK = 2,
	GOMP_BARRIER_CANCELLED = 4
};

enum {
	GOMP_POOL_THREADS = 0,
	GOMP_POOL_LAST_TEAM = 16,
	GOMP_POOL_DOCK = 64, /* a barrier */
	GOMP_POOL_READ = 24, /* bytes that are of interest */
};

/* What a work share says of its schedule. */
enum {
	GOMP_SCHED_RUNTIME,
	GOMP_SCHED_STATIC,
	GOMP_SCHED_DYNAMIC,
	GOMP_SCHED_GUIDED,
	GOMP_SCHED_AUTO,
};
#define GOMP_SCHED_MONOTONIC UINT32_C(0x80000000)

enum {
	GOMP_WORK_SHARE_SCHED = 0,
	GOMP_WORK_SHARE_CHUNK = 8,
	GOMP_WORK_SHARE_END = 16,
	GOMP_WORK_SHARE_INCR = 24,
	GOMP_WORK_SHARE_ORDERED_IDS = 32,
	GOMP_WORK_SHARE_ORDERED_USED = 40,
	GOMP_WORK_SHARE_ORDERED_OWNER = 44,
	GOMP_WORK_SHARE_ORDERED_CUR = 48,
	GOMP_WORK_SHARE_LOCK = 64,
	GOMP_WORK_SHARE_DONE = 68, /* threads that have left it                             */
	GOMP_WORK_SHARE_NEXT_CHUNK = 72,
	GOMP_WORK_SHARE_NEXT = 80,
	GOMP_WORK_SHARE_READ = 52,
	GOMP_WORK_SHARE_ALL = 88,
};

/* gomp_task, and gomp_task_icv in it */
enum { GOMP_TASK_PARENT = 0, GOMP_TASK_CHILDREN = 8, GOMP_TASK_MAX = 224 };
enum {
	GOMP_ICV_NTHREADS = 0,
	GOMP_ICV_RUN_SCHED = 8,
	GOMP_ICV_CHUNK = 12,
	GOMP_ICV_DEVICE = 16,
	GOMP_ICV_THREAD_LIMIT = 20,
	GOMP_ICV_DYN = 24,
	GOMP_ICV_LEVELS = 25, /* nest_var or max_active_levels_var, see the row */
	GOMP_ICV_BIND = 26,
	GOMP_ICV_SIZE = 40,
};

enum { GOMP_TASKGROUP_QUEUE = 8, GOMP_TASKGROUP_MAX = 64 };
enum { GOMP_TASKWAIT_IN_TASKWAIT = 0, GOMP_TASKWAIT_IN_DEPEND = 1 };

/* omp_nest_lock_t of OpenMP 3.0 and later */
enum { GOMP_NEST_LOCK = 0, GOMP_NEST_COUNT = 4, GOMP_NEST_OWNER = 8, GOMP_NEST_SIZE = 16 };

enum { GOMP_QUEUE_SIZE = 32 }; /* bytes of a priority_queue */
enum gomp_queue { GOMP_QUEUE_TEAM, GOMP_QUEUE_CHILDREN, GOMP_QUEUE_TASKGROUP, GOMP_NUM_QUEUES };

struct gomp_layout {
	uint8_t least, most; /* major versions of GCC */

	struct {
		uint8_t task, release, pool, size;
		uint8_t num_teams, team_num; /* 0: not here                    */
		uint8_t allocator;           /* def_allocator; 0: not here     */
	} thread;
	struct {
		uint16_t master_release, ordered_release;
		uint16_t task_count, queued, running, cancelled;
		uint16_t implicit_task; /* the array at the end */
	} team;
	struct {
		uint16_t taskgroup, dependers, taskwait, depend_count, num_dependees;
		uint16_t completion; /* completion_sem or detach_team; 0: not here        */
		uint16_t deferred;   /* deferred_p: it is detach_team; 0: not here        */
		uint16_t priority;   /* 0: not here                                       */
		uint16_t icv, fn, fn_data, kind, final;
		uint16_t size;
	} task;
	struct {
		uint8_t in_wait, sem, num_children;
	} taskgroup;
	uint8_t taskwait_sem;
	bool priorities;        /* queues are priority_queues                            */
	bool max_active_levels; /* an ICV of each task; else nest_var is, and it is global */
	const char
		*witness; /* a function that came with it, in every program that uses tasks; NULL */
	/*
	 * How tasks are linked in the three kinds of queues: where in a task the link is. With
	 * priorities (GCC 6 on) a queue is a priority_queue, and links go from node to node, which
	 * are in the tasks: { next, prev }; before, a queue is the first task, and links go from
	 * task to task.
	 */
	uint16_t links[GOMP_NUM_QUEUES];
};

/* What the code of accessors tells, see facts.h; a layout must agree with all of it. */
enum gomp_fact {
	GOMP_FACT_TEAM,
	GOMP_FACT_TEAM_ID,
	GOMP_FACT_LEVEL,
	GOMP_FACT_ACTIVE_LEVEL,
	GOMP_FACT_NTHREADS,     /* in gomp_team              */
	GOMP_FACT_PREV_TEAM_ID, /* in gomp_team              */
	GOMP_FACT_TASK,
	GOMP_FACT_FINAL, /* in gomp_task, as the rest */
	GOMP_NUM_REQUIRED_FACTS,
	GOMP_FACT_ICV = GOMP_NUM_REQUIRED_FACTS,
	GOMP_FACT_DYN,
	GOMP_FACT_THREAD_LIMIT,
	GOMP_FACT_MAX_ACTIVE_LEVELS,
	GOMP_FACT_NUM_TEAMS, /* in gomp_thread again      */
	GOMP_FACT_TEAM_NUM,
	GOMP_FACT_ALLOCATOR,
	GOMP_NUM_FACTS,
};

enum { GOMP_NO_FACT = -1 };

/* Row number n; NULL: there are fewer. */
const struct gomp_layout *gomp_layout_get(size_t n);

/* Where a layout says that a fact is; GOMP_NO_FACT: it is not in a task or a thread. */
int32_t gomp_layout_fact(const struct gomp_layout *l, enum gomp_fact fact);

#endif
