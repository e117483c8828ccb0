/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_lookers: processes that each look at one member of a job, all at the same moment.
 *
 * They are children of one that has found out what files of the first member tell: it knows that
 * for all looks at the job, and what befalls it there befalls none of them. If it ends, they are
 * children of this process, and each finds out by itself.
 */
#ifndef DEBUGGER_CLI_JOB_LOOKERS_H
#define DEBUGGER_CLI_JOB_LOOKERS_H

#include "debugger/cli/job_answers.h"
#include "target/process/gate.h"

struct looking {
	/* Prints its answer on standard output, errors on standard error; fills the report
	 * (job/report.h; NULL: it is not read), or leaves it empty. The first look passes the gate
	 * (NULL: there is none). */
	enum status (*look)(const void *context, const char *target, struct buf *report,
			    struct gate *gate);
	/* Before looks at several: what files of one of them tell is found out once. It does not
	 * stop it, and tells nobody of errors. */
	void (*prepare)(void *context, const char *target);
	void *context;
};

struct lookers;

enum { LOOKERS_ROUNDS = 4 }; /* a job is looked at so many times at most */

/* Borrows both. NULL: out of memory. */
struct lookers *lookers_new(const struct job *j, const struct looking *how);
void lookers_free(struct lookers *l);
CLEANUP(lookers, struct lookers)
#define AUTO_LOOKERS AUTO(lookers_cleanup) struct lookers

/*
 * Looks at all members, whose answers are the first ones, in their order. outline: of all stacks;
 * NULL: reports stay unread.
 */
void lookers_look(struct lookers *l, struct answers *answers, struct outline *outline);

#endif
