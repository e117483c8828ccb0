/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_nodes.h"

#include <string.h>

bool why_nodes_add(struct why_graph *g, enum why_node_kind kind, int index, int waiter, int *ret)
{
	struct why_node node = { .kind = kind, .index = index };
	struct why_state more = { .waiter = waiter, .next = -1 };

	if (!vec_push(&g->why->nodes, node))
		return false;
	*ret = (int)g->why->nodes.len - 1;
	return vec_push(&g->states, more);
}

bool why_nodes_add_edge(struct why_graph *g, int from, int to, enum why_edge_kind kind,
			enum why_knowledge knowledge)
{
	struct why_edge edge = { .kind = kind, .from = from, .to = to, .knowledge = knowledge };

	return vec_push(&g->why->edges, edge);
}

bool why_nodes_add_end(struct why_graph *g, int from, enum why_end end)
{
	static const enum why_edge_kind kinds[] = {
		[END_HOLDER] = WHY_HELD_BY,   [END_LOST] = WHY_HELD_BY,
		[END_WORKER] = WHY_MUST_COME, [END_EVENT] = WHY_WAITS_FOR,
		[END_TASK] = WHY_WAITS_FOR,
	};
	int waiter = g->states.items[from].waiter, node;

	if (!why_nodes_add(g, WHY_NODE_NOBODY, waiter, waiter, &node))
		return false;
	g->states.items[node].end = end;
	return why_nodes_add_edge(g, from, node, kinds[end],
				  end == END_HOLDER || end == END_TASK ? WHY_NOT_KNOWN : WHY_KNOWN);
}

bool why_nodes_unknown_hold(const struct picture *p)
{
	vec_for_each (hold, &p->holds) {
		if (!hold->object)
			return true;
	}
	return false;
}

const struct picture_leak *why_nodes_leak(const struct picture *p, int waiter)
{
	const struct picture_wait *w = &p->threads.items[waiter].wait;

	vec_for_each (leak, &p->leaks) {
		if (leak->kind == w->kind && leak->object && leak->object == w->object &&
		    !leak->always)
			return leak;
	}
	return NULL;
}

const struct why_edge *why_nodes_edge(const struct why_graph *g, int from, int to)
{
	const struct why_state *more = &g->states.items[from];

	for (size_t i = 0; i < more->count; i++) {
		if (g->why->edges.items[more->first + i].to == to)
			return &g->why->edges.items[more->first + i];
	}
	return NULL;
}

int why_nodes_target(const struct why_graph *g, int thread)
{
	const struct why_state *state = &g->states.items[thread];

	return state->count == 1 ? g->why->edges.items[state->first].to : -1;
}

int why_nodes_barrier(const struct why_graph *g, int thread)
{
	int to = why_nodes_target(g, thread);

	return to >= 0 && g->why->nodes.items[to].kind == WHY_NODE_BARRIER ? to : -1;
}

static bool is_same_place(const struct picture *p, int a, int b)
{
	const struct place *x = &p->threads.items[a].wait.place,
			   *y = &p->threads.items[b].wait.place;

	return x->line == y->line && (x->line || x->pc == y->pc) &&
	       (x->file == y->file || (x->file && y->file && !strcmp(x->file, y->file)));
}

/* Whether two threads wait for one node, or both for somebody of their team to wake them. */
static bool waits_alike(const struct why_graph *g, int a, int b)
{
	const struct why_state *x = &g->states.items[a], *y = &g->states.items[b];

	if (x->end == END_SIGNAL)
		return y->end == END_SIGNAL &&
		       g->picture->threads.items[a].region == g->picture->threads.items[b].region;
	return why_nodes_target(g, a) >= 0 && why_nodes_target(g, a) == why_nodes_target(g, b);
}

bool why_nodes_group(const struct why_graph *g, int thread, struct why_threads *ret)
{
	for (size_t i = 0; i < g->picture->threads.len; i++) {
		bool alike = (int)i == thread || (waits_alike(g, thread, (int)i) &&
						  is_same_place(g->picture, thread, (int)i));
		if (alike && !vec_push(ret, (int)i))
			return false;
	}
	return true;
}
