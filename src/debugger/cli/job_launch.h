/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_launch: "ompdb --mpi mpiexec -n 4 ./app": a job is started, and the prompt is over its ranks
 * (job_prompt.h) before their main.
 *
 * Who they are is told by the starter (job_starter.h), at every spawn; where it has no table for
 * debuggers, by the ranks that wait because they are started by "ompdb rank" (rank.h). At the end
 * of the session the job is killed, but if all its ranks have been let go.
 */
#ifndef DEBUGGER_CLI_JOB_LAUNCH_H
#define DEBUGGER_CLI_JOB_LAUNCH_H

#include "debugger/cli/cli.h"

/* argv: the starter and its arguments. UNSUPPORTED: ranks can be found in neither way. */
MUST_CHECK struct error *job_launch(struct cli *c, int argc, char **argv);

#endif
