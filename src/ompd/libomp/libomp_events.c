/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_events.h"

#include <stddef.h>
#include <string.h>

#include "ompd/picture/event_values.h"
#include "target/process/memory.h"

/* ident_t, kmp.h: what a loop's place in the source belongs to. */
enum { IDENT_SECTIONS = 0x400, IDENT_DISTRIBUTE = 0x800 };
/* kmp_task_t: the code, and which part of an untied task is next. */
enum { TASK_CODE = 8, TASK_PART = 16 };

#define CODE_OF_TASK POINTED(3, 8, false, TASK_CODE, 0)

/* What the runtime calls on its own behalf is none of the program's. */
#define CALL(what, name)   .event = (what), .function = (name), .caller = CALLED_BY_PROGRAM
#define RETURN(what, name) CALL(what, name), .when = WHEN_RETURNED

#define CREATE(name)                                                                               \
	{                                                                                          \
		CALL(EVENT_TASK_CREATE, name), .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK }   \
	}

#define LOCK(name, object, ending)                                                                 \
	{ RETURN(EVENT_LOCK_INIT, "omp_init_" name ending "|omp_init_" name "_with_hint" ending),  \
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                        \
		{ CALL(EVENT_LOCK_DESTROY, "omp_destroy_" name ending),                            \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ CALL(EVENT_LOCK_ENTER, "omp_set_" name ending "|omp_test_" name ending),         \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ RETURN(EVENT_LOCK_ACQUIRED, "omp_set_" name ending),                             \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ RETURN(EVENT_LOCK_ACQUIRED, "omp_test_" name ending), .test = RESULT(4),         \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
	{                                                                                          \
		CALL(EVENT_LOCK_RELEASED, "omp_unset_" name ending), .facts = {                    \
			[EVENT_FACT_OBJECT] = ARGUMENT(1)                                          \
		}                                                                                  \
	}

/* place, thread, schedule, last, lower, upper: written to; "sections" are loops, too. */
#define STATIC(name, bytes, sign)                                                                  \
	{ CALL(EVENT_LOOP_BEGIN, name), .test = POINTED(1, 4, false, 4, 0),                        \
	  .bits = IDENT_SECTIONS | IDENT_DISTRIBUTE, .not = true,                                  \
	  .facts = { [EVENT_FACT_SCHEDULE] = ARGUMENT_UINT(3),                                     \
		     [EVENT_FACT_BEGIN] = POINTED(5, bytes, sign, 0, 0),                           \
		     [EVENT_FACT_END] = POINTED(6, bytes, sign, 0, 1) } },                         \
	{                                                                                          \
		RETURN(EVENT_LOOP_CHUNK, name),                                                    \
			.test = POINTED(1, 4, false, 4, 0),                                        \
			.bits = IDENT_SECTIONS | IDENT_DISTRIBUTE, .not = true,                    \
			.facts = { [EVENT_FACT_SCHEDULE] = ARGUMENT_UINT(3),                       \
				   [EVENT_FACT_BEGIN] = POINTED(5, bytes, sign, 0, 0),             \
				   [EVENT_FACT_END] = POINTED(6, bytes, sign, 0, 1) },             \
			.note = "of a static loop the first chunk of each thread", .omits = true   \
	}

/* place, thread, schedule, lower, upper, step, chunk; place, thread, last, lower, upper, step. */
#define DYNAMIC(kind, bytes, sign)                                                                 \
	{ CALL(EVENT_LOOP_BEGIN, "__kmpc_dispatch_init_" kind),                                    \
	  .facts = { [EVENT_FACT_SCHEDULE] = ARGUMENT_UINT(3),                                     \
		     [EVENT_FACT_BEGIN] = { VALUE_ARGUMENT, 4, false, bytes, sign, 0, 0 },         \
		     [EVENT_FACT_END] = { VALUE_ARGUMENT, 5, false, bytes, sign, 0, 1 },           \
		     [EVENT_FACT_CHUNK] = { VALUE_ARGUMENT, 7, false, bytes, sign, 0, 0 } } },     \
		{ RETURN(EVENT_LOOP_CHUNK, "__kmpc_dispatch_next_" kind), .test = RESULT(4),       \
		  .facts = { [EVENT_FACT_BEGIN] = POINTED(4, bytes, sign, 0, 0),                   \
			     [EVENT_FACT_END] = POINTED(5, bytes, sign, 0, 1) } },                 \
	{                                                                                          \
		RETURN(EVENT_LOOP_END, "__kmpc_dispatch_next_" kind), .test = RESULT(4),           \
								      .not = true,                 \
	}

#define BARRIER(name)                                                                              \
	{ CALL(EVENT_BARRIER_ENTER, name) }, { CALL(EVENT_BARRIER_ALL_ARRIVED, name) },            \
	{                                                                                          \
		RETURN(EVENT_BARRIER_EXIT, name)                                                   \
	}

#define CODE_OF_REGION(what, end)                                                                  \
	.event = (what), .function = "__kmpc_fork_call|__kmpc_fork_call_if", .when = (end),        \
	.caller = CALLED_BY_RUNTIME, .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(3) }
#define CODE_OF_TASKS(what, end)                                                                   \
	.event = (what), .function = "__kmpc_omp_task_alloc", .when = (end),                       \
	.caller = CALLED_BY_RUNTIME, .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(6) }

