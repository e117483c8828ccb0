/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_graph: who waits for what, who could end that, and what nobody can end.
 *
 *   thread 0.0 --waits for--> barrier of team 0 --must come--> thread 0.3
 *   thread 0.3 --waits for--> lock 'L' --held by--> thread 0.5, which reads from a pipe
 *
 * A node is live if what it waits for can come about: a thread that runs or is blocked outside of
 * the program is; whatever needs several others needs all of them to be, unless it says that any
 * one will do. What is not live is stuck: there is a cycle, or the end of the chain is missing.
 */
#ifndef DEBUGGER_WHY_GRAPH_H
#define DEBUGGER_WHY_GRAPH_H

#include "debugger/why.h"

/* What a node without edges is. */
enum why_end {
	END_NONE,     /* it has edges                                                     */
	END_COMPUTES, /* a thread in user code                                            */
	END_BUSY,     /* in a runtime, not at rest: about to go on, as far as can be seen */
	END_OUTSIDE,  /* a thread that waits for something outside of the process, or time */
	END_SIGNAL,   /* a thread that another one must wake: condition, semaphore, join  */
	END_IDLE,     /* a worker in the pool, which does nothing by itself               */
	END_UNKNOWN,  /* a thread that waits for what is not known                        */
	END_HOLDER,   /* nobody is known to hold it                                       */
	END_LOST,     /* nobody holds it any more                                         */
	END_WORKER,   /* a member of a team that does not exist                           */
	END_EVENT,    /* of a detached task: somebody must fulfil it                      */
	END_TASK,     /* a task that has not ended, and of which nothing is known         */
};

struct why_more {
	enum why_end end;
	bool any;   /* one of the edges will do                                            */
	bool live;  /* it can go on                                                        */
	bool plain; /* of a barrier: not the region's end                                 */
	int waiter; /* a thread that waits for it                                         */
	size_t first, count; /* its edges                                                  */
	int next; /* node that is most to blame; -1: none. Of stuck nodes a stuck one     */
};

/* Nodes that all threads of a team share. */
enum why_shared { SHARED_PLAIN, SHARED_END, SHARED_TURN, SHARED_ITERATION, NUM_WHY_SHARED };

/* Explicit tasks, as lists of indices: -1 ends one. */
struct why_task {
	int node; /* -1: none */
	int first_child, next_child, next_in_region;
	long children;
};

/* The nodes of the threads come first, in the picture's order. */
struct why_graph {
	const struct picture *picture;   /* borrowed */
	const struct progress *progress; /* borrowed */
	bool trusting;
	bool anyone;            /* some thread is live by itself                       */
	struct why *why;        /* borrowed; whose nodes and edges are filled in        */
	struct why_task *tasks; /* owned; one for each task                             */
	int *first_task;        /* owned; of each region                                */
	int *shared;            /* owned; NUM_WHY_SHARED nodes of each region; -1: none */
	int *locks;             /* owned; nodes, by a hash of what is waited for; -1: none */
	size_t nlocks;
	VEC(int) restless;         /* threads that wait for locks, and are not at rest            */
	VEC(struct why_more) more; /* one for each node                                    */
};

/*
 * Makes the graph. trusting: threads that spin where they wait are taken to wait even if there was
 * one look only. Errors only for lack of memory.
 */
MUST_CHECK struct error *why_graph_make(const struct picture *p, const struct progress *progress,
					bool trusting, struct why *why, struct why_graph *ret);
void why_graph_fini(struct why_graph *g);

/* At rest in its wait: it sleeps, or was there in all looks. */
bool why_graph_is_calm(const struct why_graph *g, int thread);

/* What the kind of a wait says about whom the thread waits for. */
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
};
extern const enum why_relation why_graph_relations[NUM_WAIT_KINDS];

/* How far a member of a region has come to its barriers. */
enum why_arrival { ARRIVED_NOT, ARRIVED_PLAIN, ARRIVED_END, ARRIVED_SOMEWHERE };
enum why_arrival why_graph_arrival(const struct picture *p, int thread, int region);

/* NULL: there is none. */
const struct why_edge *why_graph_edge(const struct why_graph *g, int from, int to);

/* All threads that wait for the same as this one, or it alone. false: out of memory. */
bool why_graph_group(const struct why_graph *g, int thread, struct why_threads *ret);

/* Some thread has taken a lock of which it is not known which one. */
bool why_graph_unknown_hold(const struct picture *p);

/*
 * The code that can have left behind what a thread waits for, of that which is not made to; NULL:
 * none is known.
 */
const struct picture_leak *why_graph_leak(const struct picture *p, int waiter);

#endif
