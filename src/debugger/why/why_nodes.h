/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_nodes: the graph of who waits for what as data: nodes, edges, and what is asked of them.
 *
 * Where memory runs out, that is noted in why->failed, and what is added is lost: the graph is of
 * no use then, but may still be looked at.
 */
#ifndef DEBUGGER_WHY_NODES_H
#define DEBUGGER_WHY_NODES_H

#include "base/map.h"
#include "debugger/why/why_end.h"

struct why_state {
	enum why_end end;
	bool any;   /* one of the edges will do                                            */
	bool live;  /* it can go on                                                        */
	bool plain; /* of a barrier: not the region's end                                 */
	int waiter; /* a thread that waits for it                                         */
	size_t first, count; /* its edges                                                  */
	int next; /* node that is most to blame; -1: none. Of stuck nodes a stuck one     */
};

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
	bool spin_is_wait;               /* threads that spin are taken to wait              */
	bool anyone;                     /* some thread is live by itself                       */
	struct why *why;                 /* borrowed; whose nodes and edges are filled in        */
	struct why_task *tasks;          /* owned; one for each task                             */
	int *first_task;                 /* owned; of each region                                */
	struct hash_map by_team;         /* owned; nodes that all threads of a team share        */
	struct hash_map by_lock;         /* owned; nodes that all share who wait for one lock    */
	VEC(int) contenders;             /* threads that wait for locks, and are not at rest     */
	VEC(struct why_state) states;    /* one for each node                                    */
};

static inline const struct why_node *why_nodes_get(const struct why_graph *g, int node)
{
	return &g->why->nodes.items[node];
}

/* Valid until a node is added. */
static inline struct why_state *why_nodes_state(const struct why_graph *g, int node)
{
	return &g->states.items[node];
}

static inline bool why_nodes_is_thread(const struct why_graph *g, int node)
{
	return why_nodes_get(g, node)->kind == WHY_NODE_THREAD;
}

/* In by_team: of all who wait so; WAIT_BARRIER stands for all barriers but the region's end. */
static inline uint64_t why_nodes_team_key(int region, enum wait_kind kind)
{
	return (uint64_t)region * NUM_WAIT_KINDS + kind;
}

/* What a thread waits for. */
static inline const struct picture_wait *why_nodes_wait(const struct why_graph *g, int thread)
{
	return &picture_thread(g->picture, thread)->wait;
}

/* The new node; out of memory: some node. */
int why_nodes_add(struct why_graph *g, enum why_node_kind kind, int index, int waiter);

void why_nodes_add_edge(struct why_graph *g, int from, int to, enum why_edge_kind kind,
			enum why_knowledge knowledge);

/* A node of its own, behind another one, for what is missing. */
void why_nodes_add_end(struct why_graph *g, int from, enum why_end end);

/* NULL: there is none. */
const struct why_edge *why_nodes_edge(const struct why_graph *g, int from, int to);

/* The one node that a thread waits for; -1: none, or several. */
int why_nodes_target(const struct why_graph *g, int thread);

/* The barrier that a thread waits at; -1: it waits for something else. */
int why_nodes_barrier(const struct why_graph *g, int thread);

/* How many members of a team do not exist. */
size_t why_nodes_missing(const struct picture *p, int region);

/*
 * By its code the holder of what a thread waits for may have taken something, and which lock that
 * was is not known.
 */
bool why_nodes_is_vague(const struct picture *p, const struct picture_wait *w);
/* Those that may hold what a thread waits for, if one of several does, wait for it themselves. */
bool why_nodes_is_own(const struct picture *p, const struct picture_wait *w);

/* The task that will give back what the waiter waits for; -1: none is known. */
int why_nodes_giver(const struct picture *p, int waiter);

/* Threads of a thread's team are gone, and may have had what it waits for. */
bool why_nodes_gone_with(const struct picture *p, int waiter);

/* Some thread has taken a lock of which it is not known which one. */
bool why_nodes_unknown_hold(const struct picture *p);

/*
 * The code that can have left behind what a thread waits for, of that which is not made to; NULL:
 * none is known.
 */
const struct picture_leak *why_nodes_leak(const struct picture *p, int waiter);

/*
 * The code that an end tells of: it may be some of which it is not known whether it leaves that
 * behind, or something else of the kind.
 */
const struct picture_leak *why_nodes_leak_of_end(const struct why_graph *g, int node);

#endif
