/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_why: the reason why a job does not go on: the verdicts on its ranks, joined through the calls
 * of MPI's in which they wait for each other.
 *
 * What nobody in a circle of ranks that wait for each other (rank_waits.h) can end is a deadlock.
 * Match queues are not read, so what is concluded from calls is probable at most.
 */
#ifndef DEBUGGER_JOB_WHY_H
#define DEBUGGER_JOB_WHY_H

#include "debugger/job/job_graph.h"

enum job_class {
	JOB_NONE,
	JOB_RANK,       /* a rank is in a deadlock, is stuck, or has crashed by itself     */
	JOB_GONE,       /* a rank has ended                                          */
	JOB_COLLECTIVE, /* ranks are in different collectives                        */
	JOB_MESSAGE,    /* ranks wait for messages of each other                     */
	JOB_THREADS,    /* several threads of a rank are in MPI, which has not granted that */
	JOB_OUTSIDE,    /* a rank waits for something else: input, time              */
	JOB_IMBALANCE,  /* a rank computes                                           */
	NUM_JOB_CLASSES,
};
const char *job_class_name(enum job_class class); /* "rank", "collective": as JSON has them */

struct job_why {
	enum why_verdict verdict;
	enum job_class class;
	enum why_confidence confidence;
	char *summary;            /* owned; one sentence, with its full stop   */
	struct job_links blame;   /* the cause first, then those that wait     */
	struct job_graph graph;   /* who waits for whom                        */
	struct why_texts reasons; /* owned; sentences                          */
};
void job_why_fini(struct job_why *w);

/*
 * ranks: rising. missing: how many of this host's are not there any more. all_here: no rank of the
 * job is on another host. Errors only for lack of memory.
 */
MUST_CHECK struct error *job_why_find(const struct rank_report *ranks, size_t n, size_t missing,
				      bool all_here, struct job_why *ret);

/* Whether it is concluded from calls that do not fit each other. */
bool job_why_is_of_calls(const struct job_why *w);

/* Who is in which calls, as text: equal where it is the same. */
void job_why_add_key(struct buf *out, const struct job_why *w);

/*
 * Another look has shown something else, so there is no such finding: they go on, or, where ranks
 * seemed to have ended, are being started. Errors only for lack of memory.
 */
MUST_CHECK struct error *job_why_retract(struct job_why *w);

#endif
