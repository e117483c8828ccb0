/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_path: the way through the graph that explains most: from threads that wait to the one cause
 * that most of them have in common.
 */
#ifndef DEBUGGER_WHY_PATH_H
#define DEBUGGER_WHY_PATH_H

#include "debugger/why/why_graph.h"

struct why_path {
	VEC(int) nodes; /* from a thread that waits to who, or what, is to blame           */
	size_t cycle;   /* index of the node to which the last one leads back; nodes.len: none */
};

/*
 * Goes from each node to what is most to blame for it: from stuck threads if there are any, else
 * from all that wait. Empty if nobody waits. Long ones lose their beginning.
 */
void why_path_find(const struct why_graph *g, struct why_path *ret);

bool why_path_has(const struct why_path *path, int node);

/* Where nobody waits: a thread in a region that computes, else one that does something else; -1. */
int why_path_freest(const struct why_graph *g);

#endif
