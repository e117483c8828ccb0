/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_why_graph: the waits-for graph that a verdict rests on, as a tree and for graphviz.
 *
 * who waits for what
 *   threads 0.[0-2] wait for barrier of team 0 (3 of 4 arrived) at app.c:40
 *   `- must come: thread 0.3, waits for lock 'L' at app.c:22
 *      `- held by thread 0.5 (probably), in read(0) at app.c:31
 *
 * Each line of the tree is a thread, with what it waits for, or a task; below it stand those who
 * could end that. The tree begins with threads that nothing waits for, then comes what is left:
 * cycles, from the thread that is to blame on. What was shown before is not unfolded again.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_WHY_GRAPH_H
#define DEBUGGER_OUTPUT_FORMAT_WHY_GRAPH_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/why/why.h"

/* An empty line, then the tree. */
void format_why_graph(struct buf *out, const struct view *v, const struct why *w,
		      const struct style *style);

/* In graphviz's language; needs no style. */
void format_why_dot(struct buf *out, const struct view *v, const struct why *w);

#endif
