/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_report: what a process that looks at one rank tells that which asks all of them
 * (job/report.h reads it): a JSON object on one line, with texts as they are to be printed.
 */
#ifndef DEBUGGER_OUTPUT_JSON_REPORT_H
#define DEBUGGER_OUTPUT_JSON_REPORT_H

#include "debugger/job/mpi_call.h"
#include "debugger/output/style.h"
#include "debugger/output/view.h"
#include "debugger/why/why.h"

/*
 * The stitched stacks as an outline. What an MPI function calls is left out, unless v->all_frames;
 * style: of names.
 */
void json_report_stacks(struct buf *out, const struct view *v, const struct style *style);

/* How many threads, regions and tasks there are, and how many threads do what. */
void json_report_omp(struct buf *out, const struct view *v);

/* The verdict, and the calls of MPI's that threads are in. p: of the looks at them. */
void json_report_why(struct buf *out, const struct view *v, const struct why *w,
		     const struct progress *p, const struct mpi_calls *calls);

#endif
