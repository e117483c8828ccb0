/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/runtime_event.h"

#include <stddef.h>
#include <string.h>

const char *const runtime_event_names[NUM_EVENTS] = {
	[EVENT_THREAD_BEGIN] = "thread-begin",
	[EVENT_THREAD_END] = "thread-end",
	[EVENT_PARALLEL_BEGIN] = "parallel-begin",
	[EVENT_PARALLEL_END] = "parallel-end",
	[EVENT_IMPLICIT_TASK_BEGIN] = "implicit-task-begin",
	[EVENT_IMPLICIT_TASK_END] = "implicit-task-end",
	[EVENT_TASK_CREATE] = "task-create",
	[EVENT_TASK_BEGIN] = "task-begin",
	[EVENT_TASK_END] = "task-end",
	[EVENT_TASK_SWITCH] = "task-switch",
	[EVENT_TASKWAIT_BEGIN] = "taskwait-begin",
	[EVENT_TASKWAIT_END] = "taskwait-end",
	[EVENT_TASKGROUP_BEGIN] = "taskgroup-begin",
	[EVENT_TASKGROUP_END] = "taskgroup-end",
	[EVENT_DEPENDENCE] = "dependence",
	[EVENT_BARRIER_ENTER] = "barrier-enter",
	[EVENT_BARRIER_ALL_ARRIVED] = "barrier-all-arrived",
	[EVENT_BARRIER_EXIT] = "barrier-exit",
	[EVENT_CRITICAL_ENTER] = "critical-enter",
	[EVENT_CRITICAL_ACQUIRED] = "critical-acquired",
	[EVENT_CRITICAL_RELEASED] = "critical-released",
	[EVENT_LOCK_INIT] = "lock-init",
	[EVENT_LOCK_DESTROY] = "lock-destroy",
	[EVENT_LOCK_ENTER] = "lock-enter",
	[EVENT_LOCK_ACQUIRED] = "lock-acquired",
	[EVENT_LOCK_RELEASED] = "lock-released",
	[EVENT_ORDERED_ENTER] = "ordered-enter",
	[EVENT_ORDERED_ACQUIRED] = "ordered-acquired",
	[EVENT_ORDERED_RELEASED] = "ordered-released",
	[EVENT_ATOMIC] = "atomic",
	[EVENT_FLUSH] = "flush",
	[EVENT_LOOP_BEGIN] = "loop-begin",
	[EVENT_LOOP_CHUNK] = "loop-chunk",
	[EVENT_LOOP_END] = "loop-end",
	[EVENT_SECTIONS] = "sections",
	[EVENT_SINGLE] = "single",
	[EVENT_COPYPRIVATE] = "copyprivate",
	[EVENT_MASKED] = "masked",
	[EVENT_REDUCTION] = "reduction",
	[EVENT_CANCEL] = "cancel",
	[EVENT_TEAMS] = "teams",
	[EVENT_TARGET_BEGIN] = "target-begin",
	[EVENT_TARGET_END] = "target-end",
	[EVENT_DEVICE_INITIALIZE] = "device-initialize",
	[EVENT_DEVICE_FINALIZE] = "device-finalize",
	[EVENT_CONTROL] = "control",
	[EVENT_SHUTDOWN] = "shutdown",
};

/* All events whose names begin with one of these words, up to a dash. */
static const struct {
	const char *name, *words[10];
} groups[] = {
	{ "thread", { "thread" } },
	{ "parallel", { "parallel", "implicit" } },
	{ "task", { "task", "taskwait", "taskgroup", "dependence" } },
	{ "barrier", { "barrier" } },
	{ "critical", { "critical" } },
	{ "lock", { "lock" } },
	{ "ordered", { "ordered" } },
	{ "loop", { "loop" } },
	{ "target", { "target", "device" } },
	{ "sync",
	  { "barrier", "critical", "lock", "ordered", "atomic", "flush", "taskwait", "taskgroup",
	    "reduction" } },
	{ "all", { "" } },
};

const char *const runtime_event_groups[] = { "thread",   "parallel", "task",    "barrier",
					     "critical", "lock",     "ordered", "loop",
					     "target",   "sync",     "all",     NULL };

static bool belongs(const char *name, const char *const *words)
{
	for (size_t i = 0; i < 10 && words[i]; i++) {
		size_t len = strlen(words[i]);
		if (!len || (!strncmp(name, words[i], len) && (!name[len] || name[len] == '-')))
			return true;
	}
	return false;
}

event_set runtime_event_find(const char *name)
{
	event_set ret = 0;

	for (unsigned int i = 0; i < NUM_EVENTS; i++) {
		if (!strcmp(runtime_event_names[i], name))
			return EVENT_BIT(i);
	}
	for (size_t g = 0; g < sizeof(groups) / sizeof(*groups); g++) {
		if (strcmp(groups[g].name, name) != 0)
			continue;
		for (unsigned int i = 0; i < NUM_EVENTS; i++)
			ret |= belongs(runtime_event_names[i], groups[g].words) ? EVENT_BIT(i) : 0;
	}
	return ret;
}

static bool is_end(const struct event_row *row)
{
	return !row->function && !row->note;
}

const struct event_row *runtime_event_next(const struct event_row *const *tables,
					   const struct event_row *row)
{
	if (row && !is_end(row + 1))
		return row + 1;
	for (; tables && *tables; tables++) {
		const struct event_row *at = *tables;
		if (!row && !is_end(at))
			return at;
		while (at != row && !is_end(at))
			at++;
		row = at == row ? NULL : row;
	}
	return NULL;
}
