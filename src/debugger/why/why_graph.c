/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_graph.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/why/why_tasks.h"

/* Threads of a league that are looked at. */
enum { LEAGUE_MAX = 64 };

/* ---- barriers --------------------------------------------------------------------------- */

/* A thread that is being made, or not known yet: it may be the one that is missing. */
static bool has_newcomer(const struct picture *p)
{
	vec_for_each (th, &p->threads) {
		if (th->role == ROLE_NONE && !th->wait.settled)
			return true;
	}
	return false;
}

static bool add_missing(struct why_graph *g, int node, int region)
{
	const struct picture_region *r = &g->picture->regions.items[region];
	enum why_arrival wanted = g->states.items[node].plain ? ARRIVED_PLAIN : ARRIVED_END;
	bool lost = false;

	vec_for_each (member, &r->members) {
		if (*member < 0) {
			lost = true;
			continue;
		}
		enum why_arrival its = why_thread_arrival(g->picture, *member, region);
		if (its != wanted && its != ARRIVED_SOMEWHERE &&
		    !why_nodes_add_edge(g, node, *member, WHY_MUST_COME, WHY_KNOWN))
			return false;
	}
	if (lost && has_newcomer(g->picture)) {
		g->states.items[node].end = END_BUSY;
		return true;
	}
	return !lost || why_nodes_add_end(g, node, END_WORKER);
}

/* ---- locks and turns -------------------------------------------------------------------- */

/* Somebody who waits for the same thing is not at rest: it may just have got it. */
static bool is_in_flux(const struct why_graph *g, const struct picture_wait *w)
{
	vec_for_each (th, &g->restless) {
		const struct picture_wait *its = &g->picture->threads.items[*th].wait;
		if (its->kind == w->kind &&
		    (!its->object || !w->object || its->object == w->object))
			return true;
	}
	return false;
}

/* No thread has taken it and not given it back, nor anything that it could be. */
static bool is_lost(const struct why_graph *g)
{
	return g->picture->holds_complete && !why_nodes_unknown_hold(g->picture);
}

static bool add_holder(struct why_graph *g, int node, int waiter)
{
	const struct picture_wait *w = &g->picture->threads.items[waiter].wait;

	if (w->holder >= 0)
		return why_nodes_add_edge(g, node, w->holder, WHY_HELD_BY,
					  w->holder_source == SOURCE_INFERRED ? WHY_LIKELY
									      : WHY_KNOWN);
	if (w->kind == WAIT_MUTEX || w->kind == WAIT_ATOMIC)
		return why_nodes_add_end(g, node, END_HOLDER);
	if (is_in_flux(g, w)) {
		g->states.items[node].end = END_BUSY;
		return true;
	}
	return why_nodes_add_end(g, node, is_lost(g) ? END_LOST : END_HOLDER);
}

/* Whose turn it is; not known: one of those who do not wait for theirs, or may be about to go on.
 */
static bool add_turn(struct why_graph *g, int node, int waiter)
{
	const struct picture_thread *th = &g->picture->threads.items[waiter];
	bool ok = true;

	int turn = th->wait.holder;
	if (turn >= 0 && g->picture->threads.items[turn].wait.kind != th->wait.kind)
		return why_nodes_add_edge(g, node, turn, WHY_HELD_BY, WHY_KNOWN);
	if (turn >= 0) {
		g->states.items[node].end = END_BUSY; /* it has just become its turn */
		return true;
	}
	if (th->region < 0) {
		g->states.items[node].end = END_UNKNOWN;
		return true;
	}
	g->states.items[node].any = true;
	vec_for_each (member, &g->picture->regions.items[th->region].members) {
		bool waits = *member >= 0 &&
			     g->picture->threads.items[*member].wait.kind == th->wait.kind;
		if (waits && !why_thread_is_calm(g, *member))
			g->states.items[node].end = END_BUSY; /* it may be the one */
		if (*member >= 0 && !waits)
			ok = ok && why_nodes_add_edge(g, node, *member, WHY_HELD_BY, WHY_LIKELY);
	}
	return ok;
}

