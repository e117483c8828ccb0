/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Forest: things that name their parents, walked and drawn as trees, parents first.
 */
#ifndef DEBUGGER_OUTPUT_FOREST_H
#define DEBUGGER_OUTPUT_FOREST_H

#include "debugger/output/style.h"

enum { FOREST_DRAWN = 12 }; /* levels; what is further in is not moved to the right any more */

struct forest_node {
	int parent, child, last_child, next; /* -1: none */
	int depth;
};

struct forest {
	struct forest_node *nodes; /* owned; last: above all trees */
	size_t len;
	bool more[FOREST_DRAWN +
		  1]; /* by depth: the node last entered there has siblings to come */
};

/* false: out of memory. Then forest_add() for 0, 1, ... len - 1. */
bool forest_init(struct forest *f, size_t len);
void forest_fini(struct forest *f);

/* A parent that does not come before its child is none. */
void forest_add(struct forest *f, int i, int parent);

/* The first root; -1: there is none. */
int forest_first(const struct forest *f);
/* What comes after node i and all that is below it; -1: nothing. */
int forest_after(const struct forest *f, int i);

/*
 * Tells the drawing that the walk is at i; of several nodes drawn as one, at the last. Then the
 * lines: the first one of a node, and those of its own below it.
 */
void forest_enter(struct forest *f, int i);
void forest_add_title_prefix(struct buf *out, const struct forest *f, int i,
			     const struct style *style);
void forest_add_prefix(struct buf *out, const struct forest *f, int i, const struct style *style);

static inline bool forest_has_children(const struct forest *f, int i)
{
	return f->nodes[i].child >= 0;
}

#endif
