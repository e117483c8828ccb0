/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Forest: things that name their parents, as trees.
 */
#ifndef DEBUGGER_FOREST_H
#define DEBUGGER_FOREST_H

#include "base/buf.h"

struct forest_node {
	int parent, child, last_child, next; /* -1: none */
	int depth;                           /* of roots: 0 */
};

struct forest {
	struct forest_node *nodes; /* owned; last: above all trees */
	size_t len;
};

/* false: out of memory. Then forest_add() for 0, 1, ... len - 1. */
bool forest_init(struct forest *f, size_t len);
void forest_fini(struct forest *f);

/* A parent that does not come before its child is none. */
void forest_add(struct forest *f, int i, int parent);

/* The first root; -1: there is none. */
int forest_first(const struct forest *f);
/* What comes after node i and all that is below it, parents first; -1: nothing. */
int forest_after(const struct forest *f, int i);

static inline bool forest_has_children(const struct forest *f, int i)
{
	return f->nodes[i].child >= 0;
}

#endif
