/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_path.h"

#include <stdlib.h>
#include <string.h>

enum { BEFORE_MAX = 16 }; /* nodes of a path before its cycle or end */

/* Where following "next" from a node leads. */
struct way {
	int root;     /* the end, or the lowest node of a cycle; -1: not followed yet         */
	size_t depth; /* steps until there; in a cycle 0                                      */
	bool open;    /* on the way that is being followed                                    */
};

static int next_of(const struct why_graph *g, int node)
{
	return g->states.items[node].next;
}

/* Marks a cycle by its lowest node. */
static void close_cycle(const struct why_graph *g, struct way *ways, int node)
{
	int lowest = node;

	for (int i = next_of(g, node); i != node; i = next_of(g, i))
		lowest = i < lowest ? i : lowest;
	int i = node;
	do {
		ways[i].root = lowest;
		i = next_of(g, i);
	} while (i != node);
}

/* Follows a node until something known, then goes the same way again and writes it down. */
static void follow(const struct why_graph *g, struct way *ways, int start)
{
	size_t steps = 0;
	int node = start;

	while (ways[node].root < 0 && !ways[node].open && next_of(g, node) >= 0) {
		ways[node].open = true;
		node = next_of(g, node);
		steps++;
	}
	if (ways[node].root < 0 && ways[node].open)
		close_cycle(g, ways, node);
	else if (ways[node].root < 0)
		ways[node].root = node;
	int root = ways[node].root;
	size_t depth = ways[node].depth;
	for (int i = start; steps > 0; i = next_of(g, i), steps--) {
		ways[i].open = false;
		if (ways[i].root >= 0)
			continue; /* of the cycle, or the end */
		ways[i].root = root;
		ways[i].depth = depth + steps;
	}
}

/* Whether a thread waits for others; stuck: of those that nobody can help. */
static bool is_waiting(const struct why_graph *g, int thread, bool stuck)
{
	const struct picture_thread *th = &g->picture->threads.items[thread];

	if (th->wait.kind == WAIT_IDLE)
		return false;
	/* Not a matter of OpenMP, and a signal handler may be to come. */
	if (th->region < 0 && g->states.items[thread].end == END_SIGNAL)
		return false;
	if (!stuck)
		return g->states.items[thread].count > 0;
	return g->why->nodes.items[thread].stuck;
}

/* The root that most threads have in common. -1: none waits. */
static int most_common(const struct why_graph *g, const struct way *ways, size_t *counts,
		       bool stuck)
{
	int best = -1;

	for (size_t i = 0; i < g->picture->threads.len; i++) {
		if (!is_waiting(g, (int)i, stuck))
			continue;
		int root = ways[i].root;
		counts[root]++;
		if (best < 0 || counts[root] > counts[best])
			best = root;
	}
	return best;
}

/* How many threads wait for each node; counts is empty before. */
static void count_waiters(const struct why_graph *g, size_t *counts)
{
	for (int i = 0; i < (int)g->picture->threads.len; i++) {
		if (why_nodes_target(g, i) >= 0)
			counts[why_nodes_target(g, i)]++;
	}
}

/* The thread furthest from the root; of several the one that most others are like. */
static int find_start(const struct why_graph *g, const struct way *ways, const size_t *waiters,
		      int root, bool stuck)
{
	int best = -1;
	size_t size = 0;

	for (size_t i = 0; i < g->picture->threads.len; i++) {
		if (!is_waiting(g, (int)i, stuck) || ways[i].root != root ||
		    (best >= 0 && ways[i].depth < ways[best].depth))
			continue;
		bool further = best < 0 || ways[i].depth > ways[best].depth;
		int target = why_nodes_target(g, (int)i);
		size_t its = target >= 0 ? waiters[target] : 1;
		if (!further && its <= size)
			continue;
		best = (int)i;
		size = its;
	}
	return best;
}

static struct error *write_path(const struct why_graph *g, const struct way *ways, int start,
				struct why_path *ret)
{
	AUTO_FREE size_t *seen = calloc(g->states.len, sizeof(*seen)); /* index on the path + 1 */
	int node = start;

	if (!seen)
		return &error_nomem;
	for (size_t skip = ways[start].depth; skip > BEFORE_MAX; skip--)
		node = next_of(g, node);
	while (g->why->nodes.items[node].kind != WHY_NODE_THREAD && ways[node].depth)
		node = next_of(g, node);
	for (; node >= 0 && !seen[node]; node = next_of(g, node)) {
		if (!vec_push(&ret->nodes, node))
			return &error_nomem;
		seen[node] = ret->nodes.len;
	}
	ret->cycle = node >= 0 ? seen[node] - 1 : ret->nodes.len;
	return NULL;
}

/*
 * The way may lead into a cycle by a barrier, or turn, for which a thread of the cycle waits as
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

struct error *why_path_find(const struct why_graph *g, struct why_path *ret)
{
	size_t n = g->states.len;
	AUTO_FREE struct way *ways = calloc(n + 1, sizeof(*ways));
	AUTO_FREE size_t *counts = calloc(n + 1, sizeof(*counts));

	if (!ways || !counts)
		return &error_nomem;
	for (size_t i = 0; i < n; i++)
		ways[i].root = -1;
	for (size_t i = 0; i < n; i++)
		follow(g, ways, (int)i);
	bool stuck = true;
	int root = most_common(g, ways, counts, stuck);
	if (root < 0) {
		stuck = false;
		root = most_common(g, ways, counts, stuck);
	}
	if (root < 0)
		return NULL;
	memset(counts, 0, n * sizeof(*counts));
	count_waiters(g, counts);
	int start = find_start(g, ways, counts, root, stuck);
	struct error *err = write_path(g, ways, start, ret);
	if (!err)
		drop_twin(g, ret);
	return err;
}

/* ---- where nobody waits ------------------------------------------------------------------ */

static int freedom(const struct why_graph *g, int thread)
{
	switch (g->states.items[thread].end) {
	case END_COMPUTES:
		return 4;
	case END_OUTSIDE:
		return 3;
	case END_SIGNAL:
		return 2;
	case END_BUSY:
	case END_UNKNOWN:
		return 1;
	case END_NONE:
	case END_IDLE:
	case END_HOLDER:
	case END_LOST:
	case END_WORKER:
	case END_EVENT:
	case END_TASK:
		break;
	}
	return 0;
}

/* The threads of a league are in no region that is known. */
static bool is_in_construct(const struct picture_thread *th)
{
	return th->region >= 0 || th->role == ROLE_PRIMARY || th->wait.kind == WAIT_TEAMS;
}

int why_path_freest(const struct why_graph *g)
{
	int best = -1;

	for (size_t i = 0; i < g->picture->threads.len; i++) {
		if (!is_in_construct(&g->picture->threads.items[i]) || !freedom(g, (int)i))
			continue;
		if (best < 0 || freedom(g, (int)i) > freedom(g, best))
			best = (int)i;
	}
	return best;
}
