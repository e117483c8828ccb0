/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_groups: the waits-for graph with what is alike taken together, for those that draw it.
 *
 * Threads, or tasks, are alike if the same edges lead to them and from them, and they wait at the
 * same place. The first of them stands for all: an edge counts if it leads from a first one to a
 * first one, and there is one such edge for all that are between two groups.
 */
#ifndef DEBUGGER_OUTPUT_WHY_GROUPS_H
#define DEBUGGER_OUTPUT_WHY_GROUPS_H

#include "debugger/output/view.h"
#include "debugger/why/why.h"

/* Edges of the graph by one of their ends: those of node n are edges[start[n]] up to start[n + 1].
 */
struct why_ends {
	int *start, *edges; /* owned */
};

struct why_groups {
	struct why_ends out, in; /* of all nodes                                              */
	int *first;              /* owned; by node: the first one of its group                */
	int *next;               /* owned; by node: the next one of its group; -1: the last   */
	int *nout, *nin;         /* owned; by first node: edges that count                    */
	const struct view *view; /* borrowed, as is the graph                                 */
	const struct why *why;
};

/* Errors only for lack of memory. */
MUST_CHECK struct error *why_groups_init(struct why_groups *g, const struct view *v,
					 const struct why *w);
void why_groups_fini(struct why_groups *g);

static inline bool why_groups_is_first(const struct why_groups *g, int node)
{
	return g->first[node] == node;
}

static inline bool why_groups_counts(const struct why_groups *g, const struct why_edge *e)
{
	return why_groups_is_first(g, e->from) && why_groups_is_first(g, e->to);
}

static inline bool why_groups_is_many(const struct why_groups *g, int node)
{
	return g->next[node] >= 0;
}

/* The edge by which a thread waits, if it is its only one and leads to no task; else NULL. */
const struct why_edge *why_groups_only_wait(const struct why_groups *g, int node);

/* "thread 0.3", "threads 0.[0-2]", "tasks 3-9", "lock 'L'", escaped. */
void why_groups_add_name(struct buf *out, const struct why_groups *g, int node);

/* Where a thread is: of its wait, or of its innermost frame; where a task was created. */
struct place why_groups_place(const struct why_groups *g, int node);

#endif
