/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_thread: what the wait of a thread means: whom it waits for, how far it has come, and whether
 * it is at rest.
 */
#ifndef DEBUGGER_WHY_THREAD_H
#define DEBUGGER_WHY_THREAD_H

#include "debugger/why/why_nodes.h"

/* At rest in its wait: it sleeps, or was there in all looks. */
bool why_thread_is_calm(const struct why_graph *g, int thread);

/* Whom a thread waits for, as the kind of its wait tells; why_graph.c has what follows from that.
 */
enum why_relation {
	FOR_NOBODY,
	FOR_TEAM,
	FOR_CHILDREN,
	FOR_HOLDER,
	FOR_TURN,
	FOR_EVENT,
	FOR_LEAGUE,
	FOR_SIGNAL,
	FOR_WORLD,
	FOR_RUNTIME,
	FOR_WORK,
	NOT_KNOWN,
	NUM_WHY_RELATIONS,
};
extern const enum why_relation why_thread_relations[NUM_WAIT_KINDS]; /* by kind alone */

enum why_relation why_thread_relation(const struct picture_wait *w);

/* How far a member of a region has come to its barriers. */
enum why_arrival { ARRIVED_NOT, ARRIVED_PLAIN, ARRIVED_END, ARRIVED_SOMEWHERE };
enum why_arrival why_thread_arrival(const struct picture *p, int thread, int region);

#endif
