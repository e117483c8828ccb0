/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_job: the verdict on a job for people.
 *
 * Waiting: rank 1 is in pause() in team at hyb.c:14; 2 ranks wait in calls of MPI.
 *
 *   rank 1     0.1  team at hyb.c:14  is in pause()
 *   ranks 0,2       main at hyb.c:24  is in MPI_Allreduce()
 *
 * How sure: probable.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_JOB_H
#define DEBUGGER_OUTPUT_FORMAT_JOB_H

#include "debugger/job/job_counts.h"
#include "debugger/job/job_why.h"
#include "debugger/output/json.h"
#include "debugger/output/style.h"

void format_job_why(struct buf *out, const struct job_why *w, const struct style *style);

/*
 * who waits for whom
 *   rank 1       0.1  team at hyb.c:14  waits at barrier (1 of 2 arrived)
 *   ranks 0,2-3       main at hyb.c:24  is in MPI_Allreduce()
 *   `- wait for rank 1
 */
void format_job_graph(struct buf *out, const struct job_why *w, const struct style *style);

/* The same in the language of graphviz. */
void format_job_dot(struct buf *out, const struct job_why *w);

/*
 * ranks  threads  regions  waits at barrier
 * 0,2          3        0                 0
 * 1            3        1                 2
 */
void format_job_counts(struct buf *out, const struct job_counts *c, const struct style *style);

/* Members of the object that is open: "verdict", "class", "confidence", "summary", "blame",
 * "graph". */
void json_job_why(struct json *j, const struct job_why *w);

#endif
