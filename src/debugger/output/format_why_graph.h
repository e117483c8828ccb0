/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_why_graph: the waits-for graph that a verdict rests on, as a tree and for graphviz.
 *
 * who waits for what
 *   threads 0.[0-2] wait for barrier of team 0 (3 of 4 arrived) at app.c:40
 *   `- must come: thread 0.3, waits for lock 'L' at app.c:22
 *      `- held by thread 0.5 (probably), in read(0) at app.c:31
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_WHY_GRAPH_H
#define DEBUGGER_OUTPUT_FORMAT_WHY_GRAPH_H

#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/why/why_outline.h"

/* An empty line, then the tree. */
void format_why_graph(struct buf *out, const struct view *v, const struct why_outline *outline,
		      const struct style *style);

/* In graphviz's language; needs no style. */
void format_why_dot(struct buf *out, const struct view *v, const struct why_groups *g);

/* A node's name: "thread 0.3", "threads 0.[0-2]", "tasks 3-9", "lock 'L'", escaped. */
void format_why_node(struct buf *out, const struct view *v, const struct why_groups *g, int node);
/* What its threads do, in what state its tasks are. false, and adds nothing: it is something else.
 */
bool format_why_state(struct buf *out, const struct view *v, const struct why_groups *g, int node);

#endif
