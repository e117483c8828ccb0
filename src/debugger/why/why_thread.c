/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_thread.h"

#include <string.h>

#include "ompd/wait.h"

const enum why_relation why_thread_relations[NUM_WAIT_KINDS] = {
	[WAIT_NONE] = FOR_NOBODY,         [WAIT_IDLE] = FOR_WORK,
	[WAIT_BARRIER] = FOR_TEAM,        [WAIT_EXPLICIT_BARRIER] = FOR_TEAM,
	[WAIT_REGION_END] = FOR_TEAM,     [WAIT_WORKSHARE_END] = FOR_TEAM,
	[WAIT_COPYPRIVATE] = FOR_TEAM,    [WAIT_SINGLE] = FOR_TEAM,
	[WAIT_TASKWAIT] = FOR_CHILDREN,   [WAIT_TASKGROUP] = FOR_CHILDREN,
	[WAIT_DEPENDENCE] = FOR_CHILDREN, [WAIT_CRITICAL] = FOR_HOLDER,
	[WAIT_LOCK] = FOR_HOLDER,         [WAIT_NEST_LOCK] = FOR_HOLDER,
	[WAIT_ATOMIC] = FOR_HOLDER,       [WAIT_MUTEX] = FOR_HOLDER,
	[WAIT_ORDERED] = FOR_TURN,        [WAIT_DOACROSS] = FOR_TURN,
	[WAIT_TASK_EVENT] = FOR_EVENT,    [WAIT_TEAMS] = FOR_LEAGUE,
	[WAIT_CONDITION] = FOR_SIGNAL,    [WAIT_SYSCALL] = FOR_WORLD,
	[WAIT_MPI] = FOR_WORLD,           [WAIT_RUNTIME] = FOR_RUNTIME,
	[WAIT_UNKNOWN] = NOT_KNOWN,
};

/* Functions in which a thread sleeps until another one of the process wakes it. */
static const char *const signalled[] = {
	"sem_wait",
	"pthread_join",
	"pthread_barrier_wait",
	"pthread_rwlock_rdlock",
	"pthread_rwlock_wrlock",
	"thrd_join",
};

enum why_relation why_thread_relation(const struct picture_wait *w)
{
	enum why_relation relation = why_thread_relations[w->kind];

	if (w->limited)
		return relation == FOR_SIGNAL ? FOR_WORLD : relation;
	for (size_t i = 0; i < sizeof(signalled) / sizeof(*signalled); i++) {
		if (relation == FOR_WORLD && w->name && !strcmp(w->name, signalled[i]))
			return FOR_SIGNAL;
	}
	return relation;
}

/* ---- barriers --------------------------------------------------------------------------- */

static enum why_arrival arrival_of(enum wait_kind kind)
{
	if (why_thread_relations[kind] != FOR_TEAM)
		return ARRIVED_NOT;
	return kind == WAIT_REGION_END ? ARRIVED_END : ARRIVED_PLAIN;
}

static enum why_arrival arrival_by(const struct picture_wait *w)
{
	if (w->kind == WAIT_BARRIER &&
	    (!w->place.pc || runtime_entry_wait(w->entry) != WAIT_BARRIER))
		return ARRIVED_SOMEWHERE;
	return arrival_of(w->kind);
}

/* Where a thread was when it began to execute a task: at a barrier? */
static enum why_arrival arrival_before(const struct span *s)
{
	return s->root ? ARRIVED_END : arrival_of(runtime_entry_wait(s->entry));
}

enum why_arrival why_thread_arrival(const struct picture *p, int thread, int region)
{
	const struct picture_thread *th = picture_thread(p, thread);
	int now = th->region;

	if (now == region && arrival_by(&th->wait))
		return arrival_by(&th->wait);
	for (size_t i = 0; i < th->spans.list.len && now >= 0; i++) {
		const struct span *s = &th->spans.list.items[i];
		if (now == region && s->call == SPAN_TASK && arrival_before(s))
			return arrival_before(s);
		if (s->call == SPAN_PARALLEL)
			now = picture_region(p, now)->parent;
	}
	return ARRIVED_NOT;
}

/* ---- rest ------------------------------------------------------------------------------- */

/*
 * CPU time in which a thread that spins looks at what it waits for at least once; and what a look
 * at it may cost one that sleeps.
 */
#define SPIN_SECONDS  0.0003
#define SLEEP_SECONDS 0.0005

bool why_thread_is_at_rest(const struct why_graph *g, int thread)
{
	const struct picture_wait *w = why_nodes_wait(g, thread);
	const struct progress_thread *pace = progress_thread(g->progress, thread);

	if (g->progress->looks < 2)
		return w->settled || (g->spin_is_wait && w->spinning);
	if (!pace || pace->moved)
		return false;
	double used = pace->load * g->progress->seconds;
	if (w->kind == WAIT_NONE || pace->load < 0)
		return w->kind != WAIT_NONE && w->settled;
	return w->spinning ? used > SPIN_SECONDS : w->settled && used < SLEEP_SECONDS;
}
