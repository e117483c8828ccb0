/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/job_graph.h"

#include "base/sorted.h"

void job_graph_fini(struct job_graph *g)
{
	job_links_fini(&g->nodes);
	vec_fini(&g->edges);
}

static int by_ends(const void *a, const void *b)
{
	const struct job_edge *x = a, *y = b;
	const int order = sorted_order(x->from, y->from);

	return order ? order : sorted_order(x->to, y->to);
}

static void sort(struct job_graph *g)
{
	size_t n = 0;

	if (g->edges.len)
		qsort(g->edges.items, g->edges.len, sizeof(*g->edges.items), by_ends);
	for (size_t i = 0; i < g->edges.len; i++) {
		if (!n || by_ends(&g->edges.items[n - 1], &g->edges.items[i]) != 0)
			g->edges.items[n++] = g->edges.items[i];
	}
	g->edges.len = n;
}

/* A rank of each node stands for all of it where it waits in a collective, which all do then. */
static bool add_collective(const struct rank_waits *r, size_t i, size_t node, const size_t *firsts,
			   struct job_graph *ret)
{
	bool whole = true;

	for (size_t k = 0; k < ret->nodes.len; k++) {
		if (k != node && rank_waits_for(r, i, firsts[k]))
			whole &= vec_push(&ret->edges, (struct job_edge){ node, k });
	}
	return whole;
}

/* nodes: of each rank; firsts: a rank of each node. */
static bool add_edges(const struct rank_waits *r, const size_t *nodes, const size_t *firsts,
		      struct job_graph *ret)
{
	bool whole = true;

	for (size_t i = 0; i < r->n; i++) {
		const struct report_call *call = rank_waits_call(r, i);
		const size_t peer = rank_waits_peer(r, i);
		if (peer < r->n)
			whole &= vec_push(&ret->edges, (struct job_edge){ nodes[i], nodes[peer] });
		else if (call && mpi_is_collective(call->kind) && firsts[nodes[i]] == i)
			whole &= add_collective(r, i, nodes[i], firsts, ret);
	}
	sort(ret);
	return whole;
}

bool job_graph_make(const struct rank_waits *r, struct job_graph *ret)
{
	size_t *nodes = calloc(2 * r->n + 1, sizeof(*nodes));
	size_t *firsts = nodes ? nodes + r->n : NULL;
	bool whole = nodes;

	for (size_t i = 0; whole && i < r->n; i++) {
		const size_t before = ret->nodes.len;
		whole = job_links_add(&ret->nodes, r, i, &nodes[i]);
		if (ret->nodes.len > before)
			firsts[before] = i;
	}
	whole = whole && add_edges(r, nodes, firsts, ret);
	free(nodes);
	return whole;
}
