/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_live.h"

#include <stdlib.h>

/* ---- what can go on --------------------------------------------------------------------- */

/* Of one look alone: who spins for a lock whose holder is not found may be about to get it. */
static bool is_doubtful(const struct why_graph *g, const struct why_state *state)
{
	if (!g->spin_is_wait || (state->end != END_HOLDER && state->end != END_LOST))
		return false;
	const struct picture_wait *w = why_nodes_wait(g, state->waiter);
	return w->sleeps && !w->settled;
}

static bool is_live(const struct why_graph *g, int node)
{
	const struct why_state *state = why_nodes_state(g, node);
	enum why_hope hope = why_end_facts(state->end)->hope;
	size_t live = 0;

	if (why_nodes_is_thread(g, node) && !why_thread_is_at_rest(g, node))
		return true;
	if (is_doubtful(g, state))
		return true;
	if (state->end != END_NONE)
		return hope == HOPE_ALWAYS || (hope == HOPE_ANYONE && g->anyone);
	for (size_t i = state->first; i < state->first + state->count; i++)
		live += why_nodes_state(g, g->why->edges.items[i].to)->live;
	return state->any ? live > 0 : live == state->count;
}

/* Somebody who may help others to go on: not one that must be woken itself, and no idle worker. */
static bool is_anyone(const struct why_graph *g, int node)
{
	enum why_end end = why_nodes_state(g, node)->end;

	return why_nodes_is_thread(g, node) && why_nodes_state(g, node)->live &&
	       (!why_end_facts(end)->needs_thread || !why_thread_is_at_rest(g, node));
}

/* Notes that a node may have become live; each is noted once for each of its edges at most. */
static void add_changed(struct why_graph *g, struct ints *changed, int node)
{
	if (!why_nodes_state(g, node)->live)
		g->why->failed |= !vec_push(changed, node);
}

/* Whatever waits for a live node may be live, too: until nothing changes any more. */
static void spread(struct why_graph *g, const struct why_ends *in, struct ints *changed)
{
	int n = (int)g->states.len;

	for (int i = 0; i < n; i++)
		add_changed(g, changed, i);
	while (changed->len) {
		int node = changed->items[--changed->len];
		if (why_nodes_state(g, node)->live || !is_live(g, node))
			continue;
		why_nodes_state(g, node)->live = true;
		for (int i = in->start[node]; i < in->start[node + 1]; i++)
			add_changed(g, changed, g->why->edges.items[in->edges[i]].from);
		if (g->anyone || !is_anyone(g, node))
			continue;
		g->anyone = true;
		for (int i = 0; i < n; i++) /* those whose ends anyone may see to */
			add_changed(g, changed, i);
	}
}

static void find_live(struct why_graph *g)
{
	AUTO(why_ends_fini) struct why_ends in;
	struct ints changed = { 0 };

	if (why_ends_init(&in, g->why, true))
		spread(g, &in, &changed);
	else
		g->why->failed = true;
	for (size_t i = 0; i < g->states.len; i++)
		g->why->nodes.items[i].stuck = !g->states.items[i].live;
	vec_fini(&changed);
}

/* ---- whom to blame ---------------------------------------------------------------------- */

/* How much a node explains, of several that another one waits for. */
static int weight(const struct why_graph *g, int node)
{
	enum why_end end = why_nodes_state(g, node)->end;
	int weight = why_end_facts(end)->weight;

	if (end == END_NONE && why_nodes_is_thread(g, node) &&
	    wait_kind_whom(why_nodes_wait(g, node)->kind) != FOR_TEAM)
		weight += 6; /* it waits for something else than all of them */
	return weight;
}

static void choose_next(struct why_graph *g, struct why_state *state)
{
	int most = -1;

	for (size_t i = state->first; i < state->first + state->count; i++) {
		int to = g->why->edges.items[i].to;
		if ((!state->live && why_nodes_state(g, to)->live) || weight(g, to) <= most)
			continue;
		most = weight(g, to);
		state->next = to;
	}
}

void why_live_find(struct why_graph *g)
{
	find_live(g);
	vec_for_each (state, &g->states)
		choose_next(g, state);
}
