/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_live: which nodes of the graph can go on; and for each, which of the nodes that it waits for
 * is most to blame.
 */
#ifndef DEBUGGER_WHY_LIVE_H
#define DEBUGGER_WHY_LIVE_H

#include "debugger/why/why_graph.h"

/* Sets "live" and "next" of all nodes, and "stuck". */
void why_live_find(struct why_graph *g);

#endif
