/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_case: a case that is being judged: the graph, and the path through it that the verdict rests
 * on.
 */
#ifndef DEBUGGER_WHY_CASE_H
#define DEBUGGER_WHY_CASE_H

#include <string.h>

#include "debugger/why/why_path.h"

struct why_case {
	const struct snapshot *snapshot; /* borrowed                                          */
	struct why_graph graph;          /* of which nodes and edges are the why's            */
	struct why_path path;            /* owned; empty: nobody waits                        */
	int root;                        /* thread that is to blame where nobody waits; -1    */
	bool core;
};

static inline const struct picture *why_case_picture(const struct why_case *c)
{
	return c->graph.picture;
}

static inline bool why_case_is_cycle(const struct why_case *c)
{
	return c->path.cycle < c->path.nodes.len;
}

static inline const struct why_node *why_case_node(const struct why_case *c, size_t i)
{
	return why_nodes_get(&c->graph, c->path.nodes.items[i]);
}

/* The last node of a path that is not empty, and what it is. */
static inline int why_case_last(const struct why_case *c)
{
	return c->path.nodes.items[c->path.nodes.len - 1];
}

static inline enum why_end why_case_last_end(const struct why_case *c)
{
	return why_nodes_state(&c->graph, why_case_last(c))->end;
}

/* What is in a buffer as text of its own, owned by the caller. NULL: out of memory, as is noted. */
static inline char *why_case_take_text(const struct why_case *c, const struct buf *b)
{
	char *text = buf_ok(b) ? strdup(buf_text(b)) : NULL;

	c->graph.why->failed |= !text;
	return text;
}

#endif
