/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp_entries.h"

#define WAITS(name, what)                                                                          \
	{                                                                                          \
		name, .kind = what                                                                 \
	}
#define LOCKS(name, of, does)                                                                      \
	{                                                                                          \
		name, .kind = of, .effect = does, .object = 1                                      \
	}

/* Longer names before those that they begin with. */
const struct runtime_entry libgomp_entries[] = {
	WAITS("GOMP_barrier", WAIT_BARRIER),
	{ "GOMP_parallel_loop", WAIT_REGION_END, .calls = SPAN_PARALLEL, .function = 1,
	  .construct = "parallel for" },
	{ "GOMP_parallel_sections", WAIT_REGION_END, .calls = SPAN_PARALLEL, .function = 1,
	  .construct = "parallel sections" },
	{ "GOMP_parallel", WAIT_REGION_END, .calls = SPAN_PARALLEL, .function = 1 },
	{ "GOMP_teams", WAIT_TEAMS, .calls = SPAN_TEAMS },
	{ "GOMP_target", .calls = SPAN_TARGET },
	{ "GOMP_taskwait_depend", WAIT_DEPENDENCE, .point = POINT_TASKWAIT },
	{ "GOMP_taskwait", WAIT_TASKWAIT, .point = POINT_TASKWAIT },
	{ "GOMP_taskgroup_end", WAIT_TASKGROUP, .point = POINT_TASKGROUP },
	{ "GOMP_taskgroup_reduction", .point = POINT_TASKGROUP },
	{ "GOMP_taskgroup", WAIT_DEPENDENCE, .point = POINT_TASKGROUP },
	{ "GOMP_taskloop", WAIT_TASKGROUP, .point = POINT_CREATION, .function = 1 },
	{ "GOMP_task", WAIT_DEPENDENCE, .point = POINT_CREATION },
	LOCKS("GOMP_critical_name_start", WAIT_CRITICAL, FLOW_TAKE),
	LOCKS("GOMP_critical_name_end", WAIT_CRITICAL, FLOW_GIVE),
	{ "GOMP_critical_start", WAIT_CRITICAL, .effect = FLOW_TAKE },
	{ "GOMP_critical_end", WAIT_CRITICAL, .effect = FLOW_GIVE },
	WAITS("GOMP_atomic_start", WAIT_ATOMIC),
	WAITS("GOMP_ordered_start", WAIT_ORDERED),
	WAITS("GOMP_doacross_wait", WAIT_DOACROSS),
	WAITS("GOMP_doacross_ull_wait", WAIT_DOACROSS),
	WAITS("GOMP_single_copy", WAIT_COPYPRIVATE),
	WAITS("GOMP_loop_end", WAIT_WORKSHARE_END),
	WAITS("GOMP_sections_end", WAIT_WORKSHARE_END),
	WAITS("GOMP_workshare_task_reduction", WAIT_WORKSHARE_END),
	LOCKS("omp_set_lock", WAIT_LOCK, FLOW_TAKE),
	LOCKS("omp_test_lock", WAIT_LOCK, FLOW_TRY),
	LOCKS("omp_unset_lock", WAIT_LOCK, FLOW_GIVE),
	LOCKS("omp_set_nest_lock", WAIT_NEST_LOCK, FLOW_TAKE),
	LOCKS("omp_test_nest_lock", WAIT_NEST_LOCK, FLOW_TRY),
	LOCKS("omp_unset_nest_lock", WAIT_NEST_LOCK, FLOW_GIVE),
	{ "GOMP_" },
	{ "omp_" },
	{ NULL },
};

/*
 * libgomp.h and libgomp_g.h of GCC. GOMP_parallel_start and its kin only begin a team: the program
 * calls the function itself.
 */
const struct user_call libgomp_user_calls[] = {
	{ "GOMP_parallel_start" },
	{ "GOMP_parallel_end" },
	{ "GOMP_parallel*", SPAN_PARALLEL, .function = 1, .data = 2, .passed = 1 },
	{ "GOMP_teams_reg", SPAN_TEAMS, .function = 1, .data = 2, .passed = 1 },
	{ "GOMP_target", SPAN_TARGET, .function = 2 },
	{ "GOMP_target_ext", SPAN_TARGET, .function = 2 },
	{ "GOMP_task", SPAN_TASK, .function = 1, .data = 2, .copier = 3, .passed = 1 },
	{ "GOMP_taskloop*", SPAN_TASK, .function = 1, .data = 2, .copier = 3, .passed = 1 },
	{ NULL },
};
