/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_front: what the prompt's process knows of the job under it, and what all of its commands
 * need.
 */
#ifndef DEBUGGER_CLI_JOB_FRONT_H
#define DEBUGGER_CLI_JOB_FRONT_H

#include "debugger/cli/job_gather.h"

struct job_front {
	struct job_ranks all;
	struct job_gathering gathering;
	int epoll;         /* owned; of all engines and the starter; -1: none yet */
	struct buf prompt; /* owned; of a focus                                   */
	bool here;         /* commands are executed in this process for a moment  */
};

/* Makes a session one of a job, without ranks yet; and ends that: engines end, their ranks go on.
 */
MUST_CHECK struct error *job_front_begin(struct cli *c, const struct cli_elsewhere *elsewhere);
void job_front_end(struct cli *c);
/* Behind whatever may have ended ranks: if none is left, the job is over. */
void job_front_finish(struct cli *c);

/* For who waits for a line: readable when an engine or the starter has something to say. */
int job_front_fd(const struct cli *c);

/* The prompt names the ranks in focus, if they are not all: "(ompdb 0-2) ". */
void job_front_renew_prompt(struct cli *c);

/* A rank has an engine; and commands go there. */
bool job_front_has(const struct job_rank *r);
bool job_front_aims_at(const struct job_rank *r);
size_t job_front_count(const struct job_ranks *all, bool (*is)(const struct job_rank *r));

/* USAGE: a list makes no sense, or none of its ranks is there. */
MUST_CHECK struct error *job_front_check(const struct job_ranks *all, const char *list);

/* One order to all that "to" is true of; what they say is to be forgotten, but for the end of an
 * engine, which is told then. */
void job_front_ask(struct cli *c, const struct job_order *o, bool (*to)(const struct job_rank *r));
void job_front_forget(struct cli *c);

#endif
