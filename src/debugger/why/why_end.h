/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_end: what a chain of waits can end in, and all that follows from that: one row for each.
 */
#ifndef DEBUGGER_WHY_END_H
#define DEBUGGER_WHY_END_H

#include "debugger/why/why.h"

/* What a node without edges is. */
enum why_end {
	END_NONE,     /* it has edges                                                     */
	END_COMPUTES, /* a thread in user code                                            */
	END_BUSY,     /* in a runtime, not at rest: about to go on, as far as can be seen */
	END_HELD,     /* a thread that the user holds, and that waits for no other one     */
	END_OUTSIDE,  /* a thread that waits for something outside of the process, or time */
	END_SIGNAL,   /* a thread that another one must wake: condition, semaphore, join  */
	END_WRITER,   /* a thread that looks at memory until another one changes it       */
	END_IDLE,     /* a worker in the pool, which does nothing by itself               */
	END_UNKNOWN,  /* a thread that waits for what is not known                        */
	END_HOLDER,   /* nobody is known to hold it                                       */
	END_LOST,     /* nobody holds it any more                                         */
	END_WORKER,   /* a member of a team that does not exist                           */
	END_EVENT,    /* of a detached task: somebody must fulfil it                      */
	END_TASK,     /* a task that has not ended, and of which nothing is known         */
	NUM_WHY_ENDS,
};

enum why_hope {
	HOPE_ALWAYS, /* what ends in it can go on                                        */
	HOPE_ANYONE, /* it can while any thread at all is left that may see to it        */
	HOPE_NONE,
};

struct why_end_facts {
	enum why_hope hope;
	bool needs_thread; /* of this process, which is no such end itself                 */
	int weight;        /* how much it explains where a node waits for several; the most wins  */
	int freedom;       /* of threads, where nobody waits: the freest is looked at; 0: none  */

	/* Of what is missing, which is a node of its own: */
	const char *name;             /* "no thread"                                     */
	const char *clause;           /* ", whose holder is not known"; NULL: nothing    */
	enum why_edge_kind edge;      /* of the edge to it                              */
	enum why_knowledge knowledge; /* of the same                                    */
	const char *reason;           /* a sentence: how that is known; NULL: nothing    */
	struct {                      /* if nobody is left who could help:               */
		enum why_class class;
		enum why_confidence confidence;
	} stuck;
	struct { /* if it can go on: */
		enum why_verdict verdict;
		enum why_class class;
		bool two_looks; /* one look does not tell                      */
		bool works;     /* only of a thread that uses its processor    */
	} live;
};

/* What is said and done about an end. An end without a row has hope, and nothing is said of it. */
const struct why_end_facts *why_end_facts(enum why_end end);

#endif
