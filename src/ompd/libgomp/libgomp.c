/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp.h"

#include <stdio.h>
#include <string.h>

#include "ompd/client/openmp.h"
#include "ompd/gomp/gomp_extra.h"
#include "ompd/libgomp/libgomp_entries.h"
#include "ompd/libgomp/libgomp_events.h"
#include "ompd/libgomp/libgomp_facts.h"
#include "ompd/libgomp/libgomp_loops.h"
#include "ompd/libgomp/libgomp_own.h"

struct library libgomp_library(void)
{
	struct library l = { 0 };

#define ENTRY(name, form) l.api.name = ompd_##name;
	LIBRARY_ENTRIES(ENTRY)
#undef ENTRY
	return l;
}

static void describe(struct openmp *o)
{
	struct gomp_release release = { 0 };
	char version[32];

	if (gomp_extra_release(o->space, &release) != ompd_rc_ok)
		return;
	openmp_set_text(&o->status, release.note);
	if (!release.least)
		return;
	if (release.least == release.most)
		snprintf(version, sizeof(version), "GCC %d", release.least);
	else
		snprintf(version, sizeof(version), "GCC %d to %d", release.least, release.most);
	openmp_set_text(&o->version, version);
}

static struct error *begin(struct openmp *o, const struct openmp_source *source)
{
	(void)source;
	o->library = libgomp_library();
	if (openmp_ask(o))
		describe(o);
	else
		openmp_set_text(&o->status, "unknown libgomp: only stacks");
	return o->status ? NULL : &error_nomem;
}

static const char *const signs[] = { "GOMP_parallel", "GOMP_parallel_start" /* before GCC 4.9 */,
				     NULL };
static const char *const linked[] = { "GOMP_", "gomp_", "omp_", NULL };
static const struct runtime_entry *const entries[] = { libgomp_entries, NULL };
static const struct event_row *const events[] = { libgomp_events, NULL };
static const struct loop_call *const loop_calls[] = { libgomp_loop_calls, NULL };
static const char *const task_waits[] = { "GOMP_taskwait", "GOMP_taskwait_depend",
					  "GOMP_taskgroup_end", "GOMP_barrier", NULL };
static const struct user_call *const user_calls[] = { libgomp_user_calls, NULL };
/* GCC makes detachable tasks with a flag of GOMP_task(): what ends them tells. */
static const char *const detaching[] = { "omp_fulfill_event", "omp_fulfill_event_", NULL };

/* config/linux/mutex.h: 0 is free; taken: 1, and -1 where somebody waits. */
static enum lock_state lock_state(uint32_t word)
{
	bool held = word == 1 || word == UINT32_MAX;

	return !word ? LOCK_FREE : held ? LOCK_HELD : LOCK_UNKNOWN;
}

/* What is libgomp's, and where the C library keeps the environment. */
static bool find_symbol(const struct ompd_address_space_context *context, const char *name,
			const struct thread *th, taddr *ret)
{
	struct exports *libc = context->runtimes->libc;
	const struct export *e = libc && !strcmp(name, "environ") ? exports_find(libc, name) : NULL;

	(void)th;
	if (!e)
		return runtime_find(context->runtimes, context->runtime, name, ret);
	*ret = e->addr;
	return true;
}

const struct runtime_ops libgomp_ops = {
	.name = "libgomp",
	.signs = signs,
	.linked = linked,
	.entries = entries,
	.loop_calls = loop_calls,
	.events = events,
	.user_calls = user_calls,
	.task_waits = task_waits,
	.detaching = detaching,
	.stale_members = true,
	.workers_direct = true,
	.version_of_compiler = true,
	.own_number = libgomp_own_number,
	.begin = begin,
	.find_symbol = find_symbol,
	.is_known = libgomp_facts_is_known,
	.is_idle = libgomp_facts_is_idle,
	.read_region = libgomp_facts_read_region,
	.read_task = libgomp_facts_read_task,
	.add_tasks = libgomp_facts_add_tasks,
	.add_predecessors = libgomp_facts_add_predecessors,
	.suspended = libgomp_facts_suspended,
	.refine_wait = libgomp_facts_refine_wait,
	.holder = libgomp_facts_holder,
	.read_loop = libgomp_loops_read,
	.read_taskloop = libgomp_loops_read_task,
	.lock_state = lock_state,
};
