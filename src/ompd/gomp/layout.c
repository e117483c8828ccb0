/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/layout.h"

/* GCC 6 on: a task has three nodes { next, prev }, of its team, its parent, its taskgroup. */
#define NODES_AT(pnode)                                                                            \
	{                                                                                          \
		.next = { (pnode), (pnode) + 16, (pnode) + 32 }, .bias = {                         \
			(pnode),                                                                   \
			(pnode) + 16,                                                              \
			(pnode) + 32                                                               \
		}                                                                                  \
	}

#define TEAM(release)                                                                              \
	{                                                                                          \
		.master_release = (release), .ordered_release = (release) + 8, .task_count = 1320, \
		.queued = 1324, .running = 1328, .cancelled = 1336, .implicit_task = 1344          \
	}

#define TASKGROUP_6                                                                                \
	{                                                                                          \
		.in_wait = 40, .sem = 44, .num_children = 48                                       \
	}
#define TASKGROUP_9                                                                                \
	{                                                                                          \
		.in_wait = 48, .sem = 52, .num_children = 56                                       \
	}
#define TASKWAIT_6                                                                                 \
	{                                                                                          \
		.sem = 16                                                                          \
	}

#define THREAD_4                                                                                   \
	{                                                                                          \
		.task = 80, .release = 88, .pool = 96, .size = 104                                 \
	}
#define THREAD_12                                                                                  \
	{                                                                                          \
		.task = 88, .release = 96, .pool = 104, .size = 120, .num_teams = 112,             \
		.team_num = 116, .allocator = 64                                                   \
	}
#define TASK_6                                                                                     \
	{                                                                                          \
		.taskgroup = 40, .dependers = 48, .taskwait = 64, .depend_count = 72,              \
		.num_dependees = 80, .priority = 88, .icv = 144, .fn = 184, .fn_data = 192,        \
		.kind = 200, .final = 205, .size = 208                                             \
	}
#define TASK_11                                                                                    \
	{                                                                                          \
		.taskgroup = 40, .dependers = 48, .taskwait = 64, .depend_count = 72,              \
		.num_dependees = 80, .completion = 88, .deferred = 96, .priority = 100,            \
		.icv = 152, .fn = 192, .fn_data = 200, .kind = 208, .final = 213, .size = 216      \
	}

/*
 * GCC 9 to 16: from "ptype /o" on objects compiled from each release's sources. 6 to 8: as 9 but
 * for gomp_taskgroup, by their headers. 4.9 and 5: by the header of 4.9.
 */
static const struct gomp_layout layouts[] = {
	{
		.least = 4,
		.most = 5,
		.thread = THREAD_4,
		.team = { .master_release = 72,
			  .ordered_release = 80,
			  .task_count = 1296,
			  .queued = 1300,
			  .running = 1304,
			  .cancelled = 1312,
			  .implicit_task = 1320 },
		.task = { .taskgroup = 64,
			  .dependers = 72,
			  .taskwait = 88,
			  .depend_count = 96,
			  .num_dependees = 104,
			  .icv = 112,
			  .fn = 152,
			  .fn_data = 160,
			  .kind = 168,
			  .final = 173,
			  .size = 176 },
		.taskgroup = { .in_wait = 16, .sem = 20, .num_children = 24 },
		.taskwait = { .sem = 24 },
		.links = { .next = { 32, 16, 48 } },
	},
	{
		.least = 6,
		.most = 8,
		.thread = THREAD_4,
		.team = TEAM(72),
		.task = TASK_6,
		.taskgroup = TASKGROUP_6,
		.taskwait = TASKWAIT_6,
		.priorities = true,
		.links = NODES_AT(96),
	},
	{
		.least = 9,
		.most = 10,
		.thread = THREAD_4,
		.team = TEAM(72),
		.task = TASK_6,
		.taskgroup = TASKGROUP_9,
		.taskwait = TASKWAIT_6,
		.priorities = true,
		.witness = "GOMP_taskgroup_reduction_register",
		.links = NODES_AT(96),
	},
	{
		.least = 11,
		.most = 11,
		.thread = { .task = 88, .release = 96, .pool = 104, .size = 112, .allocator = 64 },
		.team = TEAM(80),
		.task = TASK_11,
		.taskgroup = TASKGROUP_9,
		.taskwait = TASKWAIT_6,
		.priorities = true,
		.max_active_levels = true,
		.links = NODES_AT(104),
	},
	{
		.least = 12,
		.most = 12,
		.thread = THREAD_12,
		.team = TEAM(80),
		.task = TASK_11,
		.taskgroup = TASKGROUP_9,
		.taskwait = TASKWAIT_6,
		.priorities = true,
		.max_active_levels = true,
		.links = NODES_AT(104),
	},
	{
		.least = 13,
		.most = 16,
		.thread = THREAD_12,
		.team = TEAM(80),
		.task = { .taskgroup = 40,
			  .dependers = 48,
			  .taskwait = 64,
			  .depend_count = 80,
			  .num_dependees = 88,
			  .completion = 96,
			  .deferred = 104,
			  .priority = 108,
			  .icv = 160,
			  .fn = 200,
			  .fn_data = 208,
			  .kind = 216,
			  .final = 221,
			  .size = 224 },
		.taskgroup = TASKGROUP_9,
		.taskwait = TASKWAIT_6,
		.priorities = true,
		.max_active_levels = true,
		.links = NODES_AT(112),
	},
};

const struct gomp_layout *gomp_layout_get(size_t n)
{
	return n < sizeof(layouts) / sizeof(layouts[0]) ? &layouts[n] : NULL;
}

static int32_t present(uint8_t offset)
{
	return offset ? offset : GOMP_NO_FACT;
}

int32_t gomp_layout_fact(const struct gomp_layout *l, enum gomp_fact fact)
{
	const int32_t at[GOMP_NUM_FACTS] = {
		[GOMP_FACT_TEAM] = GOMP_THREAD_TS + GOMP_TS_TEAM,
		[GOMP_FACT_TEAM_ID] = GOMP_THREAD_TS + GOMP_TS_TEAM_ID,
		[GOMP_FACT_LEVEL] = GOMP_THREAD_TS + GOMP_TS_LEVEL,
		[GOMP_FACT_ACTIVE_LEVEL] = GOMP_THREAD_TS + GOMP_TS_ACTIVE_LEVEL,
		[GOMP_FACT_NTHREADS] = GOMP_TEAM_NTHREADS,
		[GOMP_FACT_PREV_TEAM_ID] = GOMP_TEAM_PREV_TS + GOMP_TS_TEAM_ID,
		[GOMP_FACT_TASK] = l->thread.task,
		[GOMP_FACT_FINAL] = l->task.final,
		[GOMP_FACT_ICV] = l->task.icv + GOMP_ICV_NTHREADS,
		[GOMP_FACT_DYN] = l->task.icv + GOMP_ICV_DYN,
		[GOMP_FACT_THREAD_LIMIT] = l->task.icv + GOMP_ICV_THREAD_LIMIT,
		[GOMP_FACT_MAX_ACTIVE_LEVELS] =
			l->max_active_levels ? l->task.icv + GOMP_ICV_LEVELS : GOMP_NO_FACT,
		[GOMP_FACT_NUM_TEAMS] = present(l->thread.num_teams),
		[GOMP_FACT_TEAM_NUM] = present(l->thread.team_num),
		[GOMP_FACT_ALLOCATOR] = present(l->thread.allocator),
	};

	return at[fact];
}
