/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_gather: waits for what ranks that were given an order have to say, and tells it.
 *
 * An answer is told when all have answered. While programs run it is told as it comes: what comes
 * at the same moment is told together, then who still runs. An interrupt goes to all that have
 * not answered; a question that several ask is asked once.
 */
#ifndef DEBUGGER_CLI_JOB_GATHER_H
#define DEBUGGER_CLI_JOB_GATHER_H

#include "debugger/cli/job_ranks.h"

/* What has started the job, as far as this prompt has to do with it. */
struct job_starter {
	int fd; /* readable (or hung up) when there is something to hear; -1: never */
	/*
	 * Is called then, also while a line is waited for, and while ranks run: takes what makes fd
	 * readable, adds what is to be told to c->out, may attach to more ranks. false: fd is not
	 * looked at any more.
	 */
	bool (*hear)(void *context, struct cli *c);
	/* The session leaves the job: all ranks have been let go, or have ended; killed: or, if
	 * this session has started them, were killed with it. May be NULL. */
	void (*end)(void *context, struct cli *c, bool killed);
	void *context; /* borrowed */
};

struct job_gathering {
	struct cli *cli;
	struct job_ranks *all;
	struct job_starter starter; /* fd -1: none, or it has nothing to say any more       */
	bool told_outside;          /* that ranks that are not in focus stand               */
	bool exact;                 /* as job_told_show()                                   */
	bool runs;                  /* this is going on: not to be called again             */
	bool ran;                   /* a program has been let go, since this was made false */
};

/* Until no rank has anything to do any more. The errors of job_told_show(). */
MUST_CHECK struct error *job_gather(struct job_gathering *g);
/* The same without telling anything; what has come stays. Questions are answered with yes. */
void job_gather_quietly(struct job_gathering *g);

/* What is there already; tells it. For who waits for something else. The job may be over then:
 * c->job. */
MUST_CHECK struct error *job_gather_news(struct job_gathering *g);

#endif
