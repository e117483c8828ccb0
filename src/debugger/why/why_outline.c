/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_outline.h"

#include <stdlib.h>

/* Something that the walk is in. */
struct step {
	int line;
	int unfolds; /* node whose edges lead to the lines below                              */
	int next;    /* of its edges                                                          */
};

struct walk {
	const struct why_groups *groups;
	struct why_outline *out;
	enum why_visit *visits;  /* owned; by node */
	VEC(struct step) inside; /* innermost last */
};

static void walk_fini(struct walk *w)
{
	free(w->visits);
	vec_fini(&w->inside);
}

/* Adds the line for a node; what has not been shown yet is unfolded below it. */
static bool enter(struct walk *w, int edge, int node, int parent)
{
	struct why_line line = {
		.edge = edge,
		.node = node,
		.visit = w->visits[node],
		.wait = why_groups_only_wait(w->groups, node),
		.parent = parent,
		.depth = parent < 0 ? 0 : w->out->lines.items[parent].depth + 1,
	};
	struct step step = { .line = (int)w->out->lines.len,
			     .unfolds = line.wait ? line.wait->to : node };

	if (line.visit == WHY_NOT_SHOWN) {
		w->visits[node] = WHY_ABOVE;
		line.wait_visit = line.wait ? w->visits[line.wait->to] : WHY_NOT_SHOWN;
	}
	if (!vec_push(&w->out->lines, line))
		return false;
	if (line.visit != WHY_NOT_SHOWN)
		return true;
	if (line.wait_visit != WHY_NOT_SHOWN) {
		w->visits[node] = WHY_SHOWN;
		return true;
	}
	w->visits[step.unfolds] = WHY_ABOVE;
	step.next = w->groups->out.start[step.unfolds];
	return vec_push(&w->inside, step);
}

static void leave(struct walk *w)
{
	const struct step *step = &w->inside.items[--w->inside.len];

	w->visits[step->unfolds] = WHY_SHOWN;
	w->visits[w->out->lines.items[step->line].node] = WHY_SHOWN;
}

/* All that can be reached from a node. */
static bool walk_from(struct walk *w, int node)
{
	const struct why_groups *g = w->groups;
	bool whole = enter(w, -1, node, -1);

	while (whole && w->inside.len) {
		struct step *step = &w->inside.items[w->inside.len - 1];
		if (step->next == g->out.start[step->unfolds + 1]) {
			leave(w);
			continue;
		}
		int edge = g->out.edges[step->next++];
		const struct why_edge *e = &g->why->edges.items[edge];
		if (why_groups_counts(g, e))
			whole = enter(w, edge, e->to, step->line);
	}
	return whole;
}

static bool is_thread(const struct why_groups *g, int node)
{
	return g->why->nodes.items[node].kind == WHY_NODE_THREAD;
}

static bool is_first_thread(const struct why_groups *g, int node)
{
	return !g->nin[node] && is_thread(g, node);
}

static bool is_first_of_all(const struct why_groups *g, int node)
{
	return !g->nin[node];
}

static bool is_blamed(const struct why_groups *g, int node)
{
	const struct why *w = g->why;

	return w->blame.len && is_thread(g, node) &&
	       w->nodes.items[node].index == w->blame.items[0].thread;
}

static bool is_anything(const struct why_groups *g, int node)
{
	(void)g, (void)node;
	return true;
}

/* What trees begin with, in this order, if they are in none yet. */
static bool (*const roots[])(const struct why_groups *g, int node) = {
	is_first_thread, is_first_of_all, is_blamed, is_thread, is_anything,
};

static bool walk_all(struct walk *w)
{
	const struct why_groups *g = w->groups;
	int nnodes = (int)g->why->nodes.len;
	bool whole = true;

	for (size_t r = 0; r < sizeof(roots) / sizeof(*roots); r++) {
		for (int n = 0; whole && n < nnodes; n++) {
			if (w->visits[n] == WHY_NOT_SHOWN && g->nout[n] && roots[r](g, n))
				whole = walk_from(w, n);
		}
	}
	return whole;
}

/* Which lines have later ones of the same parent: told from the last line on upwards. */
static bool find_more(struct why_outline *o)
{
	AUTO_FREE bool *seen = calloc(o->lines.len + 1, sizeof(*seen));

	for (size_t i = o->lines.len; seen && i-- > 0;) {
		struct why_line *line = &o->lines.items[i];
		line->more = seen[line->parent + 1];
		seen[line->parent + 1] = true;
	}
	return seen != NULL;
}

struct error *why_outline_init(struct why_outline *o, const struct picture *p, const struct why *w)
{
	*o = (struct why_outline){ 0 };
	AUTO(walk_fini) struct walk walk = { .groups = &o->groups, .out = o };
	struct error *err = why_groups_init(&o->groups, p, w);

	if (err)
		return err;
	walk.visits = calloc(w->nodes.len + 1, sizeof(*walk.visits));
	if (walk.visits && walk_all(&walk) && find_more(o))
		return NULL;
	why_outline_fini(o);
	return &error_nomem;
}

void why_outline_fini(struct why_outline *o)
{
	why_groups_fini(&o->groups);
	vec_fini(&o->lines);
}
