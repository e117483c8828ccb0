/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_starter: the debugger of a starter of MPI programs: a child of the prompt's process, as the
 * engines of ranks are (job_engine.h). It prints nothing, and has no terminal; what the starter
 * and its ranks print goes where ompdb's own output goes. Their standard input is empty.
 *
 * It tells news (mpir_launch.h), and lets the starter go on when it is told to. At the end of its
 * socket, however that comes, the starter is asked to end its job (SIGTERM), and killed if it does
 * not. If it is told before, it lets the starter go, or waits for a moment whether it ends by
 * itself.
 */
#ifndef DEBUGGER_CLI_JOB_STARTER_H
#define DEBUGGER_CLI_JOB_STARTER_H

#include "debugger/cli/cli.h"
#include "debugger/control/mpir_launch.h"

struct job_starter_process {
	pid_t debugger; /* 0: none                                                  */
	pid_t pid;      /* of the starter, as soon as it has begun; 0: not yet      */
	int socket;     /* owned; readable when there is news; -1: closed           */
};
#define JOB_STARTER_NONE ((struct job_starter_process){ .socket = -1 })

/* Starts one, and the starter: "argv", searched in PATH; a script is one, too. */
MUST_CHECK struct error *job_starter_begin(struct cli *c, int argc, char **argv,
					   struct job_starter_process *ret);

/* The next news, in place of what *ret held. GONE: its debugger has ended; else why it fails. */
MUST_CHECK struct error *job_starter_hear(struct job_starter_process *s, struct mpir_news *ret);

/* Behind each news but ENDS. */
void job_starter_go_on(const struct job_starter_process *s);
/* The job is to go on without a debugger. */
void job_starter_leave(const struct job_starter_process *s);
/* Its ranks have been killed: it is about to end by itself. */
void job_starter_end(const struct job_starter_process *s);
/* Closes the socket, and waits until the starter has ended, or has been let go. */
void job_starter_wait(struct job_starter_process *s);

#endif
