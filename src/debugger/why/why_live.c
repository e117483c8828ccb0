/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_live.h"

#include <stdlib.h>

/* ---- what can go on --------------------------------------------------------------------- */

static bool is_live_end(const struct why_graph *g, enum why_end end)
{
	switch (end) {
	case END_COMPUTES:
	case END_BUSY:
	case END_OUTSIDE:
	case END_UNKNOWN:
		return true;
	case END_SIGNAL:
	case END_HOLDER:
	case END_EVENT:
	case END_TASK:
	case END_IDLE:
		return g->anyone;
	case END_LOST:
	case END_WORKER:
	case END_NONE:
		return false;
	}
	return false;
}

static bool is_live(const struct why_graph *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];
	const struct why_state *more = &g->states.items[node];
	size_t live = 0;

	if (n->kind == WHY_NODE_THREAD && !why_thread_is_calm(g, node))
		return true;
	if (more->end != END_NONE)
		return is_live_end(g, more->end);
	for (size_t i = 0; i < more->count; i++) {
		int to = g->why->edges.items[more->first + i].to;
		live += g->states.items[to].live;
	}
	return more->any ? live > 0 : live == more->count;
}

/* Whom others need to go on: not one that must itself be woken, and not an idle worker. */
static bool is_anyone(const struct why_graph *g, int node)
{
	enum why_end end = g->states.items[node].end;

	return g->why->nodes.items[node].kind == WHY_NODE_THREAD && g->states.items[node].live &&
	       ((end != END_SIGNAL && end != END_IDLE) || !why_thread_is_calm(g, node));
}

struct queue {
	VEC(int) nodes;
	bool *waiting; /* owned; one for each node */
};

static bool enqueue(struct queue *q, int node)
{
	if (q->waiting[node])
		return true;
	q->waiting[node] = true;
	return vec_push(&q->nodes, node);
}

/* For every node those with edges to it: indices into "from", one more than there are nodes. */
struct reversed {
	size_t *first; /* owned */
	int *from;     /* owned */
};

static bool reverse(const struct why *w, struct reversed *ret)
{
	size_t n = w->nodes.len;

	ret->first = calloc(n + 2, sizeof(*ret->first));
	ret->from = calloc(w->edges.len + 1, sizeof(*ret->from));
	if (!ret->first || !ret->from)
		return false;
	vec_for_each (e, &w->edges)
		ret->first[e->to + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		ret->first[i] += ret->first[i - 1];
	vec_for_each (e, &w->edges)
		ret->from[ret->first[e->to + 1]++] = e->from;
	return true;
}

/* Those that hope for anyone at all. */
static bool enqueue_hopeful(struct why_graph *g, struct queue *q)
{
	bool ok = true;

	g->anyone = true;
	for (size_t i = 0; ok && i < g->states.len; i++) {
		if (!g->states.items[i].live && g->states.items[i].end != END_NONE)
			ok = enqueue(q, (int)i);
	}
	return ok;
}

/* What is live makes live what waits for it, until nothing changes any more. */
static bool spread(struct why_graph *g, const struct reversed *back, struct queue *q)
{
	bool ok = true;

	for (size_t i = 0; ok && i < g->states.len; i++)
		ok = enqueue(q, (int)i);
	while (ok && q->nodes.len) {
		int node = q->nodes.items[--q->nodes.len];
		q->waiting[node] = false;
		if (g->states.items[node].live || !is_live(g, node))
			continue;
		g->states.items[node].live = true;
		for (size_t i = back->first[node]; ok && i < back->first[node + 1]; i++)
			ok = enqueue(q, back->from[i]);
		if (ok && !g->anyone && is_anyone(g, node))
			ok = enqueue_hopeful(g, q);
	}
	return ok;
}

static bool find_live(struct why_graph *g)
{
	struct reversed back = { 0 };
	struct queue q = { .waiting = calloc(g->states.len + 1, sizeof(bool)) };
	bool ok = q.waiting && reverse(g->why, &back) && spread(g, &back, &q);

	for (size_t i = 0; ok && i < g->states.len; i++)
		g->why->nodes.items[i].stuck = !g->states.items[i].live;
	free(back.first);
	free(back.from);
	free(q.waiting);
	vec_fini(&q.nodes);
	return ok;
}

/* ---- whom to blame ---------------------------------------------------------------------- */

/* How much the end of an edge explains, of several. */
static int weight(const struct why_graph *g, const struct why_edge *e)
{
	static const int ends[] = {
		[END_NONE] = 2,   [END_COMPUTES] = 8, [END_BUSY] = 3,    [END_OUTSIDE] = 7,
		[END_SIGNAL] = 6, [END_IDLE] = 4,     [END_UNKNOWN] = 1, [END_HOLDER] = 5,
		[END_LOST] = 6,   [END_WORKER] = 9,   [END_EVENT] = 5,   [END_TASK] = 1,
	};
	const struct why_node *to = &g->why->nodes.items[e->to];
	int its = ends[g->states.items[e->to].end];

	if (to->kind == WHY_NODE_THREAD && g->states.items[e->to].end == END_NONE &&
	    why_thread_relations[g->picture->threads.items[to->index].wait.kind] != FOR_TEAM)
		its += 6; /* it waits for something else than all of them */
	return its;
}

static void choose_next(struct why_graph *g)
{
	for (size_t i = 0; i < g->states.len; i++) {
		struct why_state *more = &g->states.items[i];
		int best = -1;
		for (size_t k = 0; k < more->count; k++) {
			const struct why_edge *e = &g->why->edges.items[more->first + k];
			if ((!more->live && g->states.items[e->to].live) || weight(g, e) <= best)
				continue;
			best = weight(g, e);
			more->next = e->to;
		}
	}
}

bool why_live_find(struct why_graph *g)
{
	if (!find_live(g))
		return false;
	choose_next(g);
	return true;
}
