/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank_waits: what each rank of a job does, and for whom it waits in calls of MPI's.
 *
 * A rank that depends on a call waits for those without which the call cannot end: all that are not
 * in the same collective, or its peer. Peers and collectives count where the communicator is
 * MPI_COMM_WORLD: another one numbers its ranks anew.
 */
#ifndef DEBUGGER_JOB_RANK_WAITS_H
#define DEBUGGER_JOB_RANK_WAITS_H

#include "base/map.h"
#include "debugger/job/report.h"

struct rank_report {
	int rank;
	const struct report *report; /* borrowed; NULL, or not judged: it could not be looked at */
};

/* What a rank does, as far as the others are concerned. */
enum rank_doing {
	RANK_UNKNOWN,
	RANK_FINDING, /* cannot go on by itself              */
	RANK_IN_MPI,  /* waits for other ranks               */
	RANK_OUTSIDE, /* waits for something else            */
	RANK_GOES_ON,
};

struct rank_found {
	enum rank_doing state;
	bool stuck; /* it is in a circle, or waits for one that is */
};

struct rank_waits {
	const struct rank_report *items; /* borrowed; rising */
	size_t n;
	struct rank_found *found; /* owned; of each */
};
void rank_waits_fini(struct rank_waits *r);

/* Finds what they do, and who is stuck. false: out of memory. */
bool rank_waits_find(const struct rank_report *ranks, size_t n, struct rank_waits *ret);

/* NULL: it could not be looked at. */
const struct report *rank_waits_report(const struct rank_waits *r, size_t i);

/* The call that it depends on; NULL: on none. */
const struct report_call *rank_waits_call(const struct rank_waits *r, size_t i);

bool rank_waits_same_collective(const struct report_call *a, const struct report_call *b);

/* Whether rank i cannot go on before rank k has done something that it is not doing. */
bool rank_waits_for(const struct rank_waits *r, size_t i, size_t k);

/* The peer without which the call of rank i cannot end; r->n: it has none, or that is there. */
size_t rank_waits_peer(const struct rank_waits *r, size_t i);

/* What is said of it: words, and its own thread and place, "" where they are not known. */
void rank_waits_words(const struct rank_waits *r, size_t i, struct buf *does,
		      const char **ret_thread, const char **ret_where);

/* Ranks that do the same. */
struct job_link {
	VEC(long) ranks;             /* rising                              */
	char *thread, *where, *does; /* owned; "0.1" or "", "f at a.c:3", "is in MPI_Barrier()" */
};

struct job_links {
	struct job_link *items; /* in the order in which they came */
	size_t len, cap;
	struct hash_map by_words; /* private */
};
void job_links_fini(struct job_links *l);

/* Adds a rank to those that do the same. *ret_at: which these are; NULL: nobody asks. false: out of
 * memory. */
bool job_links_add(struct job_links *l, const struct rank_waits *r, size_t i, size_t *ret_at);

/* "rank 3", "ranks 0-2,7" */
void job_link_add_ranks(struct buf *out, const struct job_link *l);

#endif
