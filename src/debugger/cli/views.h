/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Views: what a snapshot shows of OpenMP, as text or as a JSON object: the same for the one-shot
 * commands and at the prompt.
 */
#ifndef DEBUGGER_CLI_VIEWS_H
#define DEBUGGER_CLI_VIEWS_H

#include "debugger/job/mpi_call.h"
#include "debugger/output/style.h"
#include "debugger/values/deciding.h"
#include "debugger/values/frame_values.h"
#include "debugger/values/worksharing.h"
#include "debugger/why/why_ask.h"

struct views_options {
	bool json;
	bool raw, flat, all_frames;        /* of stacks                                     */
	const struct frame_values *values; /* of stacks; NULL: none are shown          */
	const struct deciding *deciding;   /* of why; NULL: none are shown             */
	bool dot, graph;                   /* of why: the graph alone, or below the verdict */
	unsigned int parts;                /* of the picture: enum format_omp_part; 0: all  */
	const struct listing_wishes
		*wishes; /* for its tasks, or for threads in loops; NULL: none */
	bool each;       /* of loops: all that is known of each thread         */
};

MUST_CHECK struct error *views_add_stacks(struct buf *out, const struct snapshot *s,
					  const struct views_options *o, const struct style *style);
MUST_CHECK struct error *views_add_omp(struct buf *out, const struct snapshot *s,
				       const struct views_options *o, const struct style *style);
/* The values of a snapshot's frames, which ret asks for, and names of locks; as above. */
struct error *views_find_values(void *frame_values, struct session *s, struct snapshot *from);
/* For why: the values that decide where its threads are, and names of locks; as above. */
struct views_reasons {
	struct deciding deciding;
	struct mpi_calls calls; /* of MPI's, if there is whom to tell of them */
	bool tells;
};
void views_reasons_fini(struct views_reasons *r);
struct error *views_find_reasons(void *reasons, struct session *s, struct snapshot *from);

/* More reasons, of a finding: of threads that busy-wait, who could change what they look at. */
MUST_CHECK struct error *views_add_reasons(struct session *s, const struct look *l,
					   struct why *why);
/* The loops of a snapshot, which were found when that was taken. */
MUST_CHECK struct error *views_add_loops(struct buf *out, const struct snapshot *s,
					 const struct worksharing *loops,
					 const struct views_options *o, const struct style *style);
MUST_CHECK struct error *views_add_why(struct buf *out, const struct session *s,
				       const struct look *l, const struct why *why,
				       const struct views_options *o, const struct style *style);

/* What is told of the same to whom asks all ranks of a job (output/json_report.h). */
MUST_CHECK struct error *views_report_stacks(struct buf *report, const struct snapshot *s,
					     bool all_frames, const struct style *style);
MUST_CHECK struct error *views_report_omp(struct buf *report, const struct snapshot *s);
MUST_CHECK struct error *views_report_why(struct buf *report, const struct look *l,
					  const struct why *why, const struct mpi_calls *calls);

#endif
