/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why: the reason why an OpenMP program does not go on, or the finding that it does.
 *
 * From the picture comes a graph of who waits for what and who could end it; what nobody can end is
 * stuck. The blame follows the edges from those who wait to the thread that stops them all.
 * Strings are as they are in the target, unescaped. Nothing here touches the target.
 */
#ifndef DEBUGGER_WHY_H
#define DEBUGGER_WHY_H

#include "debugger/progress.h"

enum why_verdict {
	WHY_UNKNOWN,
	WHY_DEADLOCK,    /* threads wait for each other                                      */
	WHY_STUCK,       /* threads wait for what nobody is left to do                       */
	WHY_CRASHED,     /* a signal has ended it, or is about to                            */
	WHY_WAITING,     /* everything waits for something outside: input, a message, time;
			  or for a thread that the user holds                           */
	WHY_PROGRESSING, /* it goes on                                                       */
	WHY_IDLE,        /* no OpenMP construct is being executed                            */
	NUM_WHY_VERDICTS,
};

enum why_class {
	WHY_NONE,
	WHY_BARRIER_MISMATCH,
	WHY_WORKSHARING_MISMATCH,
	WHY_LOCK_CYCLE,
	WHY_SELF_DEADLOCK,
	WHY_LOST_LOCK,
	WHY_ORDERED,
	WHY_TASK,
	WHY_DETACH,
	WHY_LOST_WORKER,
	WHY_TWO_RUNTIMES,
	WHY_BUSY_WAIT,
	WHY_EXTERNAL,
	WHY_HELD,
	WHY_IMBALANCE,
	NUM_WHY_CLASSES,
};

enum why_confidence { WHY_GUESS, WHY_PROBABLE, WHY_CERTAIN, NUM_WHY_CONFIDENCES }; /* rising */

/* As VEC(char *). */
struct why_texts {
	char **items; /* owned, and each of them */
	size_t len, cap;
};

/* A link of the chain of blame: threads, and what they do to stop the others. */
struct why_blame {
	int thread;          /* the first of them; -1: none, as for a lock that nobody holds    */
	struct ints threads; /* all of them, in the picture's order */
	struct place place;  /* of the construct or call in the user's code; strings borrowed   */
	char *reason;        /* owned; "waits for lock 'L', held by thread 0.5"                 */
};

enum why_node_kind {
	WHY_NODE_THREAD,
	WHY_NODE_TASK,
	WHY_NODE_OBJECT,  /* lock, critical, mutex, turn, thing outside: as a waiter's wait says */
	WHY_NODE_BARRIER, /* of a region: explicit, implicit, or its end                         */
	WHY_NODE_NOBODY,  /* who should be there and is not: a holder, a worker, who fulfils     */
	NUM_WHY_NODES,
};

struct why_node {
	enum why_node_kind kind;
	int index;  /* of the thread, task, or region; else a thread that waits for the node    */
	char *name; /* owned; "thread 0.3", "lock 'L'", "barrier of team 0", "thread 3 of team 0" */
	bool stuck; /* nothing that is left can let it go on                                   */
};

enum why_edge_kind {
	WHY_WAITS_FOR, /* thread or task -> what it waits for                                */
	WHY_HELD_BY,   /* object -> thread                                                   */
	WHY_RUN_BY,    /* task -> a thread that executes it, or must                         */
	WHY_MUST_COME, /* barrier -> thread that has not arrived                             */
	NUM_WHY_EDGES,
};

enum why_knowledge { WHY_KNOWN, WHY_LIKELY, WHY_NOT_KNOWN, NUM_WHY_KNOWLEDGES }; /* of edges */

struct why_edge {
	enum why_edge_kind kind;
	int from, to; /* nodes */
	enum why_knowledge knowledge;
};

struct why {
	enum why_verdict verdict;
	enum why_class class;
	enum why_confidence confidence;
	char *summary;               /* owned; one sentence, with its full stop                 */
	VEC(struct why_blame) blame; /* the cause first                                         */
	struct why_texts reasons;    /* owned; sentences: how sure it is, and why               */
	struct why_texts hints;      /* owned; sentences: what to look at next                  */
	VEC(struct why_node) nodes;
	VEC(struct why_edge) edges; /* those from one node stand together                      */
	bool failed; /* private: memory ran out on the way, as a buf notes it                  */
};

void why_fini(struct why *w);
void why_clear_graph(struct why *w); /* its nodes and edges */

/* Edges by one of their ends: those of node n are edges[start[n]] up to edges[start[n + 1]]. */
struct why_ends {
	int *start, *edges; /* owned */
};

/* in: by where they lead to, else by where they come from. false: out of memory. */
bool why_ends_init(struct why_ends *ends, const struct why *w, bool in);
void why_ends_fini(struct why_ends *ends);

/* "deadlock", "barrier-mismatch", "certain": as JSON has them. */
const char *why_verdict_name(enum why_verdict verdict);
const char *why_class_name(enum why_class class);
const char *why_confidence_name(enum why_confidence confidence);
/* "thread", "waits for", "probable" */
const char *why_node_name(enum why_node_kind kind);
const char *why_edge_name(enum why_edge_kind kind);
const char *why_knowledge_name(enum why_knowledge knowledge);

/* A deadlock, a stuck program or a crash: exit status 4. */
bool why_verdict_is_finding(enum why_verdict verdict);
bool why_is_finding(const struct why *w);

/* How a summary begins: "Probably a deadlock: ". */
const char *why_opening(enum why_verdict verdict, enum why_confidence confidence);

/* What to look for in the code, a sentence; NULL: nothing. */
const char *why_hint(const struct why *w);

#endif
