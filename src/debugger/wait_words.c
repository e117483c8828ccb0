/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/wait_words.h"

#include <stddef.h>

#define WAITS(what) "waits " what, "wait " what
#define SAME(what)  what, what
#define HELD(d)     .details = d, .holder = "held by"
#define EXECUTED    .holder = "executed by"
#define TURN_OF     .of = "the turn of "

static const struct wait_words rows[NUM_WAIT_KINDS] = {
	[WAIT_NONE] = { "runs", "run", "computes", "compute" },
	[WAIT_IDLE] = { SAME("idle in the pool"), "is idle in the pool", "are idle in the pool" },
	[WAIT_DUE] = { SAME("not woken yet"), "has not been woken yet", "have not been woken yet" },
	[WAIT_BARRIER] = { WAITS("at a barrier, explicit or implied"), WAITS("at the barrier") },
	[WAIT_EXPLICIT_BARRIER] = { WAITS("at barrier"), WAITS("at the barrier") },
	[WAIT_REGION_END] = { WAITS("at the end of the region"),
			      WAITS("at the end of the parallel region") },
	[WAIT_WORKSHARE_END] = { WAITS("at the end of worksharing"),
				 WAITS("at the end of the worksharing construct"),
				 .details = WITH_NAME },
	[WAIT_TASKWAIT] = { WAITS("in taskwait for child tasks"), WAITS("in taskwait") },
	[WAIT_TASKGROUP] = { WAITS("at the end of taskgroup for its tasks"),
			     WAITS("at the end of taskgroup") },
	[WAIT_DEPENDENCE] = { "waits for tasks that it depends on",
			      "wait for tasks that they depend on", WAITS("for a dependence") },
	[WAIT_CRITICAL] = { WAITS("for critical"), WAITS("for critical"), HELD(WITH_NAME) },
	[WAIT_LOCK] = { WAITS("for lock"), WAITS("for lock"), HELD(WITH_NAME | WITH_OBJECT) },
	[WAIT_NEST_LOCK] = { WAITS("for nest lock"), WAITS("for nest lock"),
			     HELD(WITH_NAME | WITH_OBJECT) },
	[WAIT_ORDERED] = { "waits for its turn at ordered", "wait for their turns at ordered",
			   "waits for its turn at ordered", "wait for their turns at ordered",
			   .holder = "it is the turn of", .turn = "turn at ordered",
			   .whose = "; it is ", TURN_OF },
	[WAIT_ATOMIC] = { WAITS("for atomic"), WAITS("for atomic"), HELD(WITH_NAME) },
	[WAIT_SINGLE] = { WAITS("for the end of single"), WAITS("at the end of single"), EXECUTED },
	[WAIT_COPYPRIVATE] = { WAITS("for copyprivate of single"),
			       WAITS("for copyprivate of single"), EXECUTED },
	[WAIT_DOACROSS] = { WAITS("for an earlier iteration (doacross)"),
			    "waits for an earlier iteration", "wait for earlier iterations",
			    EXECUTED, .turn = "earlier iteration", .whose = "; that is ", TURN_OF },
	[WAIT_TEAMS] = { WAITS("at the end of the teams region"),
			 WAITS("at the end of the teams region") },
	[WAIT_TASK_EVENT] = { WAITS("for the event of a detached task"),
			      WAITS("for the event of a detached task") },
	[WAIT_PASSING] = { "passes a barrier", "pass a barrier", "passes the barrier",
			   "pass the barrier" },
	[WAIT_TEAM_START] = { WAITS("for the workers of its team"),
			      WAITS("for the workers of its team") },
	[WAIT_RUNTIME] = { SAME("in the OpenMP runtime"), "is busy in the OpenMP runtime",
			   "are busy in the OpenMP runtime", .details = WITH_ENTRY },
	[WAIT_MUTEX] = { WAITS("for mutex"), WAITS("for a mutex"),
			 HELD(WITH_OBJECT | WITH_FUNCTION) },
	[WAIT_CONDITION] = { WAITS("for condition"), WAITS("for a condition variable"),
			     .details = WITH_OBJECT | WITH_FUNCTION },
	[WAIT_JOIN] = { WAITS("in"), WAITS("in"), .details = WITH_CALL, .unnamed = "a system call",
			.holder = "for the end of", .whose = ", for ", .of = "the end of " },
	[WAIT_SYSCALL] = { SAME("in"), "is in", "are in", .details = WITH_CALL | WITH_FD,
			   .unnamed = "a system call" },
	[WAIT_MPI] = { SAME("in"), "is in", "are in", .details = WITH_CALL, .unnamed = "MPI" },
	[WAIT_MEMORY] = { "busy-waits for a change in memory", "busy-wait for a change in memory",
			  "busy-waits for a change in memory", "busy-wait for a change in memory",
			  "busy-waits for a change of", "busy-wait for a change of" },
	[WAIT_CRASHED] = { SAME("crashed by"), "has crashed", "have crashed",
			   .details = WITH_SIGNAL },
	[WAIT_UNKNOWN] = { SAME("could not be looked at"), SAME("could not be looked at") },
};

const struct wait_words *wait_words(enum wait_kind kind)
{
	bool known = kind < NUM_WAIT_KINDS && rows[kind].one && rows[kind].do_;

	return &rows[known ? kind : WAIT_UNKNOWN];
}

const char *wait_words_held(enum thread_held held)
{
	static const char *const words[NUM_HELD] = {
		[HELD_BY_HOLD] = "held by you (omp hold)",
		[HELD_BY_LOCKING] = "held by scheduler-locking",
	};

	return words[held];
}
