/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_nodes.h"

int why_nodes_add(struct why_graph *g, enum why_node_kind kind, int index, int waiter)
{
	struct why_node node = { .kind = kind, .index = index };
	struct why_state state = { .waiter = waiter, .next = -1 };

	if (vec_push(&g->states, state) && vec_push(&g->why->nodes, node))
		return (int)g->why->nodes.len - 1;
	g->states.len = g->why->nodes.len;
	g->why->failed = true;
	return 0;
}

void why_nodes_add_edge(struct why_graph *g, int from, int to, enum why_edge_kind kind,
			enum why_knowledge knowledge)
{
	struct why_edge edge = { .kind = kind, .from = from, .to = to, .knowledge = knowledge };

	g->why->failed |= !vec_push(&g->why->edges, edge);
}

void why_nodes_add_end(struct why_graph *g, int from, enum why_end end)
{
	const struct why_end_facts *facts = why_end_facts(end);
	int waiter = why_nodes_state(g, from)->waiter;
	int node = why_nodes_add(g, WHY_NODE_NOBODY, waiter, waiter);

	why_nodes_state(g, node)->end = end;
	why_nodes_add_edge(g, from, node, facts->edge, facts->knowledge);
}

size_t why_nodes_missing(const struct picture *p, int region)
{
	const struct picture_region *r = picture_region(p, region);
	size_t missing = 0;

	for (size_t i = 0; r && i < r->members.len; i++)
		missing += r->members.items[i] < 0;
	return missing;
}

bool why_nodes_unknown_hold(const struct picture *p)
{
	vec_for_each (hold, &p->holds) {
		if (!hold->object)
			return true;
	}
	return false;
}

/*
 * The first code that can leave behind what a thread waits for, and is not made to; possible: where
 * it is not known whether it is the same object.
 */
static const struct picture_leak *find_leak(const struct picture *p, int waiter, bool possible)
{
	const struct picture_thread *th = picture_thread(p, waiter);
	const taddr object = th->wait.object;

	/* Threads that are missing have taken along what they had: that is likelier. */
	if (why_nodes_missing(p, th->region))
		return NULL;
	vec_for_each (leak, &p->leaks) {
		bool known = object && leak->object;
		if (leak->kind == th->wait.kind && !leak->always &&
		    (known ? leak->object == object : possible))
			return leak;
	}
	return NULL;
}

const struct picture_leak *why_nodes_leak(const struct picture *p, int waiter)
{
	return find_leak(p, waiter, false);
}

const struct picture_leak *why_nodes_leak_of_end(const struct why_graph *g, int node)
{
	const struct why_state *state = why_nodes_state(g, node);

	if (state->end != END_LOST && state->end != END_HOLDER)
		return NULL;
	const struct picture_leak *leak = find_leak(g->picture, state->waiter, false);
	return leak ? leak : find_leak(g->picture, state->waiter, true);
}

bool why_nodes_is_vague(const struct picture *p, const struct picture_wait *w)
{
	const struct picture_hold *hold = w->hold >= 0 ? &p->holds.items[w->hold] : NULL;

	return hold && w->holder_source == SOURCE_INFERRED && hold->kind != WAIT_CRITICAL &&
	       !hold->always && !hold->object;
}

bool why_nodes_is_own(const struct picture *p, const struct picture_wait *w)
{
	const struct picture_wait *its =
		w->ncandidates ? &picture_thread(p, picture_candidate(p, w, 0))->wait : NULL;

	return its && w->object && its->kind == w->kind && its->object == w->object;
}

int why_nodes_giver(const struct picture *p, int waiter)
{
	const struct picture_wait *w = &picture_thread(p, waiter)->wait;

	vec_for_each (giver, &p->givers) {
		if (giver->kind == w->kind && giver->object == w->object)
			return giver->task;
	}
	return -1;
}

bool why_nodes_gone_with(const struct picture *p, int waiter)
{
	return why_nodes_missing(p, picture_thread(p, waiter)->region) > 0;
}

const struct why_edge *why_nodes_edge(const struct why_graph *g, int from, int to)
{
	const struct why_state *state = why_nodes_state(g, from);

	for (size_t i = state->first; i < state->first + state->count; i++) {
		if (g->why->edges.items[i].to == to)
			return &g->why->edges.items[i];
	}
	return NULL;
}

int why_nodes_target(const struct why_graph *g, int thread)
{
	const struct why_state *state = why_nodes_state(g, thread);

	return state->count == 1 ? g->why->edges.items[state->first].to : -1;
}

int why_nodes_barrier(const struct why_graph *g, int thread)
{
	int to = why_nodes_target(g, thread);

	return to >= 0 && why_nodes_get(g, to)->kind == WHY_NODE_BARRIER ? to : -1;
}
