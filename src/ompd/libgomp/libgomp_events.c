/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp_events.h"

#include <stddef.h>

#include "ompd/picture/event_values.h"
#include "ompd/picture/loop.h"
#include "target/process/memory.h"

/* Flags of GOMP_task(): gomp-constants.h. */
enum { TASK_DEPEND = 8 };

/* Who has ended the code of a region has arrived at the barrier that the region ends with. */
#define END_OF_REGION(name, by)                                                                    \
	{ .event = EVENT_IMPLICIT_TASK_END,                                                        \
	  .function = name,                                                                        \
	  .when = WHEN_CODE_END,                                                                   \
	  .caller = (by),                                                                          \
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) } },                                      \
	{                                                                                          \
		.event = EVENT_BARRIER_ALL_ARRIVED, .function = name, .when = WHEN_CODE_END,       \
		.caller = (by), .facts = {                                                         \
			[EVENT_FACT_FUNCTION] = ARGUMENT(1)                                        \
		}                                                                                  \
	}

/* What all functions have in common that begin a region: function, data, threads. */
#define REGION(name)                                                                               \
	{ .event = EVENT_PARALLEL_BEGIN,                                                           \
	  .function = name,                                                                        \
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1),                                          \
		     [EVENT_FACT_TEAM] = ARGUMENT_UINT(3) } },                                     \
		{ .event = EVENT_PARALLEL_END, .function = name, .when = WHEN_RETURNED },          \
		{ .event = EVENT_IMPLICIT_TASK_BEGIN,                                              \
		  .function = name,                                                                \
		  .when = WHEN_CODE,                                                               \
		  .caller = CALLED_BY_RUNTIME,                                                     \
		  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) } },                              \
		END_OF_REGION(name, CALLED_BY_RUNTIME)

/* Before GCC 4.9: the thread that begins the region calls the code by itself. */
#define OLD_REGION(name)                                                                           \
	{ .event = EVENT_PARALLEL_BEGIN,                                                           \
	  .function = name,                                                                        \
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1),                                          \
		     [EVENT_FACT_TEAM] = ARGUMENT_UINT(3) } },                                     \
		{ .event = EVENT_IMPLICIT_TASK_BEGIN,                                              \
		  .function = name,                                                                \
		  .when = WHEN_CODE,                                                               \
		  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) } },                              \
		END_OF_REGION(name, CALLED_BY_ANY)

#define TASK(name)                                                                                 \
	{ .event = EVENT_TASK_BEGIN,                                                               \
	  .function = name,                                                                        \
	  .when = WHEN_CODE,                                                                       \
	  .caller = CALLED_BY_RUNTIME,                                                             \
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) } },                                      \
		{ .event = EVENT_TASK_END,                                                         \
		  .function = name,                                                                \
		  .when = WHEN_CODE_END,                                                           \
		  .caller = CALLED_BY_RUNTIME,                                                     \
		  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) } },                              \
		{ .event = EVENT_TASK_SWITCH,                                                      \
		  .function = name,                                                                \
		  .when = WHEN_CODE,                                                               \
		  .caller = CALLED_BY_RUNTIME,                                                     \
		  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) },                                \
		  .note = "tasks run as a whole: threads switch where one begins and ends" },      \
	{                                                                                          \
		.event = EVENT_TASK_SWITCH, .function = name, .when = WHEN_CODE_END,               \
		.caller = CALLED_BY_RUNTIME, .facts = {                                            \
			[EVENT_FACT_FUNCTION] = ARGUMENT(1)                                        \
		}                                                                                  \
	}

#define BARRIER(name)                                                                              \
	{ .event = EVENT_BARRIER_ENTER, .function = name },                                        \
		{ .event = EVENT_BARRIER_ALL_ARRIVED, .function = name },                          \
	{                                                                                          \
		.event = EVENT_BARRIER_EXIT, .function = name, .when = WHEN_RETURNED               \
	}

