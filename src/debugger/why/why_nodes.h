/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_nodes: the graph of who waits for what as data: nodes, edges, and what is asked of them.
 */
#ifndef DEBUGGER_WHY_NODES_H
#define DEBUGGER_WHY_NODES_H

#include "debugger/why/why.h"

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

struct why_state {
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
	VEC(int) restless; /* threads that wait for locks, and are not at rest            */
	VEC(struct why_state) states; /* one for each node                                    */
};

/* All three: false: out of memory. */
bool why_nodes_add(struct why_graph *g, enum why_node_kind kind, int index, int waiter, int *ret);
bool why_nodes_add_edge(struct why_graph *g, int from, int to, enum why_edge_kind kind,
			enum why_knowledge knowledge);
/* A node of its own, behind another one, for what is missing. */
bool why_nodes_add_end(struct why_graph *g, int from, enum why_end end);

/* NULL: there is none. */
const struct why_edge *why_nodes_edge(const struct why_graph *g, int from, int to);

/* The one node that a thread waits for; -1: none, or several. */
int why_nodes_target(const struct why_graph *g, int thread);

/* The barrier that a thread waits at; -1: it waits for something else. */
int why_nodes_barrier(const struct why_graph *g, int thread);

/* All threads that wait for the same as this one, or it alone. false: out of memory. */
bool why_nodes_group(const struct why_graph *g, int thread, struct why_threads *ret);

/* Some thread has taken a lock of which it is not known which one. */
bool why_nodes_unknown_hold(const struct picture *p);

/*
 * The code that can have left behind what a thread waits for, of that which is not made to; NULL:
 * none is known.
 */
const struct picture_leak *why_nodes_leak(const struct picture *p, int waiter);

#endif
