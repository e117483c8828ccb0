/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/layout.h"

#define TEAM(release, count)                                                                       \
	{                                                                                          \
		.master_release = (release), .ordered_release = (release) + 8,                     \
		.task_count = (count), .queued = (count) + 4, .running = (count) + 8,              \
		.cancelled = (count) + 16, .implicit_task = (count) + 24                           \
	}

#define TASKGROUP(wait)                                                                            \
	{                                                                                          \
		.in_wait = (wait), .sem = (wait) + 4, .num_children = (wait) + 8                   \
	}

#define THREAD_4                                                                                   \
	{                                                                                          \
		.task = 80, .release = 88, .pool = 96, .size = 104                                 \
	}
#define THREAD_11                                                                                  \
	{                                                                                          \
		.task = 88, .release = 96, .pool = 104, .size = 112, .allocator = 64               \
	}
#define THREAD_12                                                                                  \
	{                                                                                          \
		.task = 88, .release = 96, .pool = 104, .size = 120, .num_teams = 112,             \
		.team_num = 116, .allocator = 64                                                   \
	}

/* What follows the ICVs of a task is the same in all releases. */
#define ICV(at)                                                                                    \
	.icv = (at), .fn = (at) + 40, .fn_data = (at) + 48, .kind = (at) + 56, .final = (at) + 61, \
	.size = (at) + 64
#define TASK_4                                                                                     \
	{                                                                                          \
		.taskgroup = 64, .dependers = 72, .taskwait = 88, .depend_count = 96,              \
		.num_dependees = 104, ICV(112)                                                     \
	}
#define TASK_6                                                                                     \
	{                                                                                          \
		.taskgroup = 40, .dependers = 48, .taskwait = 64, .depend_count = 72,              \
		.num_dependees = 80, .priority = 88, ICV(144)                                      \
	}
#define TASK_11                                                                                    \
	{                                                                                          \
		.taskgroup = 40, .dependers = 48, .taskwait = 64, .depend_count = 72,              \
		.num_dependees = 80, .completion = 88, .deferred = 96, .priority = 100, ICV(152)   \
	}
#define TASK_13                                                                                    \
	{                                                                                          \
		.taskgroup = 40, .dependers = 48, .taskwait = 64, .depend_count = 80,              \
		.num_dependees = 88, .completion = 96, .deferred = 104, .priority = 108, ICV(160)  \
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
		.team = TEAM(72, 1296),
		.task = TASK_4,
		.taskgroup = TASKGROUP(16),
		.taskwait_sem = 24,
		.links = { 32, 16, 48 },
	},
	{
		.least = 6,
		.most = 8,
		.thread = THREAD_4,
		.team = TEAM(72, 1320),
		.task = TASK_6,
		.taskgroup = TASKGROUP(40),
		.taskwait_sem = 16,
		.priorities = true,
		.links = { 96, 112, 128 },
	},
	{
		.least = 9,
		.most = 10,
		.thread = THREAD_4,
		.team = TEAM(72, 1320),
		.task = TASK_6,
		.taskgroup = TASKGROUP(48),
		.taskwait_sem = 16,
		.priorities = true,
		.witness = "GOMP_taskgroup_reduction_register",
		.links = { 96, 112, 128 },
	},
	{
		.least = 11,
		.most = 11,
		.thread = THREAD_11,
		.team = TEAM(80, 1320),
		.task = TASK_11,
		.taskgroup = TASKGROUP(48),
		.taskwait_sem = 16,
		.priorities = true,
		.max_active_levels = true,
		.links = { 104, 120, 136 },
	},
	{
		.least = 12,
		.most = 12,
		.thread = THREAD_12,
		.team = TEAM(80, 1320),
		.task = TASK_11,
		.taskgroup = TASKGROUP(48),
		.taskwait_sem = 16,
		.priorities = true,
		.max_active_levels = true,
		.links = { 104, 120, 136 },
	},
	{
		.least = 13,
		.most = 16,
		.thread = THREAD_12,
		.team = TEAM(80, 1320),
		.task = TASK_13,
		.taskgroup = TASKGROUP(48),
		.taskwait_sem = 16,
		.priorities = true,
		.max_active_levels = true,
		.links = { 112, 128, 144 },
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
