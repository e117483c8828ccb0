/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_thread.h"

#include <string.h>

#include "ompd/picture/arrivals.h"

/* Functions in which a thread sleeps until another one of the process wakes it. */
static const char *const signalled[] = {
	"sem_wait",
	"pthread_join",
	"pthread_barrier_wait",
	"pthread_rwlock_rdlock",
	"pthread_rwlock_wrlock",
	"thrd_join",
};

enum wait_whom why_thread_waits_for(const struct picture_wait *w)
{
	enum wait_whom whom = wait_kind_whom(w->kind);

	/* Of C++, whose waits without a name of their own others of the process end. */
	if (whom == FOR_WORLD && !w->limited && w->name && !strncmp(w->name, "std::", 5))
		return FOR_SIGNAL;
	if (whom == FOR_ENDING && w->holder < 0)
		return FOR_SIGNAL;
	if (w->limited)
		return whom == FOR_SIGNAL ? FOR_WORLD : whom;
	for (size_t i = 0; i < sizeof(signalled) / sizeof(*signalled); i++) {
		if (whom == FOR_WORLD && w->name && !strcmp(w->name, signalled[i]))
			return FOR_SIGNAL;
	}
	return whom;
}

bool why_thread_is_held(const struct picture_thread *t)
{
	static const bool waits[NUM_WAIT_WHOM] = {
		[FOR_TEAM] = true,  [FOR_CHILDREN] = true, [FOR_HOLDER] = true, [FOR_TURN] = true,
		[FOR_EVENT] = true, [FOR_LEAGUE] = true,   [FOR_ENDING] = true,
	};

	/* Who does not sleep may be on its way to where others take it to be. */
	return t->held && (!t->wait.settled || !waits[why_thread_waits_for(&t->wait)]);
}

/* ---- rest ------------------------------------------------------------------------------- */

/*
 * CPU time in which a thread that spins looks at what it waits for at least once; and what a look
 * at it may cost one that sleeps.
 */
#define SPIN_SECONDS  0.0003
#define SLEEP_SECONDS 0.0005

/*
 * LLVM's runtime wakes those who sleep at a barrier again and again while tasks are left: they
 * sleep and spin by turns. That they have not passed it is seen by its generation.
 */
static bool is_kept_awake(const struct picture *p, int thread, double used)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_region *r = picture_region(p, th->region);

	return used >= SLEEP_SECONDS && r && r->generation >= 0 &&
	       wait_kind_whom(th->wait.kind) == FOR_TEAM;
}

/* What the runtime counted at a barrier, and who waits there by the stacks, is the same. */
static bool is_counted_alike(const struct picture *p, int thread)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_region *r = picture_region(p, th->region);
	enum arrival wanted = arrivals_of(p, thread, th->region);
	long arrived = 0;

	if (!th->wait.counted || !r)
		return false;
	vec_for_each (member, &r->members) {
		enum arrival its = *member < 0 ? ARRIVED_NOT : arrivals_of(p, *member, th->region);
		if (its == ARRIVED_SOMEWHERE)
			return true;
		arrived += its == wanted;
	}
	return arrived == th->wait.arrived;
}

/*
 * A thread that spins, of which there is one look alone. It may be about to see that it can go on:
 * counts have to agree; and where it would go to sleep after a while, who has what it waits for has
 * to be known. With LLVM's runtime threads spin for locks and turns for ever: spinning tells
 * nothing.
 */
static bool spins_in_vain(const struct why_graph *g, int thread)
{
	const struct picture_wait *w = why_nodes_wait(g, thread);
	enum wait_whom whom = wait_kind_whom(w->kind);

	if (!w->sleeps)
		return true;
	if (whom == FOR_TEAM)
		return is_counted_alike(g->picture, thread);
	return whom != FOR_CHILDREN && (whom != FOR_TURN || w->holder >= 0);
}

bool why_thread_is_at_rest(const struct why_graph *g, int thread)
{
	const struct picture_wait *w = why_nodes_wait(g, thread);
	const struct progress_thread *pace = progress_thread(g->progress, thread);

	if (why_thread_is_held(picture_thread(g->picture, thread)))
		return true;
	/* It has been let go, and only has not seen that yet. */
	if (w->over || (w->kind == WAIT_MEMORY && !w->nlooks_at))
		return false;
	/* Of the program's own loops one look tells nothing. */
	if (w->kind == WAIT_MEMORY && g->progress->looks < 2)
		return false;
	if (g->progress->looks < 2)
		return w->settled || (g->spin_is_wait && w->spinning && spins_in_vain(g, thread));
	if (!pace || pace->moved)
		return false;
	/* It sleeps in its loop, which goes on as it does by what memory has now. */
	if (w->kind == WAIT_MEMORY && !w->spinning)
		return true;
	double used = pace->load * g->progress->seconds;
	if (w->kind == WAIT_NONE || pace->load < 0)
		return w->kind != WAIT_NONE && w->settled;
	if (w->spinning || is_kept_awake(g->picture, thread, used))
		return used > SPIN_SECONDS;
	return w->settled && used < SLEEP_SECONDS;
}
