/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_look: one command for all processes of a job, each looked at by a process of its own
 * (job_lookers.h), so that what befalls one look befalls no other. Those whose
 * answers differ in nothing but LWPs, addresses and seconds are shown once. Stacks of ranks are
 * shown as one tree, and from the verdicts on them follows one on the job.
 */
#ifndef DEBUGGER_CLI_JOB_LOOK_H
#define DEBUGGER_CLI_JOB_LOOK_H

#include "debugger/cli/job_hosts.h"
#include "debugger/cli/job_lookers.h"

struct job_work {
	struct looking looking; /* answers are one JSON object if json */
	bool json;
	bool graph, dot;  /* of who waits for whom; with dot nothing else       */
	bool outlines;    /* of ranks, reports have all of the answers: their stacks are one tree */
	bool tells_front; /* it is the part of this host alone: job_hosts.h  */
	struct job_hosts_work asking; /* what other hosts are asked                      */
	struct style style;
};

/*
 * Prints who was found and all answers: the rarest first, which are those that are looked for.
 * FINDING if one of them is; else the worst of their statuses. *ret_error is owned: all of it has
 * failed then.
 */
enum status job_look(const struct job *j, const struct job_work *work, struct error **ret_error);

#endif
