/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_groups.h"

#include <stdlib.h>
#include <string.h>

/* What is alike --------------------------------------------------------------------------- */

static int compare(long a, long b)
{
	return (a > b) - (a < b);
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_places(const struct place *a, const struct place *b)
{
	int order = compare(a->line, b->line);

	order = order ? order : compare_texts(a->file, b->file);
	return order ? order : compare_texts(a->function, b->function);
}

/* A node for nobody that a single edge leads to: each who waits so has one of its own. */
static bool is_private(const struct why_groups *g, int node)
{
	return g->why->nodes.items[node].kind == WHY_NODE_NOBODY &&
	       g->in.start[node + 1] - g->in.start[node] == 1;
}

static int compare_others(const struct why_groups *g, int a, int b)
{
	bool private_a = is_private(g, a), private_b = is_private(g, b);

	if (private_a && private_b)
		return compare_texts(g->why->nodes.items[a].name, g->why->nodes.items[b].name);
	return private_a != private_b ? compare(private_a, private_b) : compare(a, b);
}

static int compare_ends(const struct why_groups *g, bool in, int a, int b)
{
	const struct why_ends *ends = in ? &g->in : &g->out;
	const struct why_edge *edges = g->why->edges.items;
	int na = ends->start[a + 1] - ends->start[a], nb = ends->start[b + 1] - ends->start[b];
	int order = compare(na, nb);

	for (int i = 0; !order && i < na; i++) {
		const struct why_edge *x = &edges[ends->edges[ends->start[a] + i]];
		const struct why_edge *y = &edges[ends->edges[ends->start[b] + i]];
		order = compare_others(g, in ? x->from : x->to, in ? y->from : y->to);
		order = order ? order : compare(x->kind, y->kind);
		order = order ? order : compare(x->knowledge, y->knowledge);
	}
	return order;
}

/* What a thread without edges waits for stands nowhere else. */
static int compare_waits(const struct why_groups *g, const struct why_node *a,
			 const struct why_node *b)
{
	const struct picture_thread *x = picture_thread(g->picture, a->index);
	const struct picture_thread *y = picture_thread(g->picture, b->index);

	if (!x || !y)
		return compare(x != NULL, y != NULL);
	int order = compare(picture_wait_kind(&x->wait), picture_wait_kind(&y->wait));
	order = order ? order : compare(x->wait.fd, y->wait.fd);
	order = order ? order : compare_texts(x->wait.name, y->wait.name);
	return order ? order : compare_texts(x->wait.variable, y->wait.variable);
}

static int compare_tasks(const struct why_groups *g, const struct why_node *a,
			 const struct why_node *b)
{
	const struct picture_task *x = picture_task(g->picture, a->index);
	const struct picture_task *y = picture_task(g->picture, b->index);

	return compare(x ? (int)x->state : -1, y ? (int)y->state : -1);
}

static bool has_no_out(const struct why_groups *g, int node)
{
	return g->out.start[node] == g->out.start[node + 1];
}

/* 0: alike. */
static int compare_nodes(const struct why_groups *g, int a, int b)
{
	const struct why_node *x = &g->why->nodes.items[a], *y = &g->why->nodes.items[b];
	const struct place at_x = why_groups_place(g, a), at_y = why_groups_place(g, b);
	int order = compare(x->kind, y->kind);

	order = order ? order : compare(x->stuck, y->stuck);
	order = order ? order : compare_places(&at_x, &at_y);
	order = order ? order : compare_ends(g, false, a, b);
	order = order ? order : compare_ends(g, true, a, b);
	if (!order && x->kind == WHY_NODE_TASK)
		order = compare_tasks(g, x, y);
	else if (!order && has_no_out(g, a))
		order = compare_waits(g, x, y);
	return order;
}

static int compare_in_order(const void *a, const void *b, void *groups)
{
	const int *x = a, *y = b;
	int order = compare_nodes(groups, *x, *y);

	return order ? order : compare(*x, *y);
}

static bool is_actor(const struct why_node *n)
{
	return n->kind == WHY_NODE_THREAD || n->kind == WHY_NODE_TASK;
}

static bool group(struct why_groups *g)
{
	const struct why_node *nodes = g->why->nodes.items;
	size_t nnodes = g->why->nodes.len, len = 0;
	AUTO_FREE int *sorted = calloc(nnodes + 1, sizeof(*sorted));

	if (!sorted)
		return false;
	for (size_t i = 0; i < nnodes; i++) {
		g->first[i] = (int)i;
		if (is_actor(&nodes[i]))
			sorted[len++] = (int)i;
	}
	qsort_r(sorted, len, sizeof(*sorted), compare_in_order, g);
	for (size_t i = 0; i < len; i++) {
		if (i && !compare_nodes(g, sorted[i - 1], sorted[i]))
			g->first[sorted[i]] = g->first[sorted[i - 1]];
		else
			g->at[sorted[i]] = (int)i;
		g->len[g->first[sorted[i]]]++;
		g->members[i] = nodes[sorted[i]].index;
	}
	return true;
}

static void count(struct why_groups *g)
{
	vec_for_each (e, &g->why->edges) {
		g->nout[e->from] += why_groups_counts(g, e);
		g->nin[e->to] += why_groups_counts(g, e);
	}
}

struct error *why_groups_init(struct why_groups *g, const struct picture *p, const struct why *w)
{
	int **const arrays[] = { &g->first, &g->members, &g->at, &g->len, &g->nout, &g->nin };
	bool whole = true;

	*g = (struct why_groups){ .picture = p, .why = w };
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i] = calloc(w->nodes.len + 1, sizeof(**arrays[i]));
		whole &= *arrays[i] != NULL;
	}
	if (!whole || !why_ends_init(&g->out, w, false) || !why_ends_init(&g->in, w, true) ||
	    !group(g)) {
		why_groups_fini(g);
		return &error_nomem;
	}
	count(g);
	return NULL;
}

void why_groups_fini(struct why_groups *g)
{
	why_ends_fini(&g->out);
	why_ends_fini(&g->in);
	free(g->first);
	free(g->members);
	free(g->at);
	free(g->len);
	free(g->nout);
	free(g->nin);
	*g = (struct why_groups){ 0 };
}

/* Of one node ----------------------------------------------------------------------------- */

const struct why_edge *why_groups_only_wait(const struct why_groups *g, int node)
{
	const struct why_node *nodes = g->why->nodes.items;

	if (nodes[node].kind != WHY_NODE_THREAD || g->nout[node] != 1)
		return NULL;
	for (int i = g->out.start[node]; i < g->out.start[node + 1]; i++) {
		const struct why_edge *e = &g->why->edges.items[g->out.edges[i]];
		if (why_groups_counts(g, e))
			return e->kind == WHY_WAITS_FOR && nodes[e->to].kind != WHY_NODE_TASK
				       ? e
				       : NULL;
	}
	return NULL;
}

struct place why_groups_place(const struct why_groups *g, int node)
{
	const struct why_node *n = &g->why->nodes.items[node];
	const struct picture_thread *t = picture_thread(g->picture, n->index);
	const struct picture_task *task = picture_task(g->picture, n->index);

	if (n->kind == WHY_NODE_THREAD && t)
		return t->wait.place;
	return n->kind == WHY_NODE_TASK && task ? task->place : (struct place){ 0 };
}