static const char *const depend_kinds[LIBOMP_DEPEND_MASK + 1] = {
	[LIBOMP_DEPEND_IN] = "in",
	[LIBOMP_DEPEND_OUT] = "out",
	[LIBOMP_DEPEND_IN | LIBOMP_DEPEND_OUT] = "out",
	[LIBOMP_DEPEND_MUTEX] = "mutexinoutset",
	[LIBOMP_DEPEND_SET] = "inoutset",
};

const char *libomp_events_depend_kind(uint8_t flags)
{
	return depend_kinds[flags & LIBOMP_DEPEND_MASK];
}

uint8_t libomp_events_depend_flag(const char *kind)
{
	for (uint8_t i = 1; kind && i <= LIBOMP_DEPEND_MASK; i++) {
		if (depend_kinds[i] &&
		    !strcmp(depend_kinds[i], strcmp(kind, "inout") ? kind : "out"))
			return i;
	}
	return 0;
}

/* kmp.h: kmp_depend_info_t: address, length, a byte of flags. */
static uint64_t read_dependences(struct memory *memory, uint64_t list, uint64_t count,
				 struct dependence *ret, size_t most)
{
	enum { SIZE = 24, FLAGS = 16 };
	uint8_t flags;

	for (uint64_t i = 0; i < count && i < most; i++) {
		const uint64_t at = list + SIZE * i;
		ret[i] = (struct dependence){ 0 };
		if (memory_try_read(memory, at, &ret[i].object, sizeof(ret[i].object)) &&
		    memory_try_read(memory, at + FLAGS, &flags, sizeof(flags)))
			ret[i].kind = libomp_events_depend_kind(flags);
	}
	return count;
}

