/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_outline: the waits-for graph as the lines of a tree, in the order in which people read it.
 *
 * Each line is a thread, with what it waits for, or a task; below it stand those who could end
 * that. Trees begin with threads that nothing waits for; then comes what is left: cycles, from the
 * thread that is to blame on. What was shown before is not unfolded again.
 */
#ifndef DEBUGGER_WHY_OUTLINE_H
#define DEBUGGER_WHY_OUTLINE_H

#include "debugger/why/why_groups.h"

/* Whether a node has been shown when a line comes to it. */
enum why_visit {
	WHY_NOT_SHOWN,
	WHY_ABOVE, /* the line stands below it: a cycle */
	WHY_SHOWN,
};

struct why_line {
	int edge; /* that leads here; -1: none, a tree begins                                   */
	int node;
	enum why_visit visit;
	const struct why_edge *wait; /* borrowed; on the same line; NULL: it has none           */
	enum why_visit wait_visit;   /* of what it leads to                                     */
	int parent;                  /* line; -1: none                                          */
	int depth;
	bool more; /* lines of the same parent come later                                       */
};

struct why_outline {
	struct why_groups groups;
	VEC(struct why_line) lines;
};

/* Borrows picture and graph. Errors only for lack of memory. */
MUST_CHECK struct error *why_outline_init(struct why_outline *o, const struct picture *p,
					  const struct why *w);
void why_outline_fini(struct why_outline *o);

#endif
