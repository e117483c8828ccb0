/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_case: a case that is being judged: the graph, and the path through it that explains most,
 * from threads that wait to the one cause that most of them have in common.
 */
#ifndef DEBUGGER_WHY_CASE_H
#define DEBUGGER_WHY_CASE_H

#include "debugger/why/why_graph.h"

struct why_case {
	const struct snapshot *snapshot; /* borrowed                                          */
	struct why_graph graph;          /* of which nodes and edges are the why's            */
	VEC(int) path; /* nodes, from a thread that waits to the cause; empty: nobody waits   */
	size_t cycle;  /* of the path, the index to which its last node leads back; len: none */
	int root;      /* where nobody waits the thread that is to blame; -1: none            */
	bool core;
};

/*
 * Finds the path: goes from each node to what is most to blame for it, from stuck threads if there
 * are any, else from all that wait. Long ones lose their beginning. Where nobody waits finds the
 * root: a thread in a region that computes, else one that does something else.
 */
void why_case_find(struct why_case *c);
void why_case_fini(struct why_case *c);

bool why_case_has(const struct why_case *c, int node); /* on its path */

static inline const struct picture *why_case_picture(const struct why_case *c)
{
	return c->graph.picture;
}

static inline bool why_case_is_cycle(const struct why_case *c)
{
	return c->cycle < c->path.len;
}

static inline const struct why_node *why_case_node(const struct why_case *c, size_t i)
{
	return why_nodes_get(&c->graph, c->path.items[i]);
}

/* The node at the end of the path; where nobody waits the root: -1: none. */
static inline int why_case_cause(const struct why_case *c)
{
	return c->path.len ? c->path.items[c->path.len - 1] : c->root;
}

/* What that is, where somebody waits. */
static inline enum why_end why_case_last_end(const struct why_case *c)
{
	return why_nodes_state(&c->graph, why_case_cause(c))->end;
}

/*
 * Adds the threads that wait for the same as this one at the same place, and the thread itself; if
 * "others", of those on the path none but itself.
 */
void why_case_add_group(const struct why_case *c, int thread, bool others, struct ints *ret);

/* What is in a buffer as text of its own, owned by the caller. NULL: out of memory, as is noted. */
char *why_case_take_text(const struct why_case *c, const struct buf *b);
/* Adds it to a list of the why's. */
void why_case_add_text(const struct why_case *c, struct why_texts *list, const struct buf *b);

/* Adds a link of the blame, whose reason that is; takes its threads. */
void why_case_add_blame(const struct why_case *c, struct why_blame b, const struct buf *reason);

#endif