static bool add_league(struct why_graph *g, int thread)
{
	const struct picture_thread *th = &g->picture->threads.items[thread];
	int left = LEAGUE_MAX;
	bool ok = true;

	g->states.items[thread].any = true;
	for (size_t i = 0; ok && left > 0 && i < g->picture->threads.len; i++) {
		const struct picture_thread *its = &g->picture->threads.items[i];
		if (its->runtime != th->runtime || its->region < 0 || its->wait.kind == WAIT_TEAMS)
			continue;
		left--;
		ok = why_nodes_add_edge(g, thread, (int)i, WHY_MUST_COME, WHY_LIKELY);
	}
	if (!left || left == LEAGUE_MAX)
		g->states.items[thread].end = END_UNKNOWN;
	return ok;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* The node that all who wait for one thing share. */
static bool find_shared(struct why_graph *g, enum why_shared which, int waiter, int *ret)
{
	int region = g->picture->threads.items[waiter].region;

	if (region < 0)
		return why_nodes_add(g, WHY_NODE_OBJECT, waiter, waiter, ret);
	int *node = &g->shared[region * NUM_WHY_SHARED + (int)which];
	bool barrier = which == SHARED_PLAIN || which == SHARED_END;
	if (*node < 0 && !why_nodes_add(g, barrier ? WHY_NODE_BARRIER : WHY_NODE_OBJECT,
					barrier ? region : waiter, waiter, node))
		return false;
	g->states.items[*node].plain = which == SHARED_PLAIN;
	*ret = *node;
	return true;
}

static bool same_lock(const struct picture_wait *a, const struct picture_wait *b)
{
	return a->object == b->object && a->kind == b->kind;
}

static bool find_lock(struct why_graph *g, int waiter, int *ret)
{
	const struct picture_thread *threads = g->picture->threads.items;
	const struct picture_wait *w = &threads[waiter].wait;
	size_t slot = (w->object >> 3) * 0x9e3779b97f4a7c15 + (unsigned int)w->kind;

	if (!w->object)
		return why_nodes_add(g, WHY_NODE_OBJECT, waiter, waiter, ret);
	for (slot %= g->nlocks; g->locks[slot] >= 0; slot = (slot + 1) % g->nlocks) {
		*ret = g->locks[slot];
		if (same_lock(w, &threads[g->states.items[*ret].waiter].wait))
			return true;
	}
	if (!why_nodes_add(g, WHY_NODE_OBJECT, waiter, waiter, ret))
		return false;
	g->locks[slot] = *ret;
	return true;
}

static bool connect_thread(struct why_graph *g, int thread)
{
	static const enum why_end ends[] = {
		[FOR_NOBODY] = END_COMPUTES, [FOR_SIGNAL] = END_SIGNAL, [FOR_WORLD] = END_OUTSIDE,
		[FOR_RUNTIME] = END_BUSY,    [FOR_WORK] = END_IDLE,     [NOT_KNOWN] = END_UNKNOWN,
	};
	const struct picture_wait *w = &g->picture->threads.items[thread].wait;
	enum why_relation relation = why_thread_relation(w);
	int to;

	switch (relation) {
	case FOR_CHILDREN:
		return why_tasks_add_children(g, thread);
	case FOR_EVENT:
		return why_nodes_add_end(g, thread, END_EVENT);
	case FOR_TEAM:
		return find_shared(g, w->kind == WAIT_REGION_END ? SHARED_END : SHARED_PLAIN,
				   thread, &to) &&
		       why_nodes_add_edge(g, thread, to, WHY_WAITS_FOR, WHY_KNOWN);
	case FOR_TURN:
		return find_shared(g, w->kind == WAIT_ORDERED ? SHARED_TURN : SHARED_ITERATION,
				   thread, &to) &&
		       why_nodes_add_edge(g, thread, to, WHY_WAITS_FOR, WHY_KNOWN);
	case FOR_LEAGUE:
		return add_league(g, thread);
	case FOR_HOLDER:
		return find_lock(g, thread, &to) &&
		       why_nodes_add_edge(g, thread, to, WHY_WAITS_FOR, WHY_KNOWN);
	case FOR_NOBODY:
	case FOR_SIGNAL:
	case FOR_WORLD:
	case FOR_RUNTIME:
	case FOR_WORK:
	case NOT_KNOWN:
		g->states.items[thread].end = ends[relation];
		return true;
	}
	return true;
}

static bool connect_object(struct why_graph *g, int node)
{
	int waiter = g->states.items[node].waiter;
	enum why_relation relation =
		why_thread_relations[g->picture->threads.items[waiter].wait.kind];

	if (relation == FOR_TURN)
		return add_turn(g, node, waiter);
	if (relation == FOR_HOLDER)
		return add_holder(g, node, waiter);
	g->states.items[node].end = END_UNKNOWN; /* the barrier of a team that is not known */
	return true;
}

static bool connect_barrier(struct why_graph *g, int node)
{
	int region = g->why->nodes.items[node].index;
	size_t before = g->why->edges.len;

	if (!add_missing(g, node, region))
		return false;
	return g->why->edges.len > before || g->states.items[node].end != END_NONE ||
	       why_tasks_add_all(g, node, region);
}

static bool connect(struct why_graph *g, int node)
{
	switch (g->why->nodes.items[node].kind) {
	case WHY_NODE_THREAD:
		return connect_thread(g, node);
	case WHY_NODE_TASK:
		return why_tasks_connect(g, node);
	case WHY_NODE_OBJECT:
		return connect_object(g, node);
	case WHY_NODE_BARRIER:
		return connect_barrier(g, node);
	case WHY_NODE_NOBODY:
		return true;
	}
	return true;
}

/* ---- all -------------------------------------------------------------------------------- */

static int *all_none(size_t n)
{
	int *ret = malloc((n + 1) * sizeof(*ret));

	if (ret)
		memset(ret, 0xff, (n + 1) * sizeof(*ret));
	return ret;
}

static bool prepare(struct why_graph *g)
{
	const struct picture *p = g->picture;
	int node;

	g->shared = all_none(p->regions.len * NUM_WHY_SHARED);
	g->nlocks = 2 * p->threads.len + 1;
	g->locks = all_none(g->nlocks);
	if (!g->shared || !g->locks || !why_tasks_prepare(g))
		return false;
	for (size_t i = 0; i < p->threads.len; i++) {
		const struct picture_wait *w = &p->threads.items[i].wait;
		if (!why_nodes_add(g, WHY_NODE_THREAD, (int)i, (int)i, &node))
			return false;
		if (why_thread_relations[w->kind] == FOR_HOLDER && !why_thread_is_calm(g, node) &&
		    !vec_push(&g->restless, node))
			return false;
	}
	return true;
}

static bool make(struct why_graph *g)
{
	bool ok = prepare(g);

	/* Nodes are added on the way. */
	for (size_t i = 0; ok && i < g->states.len; i++) {
		g->states.items[i].first = g->why->edges.len;
		ok = connect(g, (int)i);
		g->states.items[i].count = g->why->edges.len - g->states.items[i].first;
	}
	return ok;
}

struct error *why_graph_make(const struct picture *p, const struct progress *progress,
			     bool trusting, struct why *why, struct why_graph *ret)
{
	*ret = (struct why_graph){
		.picture = p, .progress = progress, .trusting = trusting, .why = why
	};
	return make(ret) ? NULL : &error_nomem;
}

void why_graph_fini(struct why_graph *g)
{
	free(g->tasks);
	free(g->first_task);
	free(g->shared);
	free(g->locks);
	vec_fini(&g->restless);
	vec_fini(&g->states);
}
