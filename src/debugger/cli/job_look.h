/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_look: one command for all processes of a job, each looked at by a process of its own, so that
 * they are looked at at the same time, and what befalls one look befalls no other. Those whose
 * answers differ in nothing but LWPs, addresses and seconds are shown once.
 */
#ifndef DEBUGGER_CLI_JOB_LOOK_H
#define DEBUGGER_CLI_JOB_LOOK_H

#include "debugger/cli/console.h"
#include "debugger/job/job.h"

struct job_work {
	/* Prints its answer, one JSON object if json, on standard output, errors on standard error.
	 */
	enum status (*look)(const void *context, const char *target);
	const void *context;
	bool json;
	struct style style;
};

/*
 * Prints who was found and all answers: the rarest first, which are those that are looked for.
 * FINDING if one of them is; else the worst of their statuses.
 */
enum status job_look(const struct job *j, const struct job_work *work);

#endif
