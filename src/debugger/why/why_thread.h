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
bool why_thread_is_at_rest(const struct why_graph *g, int thread);

/* Whom a thread waits for, by the kind of its wait; why_graph.c has what follows. */
enum why_relation {
	FOR_NOBODY,   /* it computes                                  */
	FOR_TEAM,     /* all threads of its team, at a barrier        */
	FOR_CHILDREN, /* tasks that its own task has created          */
	FOR_HOLDER,   /* the thread that holds a lock                 */
	FOR_TURN,     /* the thread whose turn it is, at ordered      */
	FOR_EVENT,    /* whoever fulfils the event of a detached task */
	FOR_LEAGUE,   /* all teams of its league                      */
	FOR_SIGNAL,   /* another thread that must wake it             */
	FOR_WORLD,    /* something outside of the process, or time    */
	FOR_RUNTIME,  /* the runtime is about to go on                */
	FOR_WORK,     /* a new region: it is in the pool              */
	NOT_KNOWN,
	NUM_WHY_RELATIONS,
};
extern const enum why_relation why_thread_relations[NUM_WAIT_KINDS]; /* by kind alone */

enum why_relation why_thread_relation(const struct picture_wait *w);

/* At which of a region's barriers one of its members is. */
enum why_arrival {
	ARRIVED_NOT,
	ARRIVED_PLAIN,
	ARRIVED_END,       /* that of the region         */
	ARRIVED_SOMEWHERE, /* it is not known at which   */
};
enum why_arrival why_thread_arrival(const struct picture *p, int thread, int region);

#endif