#define LOCK(name, ending)                                                                         \
	{ .event = EVENT_LOCK_INIT,                                                                \
	  .function = "omp_init_" name ending,                                                     \
	  .when = WHEN_RETURNED,                                                                   \
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                        \
		{ .event = EVENT_LOCK_DESTROY,                                                     \
		  .function = "omp_destroy_" name ending,                                          \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ .event = EVENT_LOCK_ENTER,                                                       \
		  .function = "omp_set_" name ending,                                              \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ .event = EVENT_LOCK_ENTER,                                                       \
		  .function = "omp_test_" name ending,                                             \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ .event = EVENT_LOCK_ACQUIRED,                                                    \
		  .function = "omp_set_" name ending,                                              \
		  .when = WHEN_RETURNED,                                                           \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
		{ .event = EVENT_LOCK_ACQUIRED,                                                    \
		  .function = "omp_test_" name ending,                                             \
		  .when = WHEN_RETURNED,                                                           \
		  .test = RESULT(4),                                                               \
		  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },                                \
	{                                                                                          \
		.event = EVENT_LOCK_RELEASED, .function = "omp_unset_" name ending, .facts = {     \
			[EVENT_FACT_OBJECT] = ARGUMENT(1)                                          \
		}                                                                                  \
	}

#define ONCE_FOR_THE_TEAM "of 'parallel for' once for the team, where the region begins"

#define CHUNK(name, first, ...)                                                                    \
	{                                                                                          \
		.event = EVENT_LOOP_CHUNK, .function = name, .when = WHEN_RETURNED,                \
		.test = RESULT(1),                                                                 \
		.facts = { [EVENT_FACT_BEGIN] = POINTED(first, 8, true, 0, 0),                     \
			   [EVENT_FACT_END] = POINTED((first) + 1, 8, true, 0, 0) },               \
		__VA_ARGS__                                                                        \
	}

#define NO_STATIC_LOOPS                                                                            \
	"loops with a static schedule call nothing: GCC reckons their bounds in place"

/* Where the bounds of the loop are among the arguments, and the size of chunks. */
#define LOOP_BEGIN(name, first, ...)                                                               \
	{                                                                                          \
		.event = EVENT_LOOP_BEGIN, .function = name,                                       \
		.facts = { [EVENT_FACT_BEGIN] = ARGUMENT(first),                                   \
			   [EVENT_FACT_END] = ARGUMENT((first) + 1) },                             \
		__VA_ARGS__                                                                        \
	}
#define LOOP_IN_CHUNKS(name, kind, first, ...)                                                     \
	LOOP_BEGIN(name, first, .schedule = kind,                                                  \
		   .facts[EVENT_FACT_CHUNK] = ARGUMENT((first) + 3), __VA_ARGS__)

#define LOOPS_IN_CHUNKS(start, first)                                                              \
	LOOP_IN_CHUNKS(start "static_start|" start "ordered_static_start", SCHEDULE_STATIC,        \
		       first),                                                                     \
		LOOP_IN_CHUNKS(start "dynamic_start|" start "[no]*_dynamic_start",                 \
			       SCHEDULE_DYNAMIC, first),                                           \
		LOOP_IN_CHUNKS(start "guided_start|" start "[no]*_guided_start", SCHEDULE_GUIDED,  \
			       first)

#define SECTIONS(name)                                                                             \
	{                                                                                          \
		.event = EVENT_SECTIONS, .function = name, .when = WHEN_RETURNED,                  \
		.test = RESULT(4), .facts = {                                                      \
			[EVENT_FACT_SECTION] = RESULT(4)                                           \
		}                                                                                  \
	}

/*
 * task.c of GCC: number, of which out; addresses. From GCC 9 on, where there are other kinds: 0,
 * number, of which out, mutexinoutset, in; addresses, the last ones of omp_depend_t: address, kind.
 */
static uint64_t read_dependences(struct memory *memory, uint64_t list, uint64_t count,
				 struct dependence *ret, size_t most)
{
	static const char *const kinds[] = { "out", "mutexinoutset", "in" };
	static const char *const stored[] = { NULL,      "in", "out", "inout", "mutexinoutset",
					      "inoutset" };
	uint64_t words[5] = { 0 }, end[3], object[2] = { 0 };

	if (!memory_try_read(memory, list, words, count ? 16 : sizeof(words)))
		return count;
	const uint64_t n = count ? count : words[1];
	end[0] = count ? words[1] : words[2];
	end[1] = end[0] + words[3];
	end[2] = count ? n : end[1] + words[4];
	list += count ? 16 : sizeof(words);
	for (uint64_t i = 0; i < n && i < most; i++) {
		size_t k = 0;
		ret[i] = (struct dependence){ 0 };
		if (!memory_try_read(memory, list + 8 * i, &ret[i].object, 8))
			continue;
		while (k < 3 && i >= end[k])
			k++;
		ret[i].kind = k < 3 ? kinds[k] : NULL;
		if (k < 3 || !memory_try_read(memory, ret[i].object, object, sizeof(object)))
			continue;
		ret[i].object = object[0];
		ret[i].kind =
			object[1] < sizeof(stored) / sizeof(*stored) ? stored[object[1]] : NULL;
	}
	return n;
}

const struct event_row libgomp_events[] = {
	THREADS("those that the runtime makes"),
	/* Those that are in the pool when it ends. */
	{ .event = EVENT_THREAD_END,
	  .function = "pthread_exit",
	  .imported = true,
	  .caller = CALLED_BY_RUNTIME },
	REGION("GOMP_parallel"),
	REGION("GOMP_parallel_reductions"),
	REGION("GOMP_parallel_sections"),
	REGION("GOMP_parallel_loop_static"),
	REGION("GOMP_parallel_loop_*dynamic"),
	REGION("GOMP_parallel_loop_*guided"),
	REGION("GOMP_parallel_loop_*runtime"),
	OLD_REGION("GOMP_parallel_*start"),
	/* Newer functions call it by themselves, too. */
	{ .event = EVENT_PARALLEL_END,
	  .function = "GOMP_parallel_end",
	  .when = WHEN_RETURNED,
	  .caller = CALLED_BY_PROGRAM },
	/* function, data, copier, size, alignment, if, flags, dependences, priority, event */
	{ .event = EVENT_TASK_CREATE,
	  .function = "GOMP_task",
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1) } },
	{ .event = EVENT_TASK_CREATE,
	  .function = "GOMP_taskloop*",
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1), [EVENT_FACT_TASKS] = ARGUMENT(8) },
	  .note = "a taskloop is one event for all of its tasks" },
	TASK("GOMP_task"),
	TASK("GOMP_taskloop*"),
	{ .event = EVENT_DEPENDENCE,
	  .function = "GOMP_task",
	  .test = ARGUMENT_UINT(7),
	  .bits = TASK_DEPEND,
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1),
		     [EVENT_FACT_DEPENDENCES] = POINTED(8, 8, false, 0, 0),
		     [EVENT_FACT_DEPEND_LIST] = ARGUMENT(8) },
	  .dependences = read_dependences,
	  .note = "where a task is created that has any" },
	{ .event = EVENT_DEPENDENCE,
	  .function = "GOMP_taskwait_depend",
	  .facts = { [EVENT_FACT_DEPENDENCES] = POINTED(1, 8, false, 0, 0),
		     [EVENT_FACT_DEPEND_LIST] = ARGUMENT(1) },
	  .dependences = read_dependences },
	{ .event = EVENT_TASKWAIT_BEGIN, .function = "GOMP_taskwait*" },
	{ .event = EVENT_TASKWAIT_END, .function = "GOMP_taskwait*", .when = WHEN_RETURNED },
	{ .event = EVENT_TASKGROUP_BEGIN, .function = "GOMP_taskgroup_start" },
	{ .event = EVENT_TASKGROUP_END, .function = "GOMP_taskgroup_end", .when = WHEN_RETURNED },
	BARRIER("GOMP_barrier*"),
	BARRIER("GOMP_loop_end"),
	BARRIER("GOMP_loop_end_cancel"),
	BARRIER("GOMP_sections_end"),
	BARRIER("GOMP_sections_end_cancel"),
	{ .event = EVENT_CRITICAL_ENTER,
	  .function = "GOMP_critical_name_start",
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },
	{ .event = EVENT_CRITICAL_ACQUIRED,
	  .function = "GOMP_critical_name_start",
	  .when = WHEN_RETURNED,
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },
	{ .event = EVENT_CRITICAL_RELEASED,
	  .function = "GOMP_critical_name_end",
	  .facts = { [EVENT_FACT_OBJECT] = ARGUMENT(1) } },
	{ .event = EVENT_CRITICAL_ENTER, .function = "GOMP_critical_start" },
	{ .event = EVENT_CRITICAL_ACQUIRED,
	  .function = "GOMP_critical_start",
	  .when = WHEN_RETURNED },
	{ .event = EVENT_CRITICAL_RELEASED, .function = "GOMP_critical_end" },
	LOCK("lock", ""),
	LOCK("lock", "_"),
	LOCK("nest_lock", ""),
	LOCK("nest_lock", "_"),
	/* It calls that by itself, too, where a thread has got its next chunk. */
	{ .event = EVENT_ORDERED_ENTER,
	  .function = "GOMP_ordered_start",
	  .caller = CALLED_BY_PROGRAM },
	{ .event = EVENT_ORDERED_ACQUIRED,
	  .function = "GOMP_ordered_start",
	  .when = WHEN_RETURNED,
	  .caller = CALLED_BY_PROGRAM },
	{ .event = EVENT_ORDERED_RELEASED, .function = "GOMP_ordered_end" },
	{ .event = EVENT_ORDERED_ENTER, .function = "GOMP_doacross_*wait" },
	{ .event = EVENT_ORDERED_ACQUIRED,
	  .function = "GOMP_doacross_*wait",
	  .when = WHEN_RETURNED },
	{ .event = EVENT_ORDERED_RELEASED, .function = "GOMP_doacross_*post" },
	{ .event = EVENT_ATOMIC,
	  .function = "GOMP_atomic_start",
	  .note = "only those that the processor cannot do by itself: GCC calls for no others",
	  .omits = true },
	NEVER(EVENT_FLUSH, "GCC makes an instruction of it, and calls nothing"),
	LOOP_BEGIN("GOMP_loop_runtime_start|GOMP_loop_[mno]*_runtime_start", 1,
		   .schedule = SCHEDULE_RUNTIME),
	CHUNK("GOMP_loop_runtime_start|GOMP_loop_[mno]*_runtime_start", 4),
	LOOPS_IN_CHUNKS("GOMP_loop_", 1),
	CHUNK("GOMP_loop_static_start|GOMP_loop_dynamic_start|GOMP_loop_guided_start|"
	      "GOMP_loop_[no]*_[sdg]*_start",
	      5),
	LOOP_BEGIN("GOMP_loop_start|GOMP_loop_ordered_start", 1),
	CHUNK("GOMP_loop_start|GOMP_loop_ordered_start", 6),
	LOOP_BEGIN("GOMP_loop_ull_runtime_start|GOMP_loop_ull_[mno]*_runtime_start", 2,
		   .schedule = SCHEDULE_RUNTIME),
	CHUNK("GOMP_loop_ull_runtime_start|GOMP_loop_ull_[mno]*_runtime_start", 5),
	LOOPS_IN_CHUNKS("GOMP_loop_ull_", 2),
	CHUNK("GOMP_loop_ull_static_start|GOMP_loop_ull_dynamic_start|GOMP_loop_ull_guided_start|"
	      "GOMP_loop_ull_[no]*_[sdg]*_start",
	      6),
	LOOP_BEGIN("GOMP_loop_ull_start|GOMP_loop_ull_ordered_start", 2),
	CHUNK("GOMP_loop_ull_start|GOMP_loop_ull_ordered_start", 7),
	{ .event = EVENT_LOOP_BEGIN,
	  .function = "GOMP_loop_*doacross_*start",
	  .note = NO_STATIC_LOOPS,
	  .omits = true },
	CHUNK("GOMP_loop_*doacross_[sdg]*_start", 4),
	CHUNK("GOMP_loop_*doacross_runtime_start", 3),
	CHUNK("GOMP_loop_*_next", 1, .note = NO_STATIC_LOOPS, .omits = true),
	LOOP_IN_CHUNKS("GOMP_parallel_loop_static*", SCHEDULE_STATIC, 4, .note = ONCE_FOR_THE_TEAM),
	LOOP_IN_CHUNKS("GOMP_parallel_loop_*dynamic|GOMP_parallel_loop_*dynamic_start",
		       SCHEDULE_DYNAMIC, 4, .note = ONCE_FOR_THE_TEAM),
	LOOP_IN_CHUNKS("GOMP_parallel_loop_*guided|GOMP_parallel_loop_*guided_start",
		       SCHEDULE_GUIDED, 4, .note = ONCE_FOR_THE_TEAM),
	LOOP_BEGIN("GOMP_parallel_loop_*runtime|GOMP_parallel_loop_*runtime_start", 4,
		   .schedule = SCHEDULE_RUNTIME, .note = ONCE_FOR_THE_TEAM),
	{ .event = EVENT_LOOP_END,
	  .function = "GOMP_loop_end*",
	  .note = NO_STATIC_LOOPS,
	  .omits = true },
	SECTIONS("GOMP_sections*_start"),
	SECTIONS("GOMP_sections_next"),
	{ .event = EVENT_SINGLE,
	  .function = "GOMP_single_start",
	  .when = WHEN_RETURNED,
	  .facts = { [EVENT_FACT_EXECUTES] = RESULT(1) } },
	/* Who gets no data is to make them, and hands them to the others. */
	{ .event = EVENT_SINGLE,
	  .function = "GOMP_single_copy_start",
	  .when = WHEN_RETURNED,
	  .facts = { [EVENT_FACT_EXECUTES] = RESULT_IS_ZERO(8) } },
	{ .event = EVENT_COPYPRIVATE,
	  .function = "GOMP_single_copy_start",
	  .when = WHEN_RETURNED,
	  .test = RESULT(8) },
	{ .event = EVENT_COPYPRIVATE, .function = "GOMP_single_copy_end" },
	NEVER(EVENT_MASKED, "GCC asks for the thread's number, and calls nothing else"),
	{ .event = EVENT_REDUCTION,
	  .function = "GOMP_taskgroup_reduction_register",
	  .note = "of tasks alone: others are instructions in place",
	  .omits = true },
	{ .event = EVENT_CANCEL,
	  .function = "GOMP_cancel",
	  .test = ARGUMENT_BOOL(2),
	  .facts = { [EVENT_FACT_KIND] = ARGUMENT_UINT(1) } },
	{ .event = EVENT_TEAMS,
	  .function = "GOMP_teams_reg",
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(1), [EVENT_FACT_TEAM] = ARGUMENT_UINT(3) } },
	{ .event = EVENT_TARGET_BEGIN,
	  .function = "GOMP_target_ext",
	  .facts = { [EVENT_FACT_FUNCTION] = ARGUMENT(2) } },
	{ .event = EVENT_TARGET_END, .function = "GOMP_target_ext", .when = WHEN_RETURNED },
	{ .event = EVENT_DEVICE_INITIALIZE,
	  .function = "GOMP_offload_register*",
	  .note = "where a program's code for devices is made known" },
	{ .event = EVENT_DEVICE_FINALIZE, .function = "GOMP_offload_unregister*" },
	NEVER(EVENT_CONTROL, "libgomp has no omp_control_tool()"),
	NEVER(EVENT_SHUTDOWN, "libgomp ends with the process, and calls nothing"),
	{ 0 },
};
