/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Host_answer: what ompdb has found out on another host (output/json_host.h writes it): the ranks
 * there whose answers are equal, each kind once. It is believed as little as a report is.
 */
#ifndef DEBUGGER_JOB_HOST_ANSWER_H
#define DEBUGGER_JOB_HOST_ANSWER_H

#include "debugger/job/report.h"

/* Ranks that have given the same answer. */
struct host_group {
	VEC(long) ranks; /* rising */
	int status;
	uint64_t key;           /* equal where answers differ in LWPs, addresses, seconds alone */
	char *text, *complaint; /* owned; lines, fit for a terminal; text: or an object of JSON */
	struct report report;   /* judged: there is one                                      */
};

struct host_answer {
	VEC(struct host_group) groups;
	size_t missing; /* ranks that are not there any more */
};
void host_answer_fini(struct host_answer *a);

/*
 * Reads one. Lines of stacks go into an outline. version: of this ompdb. BAD_DATA: it makes no
 * sense. UNSUPPORTED: it is of another version.
 */
MUST_CHECK struct error *host_answer_read(const char *text, size_t len, const char *version,
					  struct host_answer *ret, struct outline *outline);

#endif
