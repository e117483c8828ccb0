/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_groups: the waits-for graph with what is alike taken together, for those that draw it.
 *
 * Threads, or tasks, are alike if the same edges lead to them and from them, and they wait at the
 * same place. The first of them stands for all: an edge counts if it leads from a first one to a
 * first one, and there is one such edge for all that are between two groups. A node is in the
 * drawing if an edge that counts leads to it or from it.
 */
#ifndef DEBUGGER_WHY_GROUPS_H
#define DEBUGGER_WHY_GROUPS_H

#include "debugger/why/why.h"

struct why_groups {
	struct why_ends out, in; /* of all nodes                                              */
	int *first;              /* owned; by node: the first one of its group                */
	int *members;            /* owned; threads and tasks, those of one group together     */
	int *at, *len;           /* owned; by first node: where in "members", and how many    */
	int *nout, *nin;         /* owned; by first node: edges that count                    */
	const struct picture *picture; /* borrowed, as is the graph                           */
	const struct why *why;
};

/* Errors only for lack of memory. */
MUST_CHECK struct error *why_groups_init(struct why_groups *g, const struct picture *p,
					 const struct why *w);
void why_groups_fini(struct why_groups *g);

/* The node stands for its group. */
static inline bool why_groups_is_first(const struct why_groups *g, int node)
{
	return g->first[node] == node;
}

static inline bool why_groups_counts(const struct why_groups *g, const struct why_edge *e)
{
	return why_groups_is_first(g, e->from) && why_groups_is_first(g, e->to);
}

/* The node is in the drawing. */
static inline bool why_groups_has(const struct why_groups *g, int node)
{
	return g->nin[node] || g->nout[node];
}

/* Rising; of what is neither thread nor task, none. */
static inline const int *why_groups_members(const struct why_groups *g, int node, size_t *ret_len)
{
	*ret_len = (size_t)g->len[node];
	return g->members + g->at[node];
}

static inline bool why_groups_is_many(const struct why_groups *g, int node)
{
	return g->len[node] > 1;
}

/* The edge by which a thread waits, if it is its only one and leads to no task; else NULL. */
const struct why_edge *why_groups_only_wait(const struct why_groups *g, int node);

/* Where a thread waits, or where a task was created. */
struct place why_groups_place(const struct why_groups *g, int node);

#endif