const struct event_row libomp_events[] = {
	THREADS("those that the runtime makes"),
	{ CALL(EVENT_PARALLEL_BEGIN, "__kmpc_fork_call|__kmpc_fork_call_if"),
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(3) } },
	{ RETURN(EVENT_PARALLEL_END, "__kmpc_fork_call|__kmpc_fork_call_if") },
	{ CODE_OF_REGION(EVENT_IMPLICIT_TASK_BEGIN, WHEN_CODE) },
	{ CODE_OF_REGION(EVENT_IMPLICIT_TASK_END, WHEN_CODE_END) },
	/* Who has ended the code of a region has arrived at the barrier that the region ends with.
	 */
	{ CODE_OF_REGION(EVENT_BARRIER_ALL_ARRIVED, WHEN_CODE_END) },
	/* if(0): the program calls the code by itself, or it is a part of the function. */
	{ CALL(EVENT_PARALLEL_BEGIN, "__kmpc_serialized_parallel") },
	{ RETURN(EVENT_IMPLICIT_TASK_BEGIN, "__kmpc_serialized_parallel") },
	{ CALL(EVENT_IMPLICIT_TASK_END, "__kmpc_end_serialized_parallel") },
	{ RETURN(EVENT_PARALLEL_END, "__kmpc_end_serialized_parallel") },
	/* An untied task calls it by itself, for its next part. */
	{ CALL(EVENT_TASK_CREATE, "__kmpc_omp_task"), .test = POINTED(3, 4, false, TASK_PART, 0),
	  .not = true, .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK } },
	CREATE("__kmpc_omp_task_with_deps"),
	CREATE("__kmpc_omp_task_begin_if0"),
	{ CALL(EVENT_TASK_CREATE, "__kmpc_taskloop|__kmpc_taskloop_5"),
	  .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK },
	  .note = "a taskloop is one event for all of its tasks" },
	/* thread, task */
	{ CODE_OF_TASKS(EVENT_TASK_BEGIN, WHEN_CODE), .test = POINTED(2, 4, false, TASK_PART, 0),
	  .not = true },
	{ CODE_OF_TASKS(EVENT_TASK_END, WHEN_CODE_END),
	  .note = "it stops where each part of an untied task ends, and counts the last one" },
	{ CALL(EVENT_TASK_END, "__kmpc_omp_task"), .test = POINTED(3, 4, false, TASK_PART, 0),
	  .minus = true, .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK },
	  .note = "an untied task has a further part: the end of this one is not counted" },
	{ CODE_OF_TASKS(EVENT_TASK_SWITCH, WHEN_CODE) },
	{ CODE_OF_TASKS(EVENT_TASK_SWITCH, WHEN_CODE_END) },
	{ RETURN(EVENT_TASK_BEGIN, "__kmpc_omp_task_begin_if0"),
	  .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK } },
	{ CALL(EVENT_TASK_END, "__kmpc_omp_task_complete_if0"),
	  .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK } },
	{ RETURN(EVENT_TASK_SWITCH, "__kmpc_omp_task_begin_if0"),
	  .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK } },
	{ CALL(EVENT_TASK_SWITCH, "__kmpc_omp_task_complete_if0"),
	  .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK } },
	{ CALL(EVENT_TASKWAIT_BEGIN, "__kmpc_omp_taskwait*|__kmpc_omp_wait_deps") },
	{ RETURN(EVENT_TASKWAIT_END, "__kmpc_omp_taskwait*|__kmpc_omp_wait_deps") },
	{ CALL(EVENT_TASKGROUP_BEGIN, "__kmpc_taskgroup") },
	{ RETURN(EVENT_TASKGROUP_END, "__kmpc_end_taskgroup") },
	{ CALL(EVENT_DEPENDENCE, "__kmpc_omp_task_with_deps"),
	  .facts = { [EVENT_FACT_FUNCTION] = CODE_OF_TASK,
		     [EVENT_FACT_DEPENDENCES] = ARGUMENT_UINT(4),
		     [EVENT_FACT_DEPEND_LIST] = ARGUMENT(5) },
	  .dependences = read_dependences, .note = "where a task is created that has any" },
	/* place, thread, how many: of a task that is not deferred */
	{ CALL(EVENT_DEPENDENCE, "__kmpc_omp_wait_deps"),
	  .facts = { [EVENT_FACT_DEPENDENCES] = ARGUMENT_UINT(3),
		     [EVENT_FACT_DEPEND_LIST] = ARGUMENT(4) },
	  .dependences = read_dependences },
	{ CALL(EVENT_DEPENDENCE, "__kmpc_omp_taskwait_deps_51"),
	  .facts = { [EVENT_FACT_DEPENDENCES] = ARGUMENT_UINT(3),
		     [EVENT_FACT_DEPEND_LIST] = ARGUMENT(4) },
	  .dependences = read_dependences },
	BARRIER("__kmpc_barrier"),
	BARRIER("__kmpc_cancel_barrier"),
	{ CALL(EVENT_CRITICAL_ENTER, "__kmpc_critical"),
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(3) } },
	{ RETURN(EVENT_CRITICAL_ACQUIRED, "__kmpc_critical"),
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(3) } },
	/* __kmpc_critical() may jump there, with the hint 0. */
	{ CALL(EVENT_CRITICAL_ENTER, "__kmpc_critical_with_hint"), .test = ARGUMENT_UINT(4),
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(3) } },
	{ RETURN(EVENT_CRITICAL_ACQUIRED, "__kmpc_critical_with_hint"), .test = ARGUMENT_UINT(4),
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(3) } },
	{ CALL(EVENT_CRITICAL_RELEASED, "__kmpc_end_critical"),
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(3) } },
	LOCK("lock", 1, ""),
	LOCK("lock", 1, "_"),
	LOCK("nest_lock", 1, ""),
	LOCK("nest_lock", 1, "_"),
	{ CALL(EVENT_ORDERED_ENTER, "__kmpc_ordered|__kmpc_doacross_wait") },
	{ RETURN(EVENT_ORDERED_ACQUIRED, "__kmpc_ordered|__kmpc_doacross_wait") },
	{ CALL(EVENT_ORDERED_RELEASED, "__kmpc_end_ordered|__kmpc_doacross_post") },
	{ CALL(EVENT_ATOMIC, "__kmpc_atomic_*"),
	  .note = "only those that clang calls the runtime for; most are instructions in place",
	  .omits = true },
	{ CALL(EVENT_FLUSH, "__kmpc_flush") },
	STATIC("__kmpc_for_static_init_4", 4, true),
	STATIC("__kmpc_for_static_init_4u", 4, false),
	STATIC("__kmpc_for_static_init_8", 8, true),
	STATIC("__kmpc_for_static_init_8u", 8, false),
	{ CALL(EVENT_LOOP_END, "__kmpc_for_static_fini"), .test = POINTED(1, 4, false, 4, 0),
	  .bits = IDENT_SECTIONS | IDENT_DISTRIBUTE, .not = true },
	DYNAMIC("4", 4, true),
	DYNAMIC("4u", 4, false),
	DYNAMIC("8", 8, true),
	DYNAMIC("8u", 8, false),
	{ CALL(EVENT_SECTIONS, "__kmpc_for_static_init_4"), .test = POINTED(1, 4, false, 4, 0),
	  .bits = IDENT_SECTIONS, .note = "once for each thread: clang makes a loop of sections" },
	{ RETURN(EVENT_SINGLE, "__kmpc_single"), .facts = { [EVENT_FACT_EXECUTES] = RESULT(1) } },
	{ CALL(EVENT_COPYPRIVATE, "__kmpc_copyprivate") },
	{ RETURN(EVENT_MASKED, "__kmpc_masked|__kmpc_master"),
	  .facts = { [EVENT_FACT_EXECUTES] = RESULT(1) } },
	{ CALL(EVENT_REDUCTION, "__kmpc_reduce|__kmpc_reduce_nowait") },
	{ CALL(EVENT_CANCEL, "__kmpc_cancel"), .facts = { [EVENT_FACT_KIND] = ARGUMENT_UINT(3) } },
	{ CALL(EVENT_TEAMS, "__kmpc_fork_teams"),
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(3) } },
	NEVER(EVENT_TARGET_BEGIN, "another library does that: libomptarget"),
	NEVER(EVENT_TARGET_END, "another library does that: libomptarget"),
	NEVER(EVENT_DEVICE_INITIALIZE, "another library does that: libomptarget"),
	NEVER(EVENT_DEVICE_FINALIZE, "another library does that: libomptarget"),
	{ CALL(EVENT_CONTROL, "omp_control_tool*"),
	  .facts = { [EVENT_FACT_KIND] = ARGUMENT_UINT(1) } },
	NEVER(EVENT_SHUTDOWN, "libomp ends with the process, and calls nothing that it exports"),
	{ 0 },
};
