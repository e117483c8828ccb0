/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_entries.h"

#include <string.h>

#include "base/text.h"
#include "target/code/call_site.h"

#define WAITS(name, what)                                                                          \
	{                                                                                          \
		name, .kind = what                                                                 \
	}
#define LOCKS(name, of, does)                                                                      \
	{                                                                                          \
		name, .kind = of, .effect = does, .object = 3                                      \
	}

/* Longer names before those that they begin with. */
const struct runtime_entry libomp_entries[] = {
	WAITS("__kmpc_barrier", WAIT_BARRIER),
	WAITS("__kmpc_cancel_barrier", WAIT_BARRIER),
	{ "__kmpc_fork_call", WAIT_REGION_END, .calls = SPAN_PARALLEL, .function = 3 },
	{ "__kmpc_fork_teams", WAIT_TEAMS, .calls = SPAN_TEAMS, .function = 3 },
	WAITS("__kmpc_end_serialized_parallel", WAIT_REGION_END),
	{ "__kmpc_omp_taskwait_deps", WAIT_DEPENDENCE, .point = POINT_TASKWAIT },
	{ "__kmpc_omp_taskwait", WAIT_TASKWAIT, .point = POINT_TASKWAIT },
	{ "__kmpc_omp_wait_deps", WAIT_DEPENDENCE, .point = POINT_TASKWAIT },
	{ "__kmpc_omp_task", .point = POINT_CREATION },
	{ "__kmpc_end_taskgroup", WAIT_TASKGROUP, .point = POINT_TASKGROUP },
	{ "__kmpc_taskloop", WAIT_TASKGROUP, .point = POINT_CREATION },
	LOCKS("__kmpc_critical", WAIT_CRITICAL, FLOW_TAKE),
	LOCKS("__kmpc_end_critical", WAIT_CRITICAL, FLOW_GIVE),
	LOCKS("__kmpc_set_lock", WAIT_LOCK, FLOW_TAKE),
	LOCKS("__kmpc_test_lock", WAIT_LOCK, FLOW_TRY),
	LOCKS("__kmpc_unset_lock", WAIT_LOCK, FLOW_GIVE),
	LOCKS("__kmpc_set_nest_lock", WAIT_NEST_LOCK, FLOW_TAKE),
	LOCKS("__kmpc_test_nest_lock", WAIT_NEST_LOCK, FLOW_TRY),
	LOCKS("__kmpc_unset_nest_lock", WAIT_NEST_LOCK, FLOW_GIVE),
	WAITS("__kmpc_ordered", WAIT_ORDERED),
	WAITS("__kmpc_doacross_wait", WAIT_DOACROSS),
	{ "__kmpc_reduce", WAIT_WORKSHARE_END, .calls = SPAN_CALLBACK },
	{ "__kmpc_end_reduce_nowait" },
	WAITS("__kmpc_end_reduce", WAIT_WORKSHARE_END),
	{ "__kmpc_copyprivate", WAIT_COPYPRIVATE, .calls = SPAN_CALLBACK },
	WAITS("__kmpc_atomic", WAIT_ATOMIC),
	/* In assembler: by it implicit tasks are called. */
	{ "__kmp_invoke_microtask", .calls = SPAN_PARALLEL, .internal = true },
	{ "__kmpc_" },
	{ "kmp_" },
	{ "kmpc_" },
	{ NULL },
};

/* LLVM's kmp.h, ident_t: a place in the source, and which kind of barrier is there. */
struct ident {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	uint64_t source;
};
enum {
	IDENT_KMPC = 0x02,
	IDENT_EXPLICIT_BARRIER = 0x20,
	IDENT_IMPLICIT_BARRIER = 0x40, /* of for; sections 0xc0, single 0x140 */
};

enum wait_kind libomp_entries_barrier(struct target *t, struct call_sites *calls, const char *api,
				      taddr return_address)
{
	struct ident ident;
	taddr at;

	if (!text_starts_with(api, "__kmpc_") ||
	    !call_site_argument(calls, return_address, 0, &at) ||
	    !memory_try_read(t->memory, at, &ident, sizeof(ident)) || !(ident.flags & IDENT_KMPC))
		return WAIT_BARRIER;
	if (ident.flags & IDENT_EXPLICIT_BARRIER)
		return WAIT_EXPLICIT_BARRIER;
	return ident.flags & IDENT_IMPLICIT_BARRIER ? WAIT_WORKSHARE_END : WAIT_BARRIER;
}

/* LLVM's kmp.h: kmp_task_t is { shareds, routine, part_id, ... }; a routine gets (gtid, task). */
enum { TASK_ROUTINE = 8, TASK_PART = 16 };

const struct user_call libomp_user_calls[] = {
	{ "__kmpc_fork_call*", SPAN_PARALLEL, .function = 3 },
	{ "__kmpc_fork_teams", SPAN_TEAMS, .function = 3 },
	{ "__kmpc_omp_task", SPAN_TASK, .task = 3, .routine = TASK_ROUTINE, .part = TASK_PART,
	  .passed = 2, .original = true },
	{ "__kmpc_omp_task_with_deps", SPAN_TASK, .task = 3, .routine = TASK_ROUTINE,
	  .part = TASK_PART, .passed = 2, .original = true },
	{ "__kmpc_taskloop*", SPAN_TASK, .task = 3, .routine = TASK_ROUTINE, .passed = 2 },
	{ NULL },
};
