/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_answers: what one command has found out about each process of a job. Those whose answers
 * differ in nothing but LWPs, addresses and seconds are shown once.
 */
#ifndef DEBUGGER_CLI_JOB_ANSWERS_H
#define DEBUGGER_CLI_JOB_ANSWERS_H

#include "debugger/cli/console.h"
#include "debugger/job/job.h"
#include "debugger/job/report.h"
#include "target/process/procfs.h"

/* Of one member of this host, or of ranks of another one that have said the same. */
struct answer {
	const struct job_member *member; /* borrowed; NULL: of another host               */
	const char *host;                /* borrowed; NULL: of this one                   */
	VEC(long) ranks; /* rising; empty: it has none, or, of a host, they are not known  */
	enum status status;
	struct lwp_list lwps; /* of the member, before the look */
	struct buf text, complaint;
	struct report report;     /* judged: there is one */
	struct buf unread;        /* or it as it came, if another host is to read it */
	uint64_t key, report_key; /* what is compared of them: answer_set_keys() */
	size_t equals; /* ranks or targets whose answers are equal, its own too; 0: shown */
};

struct answers {
	struct answer *items; /* of this host's members in their order, then of other hosts */
	size_t len, cap;
	bool ranks; /* they are told apart by their ranks; else by their targets */
};
void answers_fini(struct answers *a);

/* One more, without anything. NULL: out of memory. */
struct answer *answers_add(struct answers *a);

/* Of its text and its complaint; of its report, if that is unread: else 0. false: out of memory. */
bool answer_set_keys(struct answer *a);

bool answers_are_equal(const struct answer *a, const struct answer *b);

/* Each counts at the first that it is equal to, be it itself. false: out of memory. */
bool answers_count_equals(struct answers *a);

/* Of those that are not shown yet the rarest, then the first. NULL: none is left. */
struct answer *answers_next(struct answers *a);

/* "rank 3, process 4714", "3 ranks: 0-2, as rank 0, process 4711", "4 ranks: 4-7, on node3, node5":
 * it, and all that are equal. */
void answers_add_who(struct buf *out, const struct answers *all, const struct answer *a);

/* Prints its messages, each with whom it is about in front: "ompdb: rank 3, process 4714: ..." */
void answer_print_complaint(const struct answer *a, const char *who);

#endif
