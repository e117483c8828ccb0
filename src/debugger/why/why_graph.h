/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_graph: who waits for what, who could end that, and what nobody can end.
 *
 *   thread 0.0 --waits for--> barrier of team 0 --must come--> thread 0.3
 *   thread 0.3 --waits for--> lock 'L' --held by--> thread 0.5, which reads from a pipe
 *
 * A node is live if what it waits for can come about: a thread that runs or is blocked outside of
 * the program is live; a node that needs several others is live if all of them are, or, where any
 * one will do, if one is. What is not live is stuck: there is a cycle, or the end of the chain is
 * missing.
 */
#ifndef DEBUGGER_WHY_GRAPH_H
#define DEBUGGER_WHY_GRAPH_H

#include "debugger/why/why_thread.h"

/*
 * Fills g, of which picture, progress, spin_is_wait and why are set and the rest is zeroed.
 * spin_is_wait: threads that spin where they wait are taken to wait even if there was one look
 * only.
 */
void why_graph_make(struct why_graph *g);
void why_graph_fini(struct why_graph *g);

#endif
