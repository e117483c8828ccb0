/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/wait_kind.h"

#include <stddef.h>

static const struct wait_traits rows[NUM_WAIT_KINDS] = {
	[WAIT_NONE] = { "none", FOR_NOBODY },
	[WAIT_IDLE] = { "idle", FOR_WORK },
	[WAIT_DUE] = { "due", FOR_WORK },
	[WAIT_BARRIER] = { "barrier", FOR_TEAM, .is_barrier = true },
	[WAIT_EXPLICIT_BARRIER] = { "explicit barrier", FOR_TEAM, .is_barrier = true },
	[WAIT_REGION_END] = { "region end", FOR_TEAM, .is_barrier = true },
	[WAIT_WORKSHARE_END] = { "worksharing end", FOR_TEAM, .is_barrier = true,
				 .is_workshare = true },
	[WAIT_TASKWAIT] = { "taskwait", FOR_CHILDREN },
	[WAIT_TASKGROUP] = { "taskgroup", FOR_CHILDREN },
	[WAIT_DEPENDENCE] = { "dependence", FOR_CHILDREN },
	[WAIT_CRITICAL] = { "critical", FOR_HOLDER, .is_lock = true },
	[WAIT_LOCK] = { "lock", FOR_HOLDER, .is_lock = true },
	[WAIT_NEST_LOCK] = { "nest lock", FOR_HOLDER, .is_lock = true },
	[WAIT_ORDERED] = { "ordered", FOR_TURN },
	[WAIT_ATOMIC] = { "atomic", FOR_HOLDER },
	[WAIT_SINGLE] = { "single", FOR_TEAM, .is_workshare = true },
	[WAIT_COPYPRIVATE] = { "copyprivate", FOR_TEAM, .is_workshare = true },
	[WAIT_DOACROSS] = { "doacross", FOR_TURN },
	[WAIT_TEAMS] = { "teams", FOR_LEAGUE },
	[WAIT_TASK_EVENT] = { "task event", FOR_EVENT },
	[WAIT_PASSING] = { "passing", FOR_RUNTIME },
	[WAIT_TEAM_START] = { "team start", FOR_RUNTIME },
	[WAIT_RUNTIME] = { "runtime", FOR_RUNTIME },
	[WAIT_MUTEX] = { "mutex", FOR_HOLDER, .is_outside = true },
	[WAIT_CONDITION] = { "condition", FOR_SIGNAL, .is_outside = true },
	[WAIT_JOIN] = { "join", FOR_ENDING, .is_outside = true },
	[WAIT_SYSCALL] = { "system call", FOR_WORLD, .is_outside = true },
	[WAIT_MPI] = { "mpi", FOR_WORLD, .is_outside = true },
	[WAIT_MEMORY] = { "memory", FOR_WRITER, .is_outside = true },
	[WAIT_CRASHED] = { "crashed", FOR_NOBODY, .is_outside = true },
	[WAIT_UNKNOWN] = { "unknown", FOR_NOT_KNOWN },
};

const struct wait_traits *wait_kind_traits(enum wait_kind kind)
{
	bool known = kind < NUM_WAIT_KINDS && rows[kind].name;

	return &rows[known ? kind : WAIT_UNKNOWN];
}

bool wait_kind_is_wait(enum wait_kind kind)
{
	enum wait_whom whom = wait_kind_whom(kind);

	return whom != FOR_NOT_KNOWN && whom != FOR_NOBODY && whom != FOR_RUNTIME &&
	       whom != FOR_WORK;
}
