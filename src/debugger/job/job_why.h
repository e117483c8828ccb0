/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_why: the reason why a job does not go on: the verdicts on its ranks, joined through the calls
 * of MPI's in which they wait for each other.
 *
 * A rank that depends on a call waits for those without which the call cannot end: all that are not
 * in the same collective, or its peer. What nobody in such a circle can end is a deadlock. Peers
 * and collectives count where the communicator is MPI_COMM_WORLD: another one numbers its ranks
 * anew. Match queues are not read, so what is concluded from calls is probable at most.
 */
#ifndef DEBUGGER_JOB_WHY_H
#define DEBUGGER_JOB_WHY_H

#include "debugger/job/report.h"

struct job_rank {
	int rank;
	const struct report *report; /* borrowed; NULL, or not judged: it could not be looked at */
};

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

/* Ranks that do the same. */
struct job_link {
	VEC(long) ranks;             /* rising                              */
	char *thread, *where, *does; /* owned; "0.1" or "", "f at a.c:3", "is in MPI_Barrier()" */
};

struct job_why {
	enum why_verdict verdict;
	enum job_class class;
	enum why_confidence confidence;
	char *summary;              /* owned; one sentence, with its full stop   */
	VEC(struct job_link) blame; /* the cause first, then those that wait     */
	struct why_texts reasons;   /* owned; sentences                          */
};
void job_why_fini(struct job_why *w);

/*
 * ranks: rising. missing: how many of this host's are not there any more. Errors only for lack of
 * memory.
 */
MUST_CHECK struct error *job_why_find(const struct job_rank *ranks, size_t n, size_t missing,
				      struct job_why *ret);

/* Whether it is concluded from calls that do not fit each other. */
bool job_why_is_of_calls(const struct job_why *w);

/* Who is in which calls, as text: equal where it is the same. */
void job_why_add_key(struct buf *out, const struct job_why *w);

/*
 * Another look has shown something else, so there is no such finding: they go on, or, where ranks
 * seemed to have ended, are being started. Errors only for lack of memory.
 */
MUST_CHECK struct error *job_why_retract(struct job_why *w);

/* "rank 3", "ranks 0-2,7" */
void job_why_add_ranks(struct buf *out, const struct job_link *l);

#endif
