/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_prompt: one prompt over all ranks of a job that run on this machine.
 *
 *   this process              reads lines, shows answers: its cli has c->elsewhere set
 *    ├─ engine of rank 0 ── tracer ── the rank       job_engine.h: a child, with a cli of its own
 *    └─ engine of rank 1 ── tracer ── the rank
 *
 * A few commands are this process' own: focus, info ranks, quit, help, source, define and the like
 * (a table in job_prompt.c). All others go to the engines of the ranks in focus, at the same time,
 * as the lines that they are. Answers that are equal are shown once (job_told.h). Numbers of
 * breakpoints and of values ($1) are given once in the whole job.
 *
 * When this process ends, in whatever way, its engines end, and their ranks go on.
 */
#ifndef DEBUGGER_CLI_JOB_PROMPT_H
#define DEBUGGER_CLI_JOB_PROMPT_H

#include "debugger/cli/job_gather.h"
#include "debugger/job/job.h"

/*
 * Attaches to those members that are not there yet, each by an engine of its own, says who was
 * found, and where all stand. May be called again, also by job_starter.hear. The first call makes
 * the session one of a job; if no rank could be attached to, it is none again, and that is the
 * error. USAGE: the session has a process of its own, or the members are no ranks of one job.
 */
MUST_CHECK struct error *job_prompt_attach(struct cli *c, const struct job *j);

/* Of a session of a job, once: what has started it, as far as this prompt has to do with it. */
void job_prompt_set_starter(struct cli *c, const struct job_starter *starter);

#endif
