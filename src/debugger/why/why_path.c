/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_path.h"

#include <stdlib.h>

enum { BEFORE_MAX = 16 }; /* nodes of a path before its cycle or end */

/* Where following "next" from a node leads. */
struct route {
	int root;       /* the end, or the lowest node of a cycle; -1: not followed yet         */
	size_t depth;   /* steps until there; in a cycle 0                                      */
	bool followed;  /* at this moment                                                      */
	size_t threads; /* that wait and end here, if this is a root                           */
	size_t waiters; /* threads that wait for this node alone                               */
	size_t place;   /* on the path that is written, from 1 on; 0: not on it                */
};

static int next_of(const struct why_graph *g, int node)
{
	return why_nodes_state(g, node)->next;
}

/* Marks a cycle by its lowest node. */
static void close_cycle(const struct why_graph *g, struct route *routes, int node)
{
	int lowest = node;

	for (int i = next_of(g, node); i != node; i = next_of(g, i))
		lowest = i < lowest ? i : lowest;
	int i = node;
	do {
		routes[i].root = lowest;
		i = next_of(g, i);
	} while (i != node);
}

/* Follows a node until something known, then goes there once more and writes it down. */
static void follow(const struct why_graph *g, struct route *routes, int start)
{
	size_t steps = 0;
	int node = start;

	while (routes[node].root < 0 && !routes[node].followed && next_of(g, node) >= 0) {
		routes[node].followed = true;
		node = next_of(g, node);
		steps++;
	}
	if (routes[node].root < 0 && routes[node].followed)
		close_cycle(g, routes, node);
	else if (routes[node].root < 0)
		routes[node].root = node;
	int root = routes[node].root;
	size_t depth = routes[node].depth;
	for (int i = start; steps > 0; i = next_of(g, i), steps--) {
		routes[i].followed = false;
		if (routes[i].root >= 0)
			continue; /* of the cycle, or the end */
		routes[i].root = root;
		routes[i].depth = depth + steps;
	}
}

/* Whether a thread waits for others; stuck: of those that nobody can help. */
static bool is_waiting(const struct why_graph *g, int thread, bool stuck)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);
	const struct why_state *state = why_nodes_state(g, thread);

	/* The second: not a matter of OpenMP, and a signal handler may be to come. */
	if (th->wait.kind == WAIT_IDLE || (th->region < 0 && state->end == END_SIGNAL))
		return false;
	return stuck ? why_nodes_get(g, thread)->stuck : state->count > 0;
}

/* The root that most threads have in common. -1: none waits. */
static int most_common(const struct why_graph *g, struct route *routes, bool stuck)
{
	int best = -1;

	for (int i = 0; i < (int)g->picture->threads.len; i++) {
		if (!is_waiting(g, i, stuck))
			continue;
		int root = routes[i].root;
		routes[root].threads++;
		if (best < 0 || routes[root].threads > routes[best].threads)
			best = root;
	}
	return best;
}

/* The thread furthest from the root; of several the one that most others are like. */
static int find_start(const struct why_graph *g, struct route *routes, int root, bool stuck)
{
	int n = (int)g->picture->threads.len, best = -1;
	size_t most = 0;

	for (int i = 0; i < n; i++) {
		if (why_nodes_target(g, i) >= 0)
			routes[why_nodes_target(g, i)].waiters++;
	}
	for (int i = 0; i < n; i++) {
		if (!is_waiting(g, i, stuck) || routes[i].root != root ||
		    (best >= 0 && routes[i].depth < routes[best].depth))
			continue;
		int target = why_nodes_target(g, i);
		size_t alike = target >= 0 ? routes[target].waiters : 1;
		bool further = best < 0 || routes[i].depth > routes[best].depth;
		if (further || alike > most) {
			best = i;
			most = alike;
		}
	}
	return best;
}

bool why_path_has(const struct why_path *path, int node)
{
	vec_for_each (other, &path->nodes) {
		if (*other == node)
			return true;
	}
	return false;
}

static void write_path(const struct why_graph *g, struct route *routes, int start,
		       struct why_path *ret)
{
	int node = start;

	for (size_t skip = routes[start].depth; skip > BEFORE_MAX; skip--)
		node = next_of(g, node);
	while (!why_nodes_is_thread(g, node) && routes[node].depth)
		node = next_of(g, node);
	size_t n = 0;
	for (; node >= 0 && !routes[node].place; node = next_of(g, node)) {
		g->why->failed |= !vec_push(&ret->nodes, node);
		routes[node].place = ++n;
	}
	ret->cycle = node >= 0 ? routes[node].place - 1 : n;
}

/*
 * The path may lead into a cycle by a barrier, or turn, for which a thread of the cycle waits as
 * well, as one of many: one of them is enough.
 */
static void drop_twin(const struct why_graph *g, struct why_path *path)
{
	size_t len = path->nodes.len, entry = path->cycle;

	if (!entry || entry >= len || len - entry < 3)
		return;
	int twin = path->nodes.items[entry - 1], before = path->nodes.items[len - 2];
	if (!why_nodes_edge(g, before, twin))
		return;
	path->nodes.len--;
	path->cycle--;
}

void why_path_find(const struct why_graph *g, struct why_path *ret)
{
	size_t n = g->states.len;
	AUTO_FREE struct route *routes = calloc(n + 1, sizeof(*routes));

	if (!routes) {
		g->why->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		routes[i].root = -1;
	for (size_t i = 0; i < n; i++)
		follow(g, routes, (int)i);
	bool stuck = true;
	int root = most_common(g, routes, stuck);
	if (root < 0) {
		stuck = false;
		root = most_common(g, routes, stuck);
	}
	if (root < 0)
		return;
	write_path(g, routes, find_start(g, routes, root, stuck), ret);
	drop_twin(g, ret);
}

/* ---- where nobody waits ------------------------------------------------------------------ */

static int freedom(const struct why_graph *g, int thread)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);

	/* The threads of a league are in no region that is known. */
	if (th->region < 0 && th->role != ROLE_PRIMARY && th->wait.kind != WAIT_TEAMS)
		return 0;
	return why_end_facts(why_nodes_state(g, thread)->end)->freedom;
}

int why_path_freest(const struct why_graph *g)
{
	int best = -1, most = 0;

	for (int i = 0; i < (int)g->picture->threads.len; i++) {
		if (freedom(g, i) > most) {
			best = i;
			most = freedom(g, i);
		}
	}
	return best;
}
