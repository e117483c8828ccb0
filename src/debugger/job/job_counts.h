/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_counts: how many of what each rank has, as a table: a row for ranks that have the same.
 */
#ifndef DEBUGGER_JOB_COUNTS_H
#define DEBUGGER_JOB_COUNTS_H

#include "debugger/job/job_why.h"

struct job_counts_row {
	VEC(long) ranks;  /* rising                  */
	VEC(long) values; /* by column; 0: none there */
};

struct job_counts {
	VEC(const char *) columns; /* borrowed from the reports, in the order in which they came */
	VEC(struct job_counts_row) rows; /* by their first ranks                               */
};
void job_counts_fini(struct job_counts *c);

/* Of the ranks whose reports have counts. Borrows the reports. false: out of memory. */
bool job_counts_make(const struct rank_report *ranks, size_t n, struct job_counts *ret);

#endif
