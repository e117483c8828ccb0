/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_engine: the debugger of one rank: a child of the prompt's process, with the cli that it was
 * forked with, settings, user commands and breakpoints included. It executes orders
 * (job_message.h), prints into pipes, and reads and writes no terminal. It ends when its socket
 * does, or with its parent in whatever way that ends; its rank goes on then.
 *
 * What all ranks have been told of breakpoints so far it executes when it has attached, as if it
 * had been there.
 *
 * It is in a process group of its own: what Ctrl-C on the terminal means is the prompt's to say. An
 * interrupt for it is a SIGINT.
 */
#ifndef DEBUGGER_CLI_JOB_ENGINE_H
#define DEBUGGER_CLI_JOB_ENGINE_H

#include "debugger/cli/cli.h"

/* Lines for all ranks, the first of which is a command. */
struct job_lines {
	struct job_text {
		char *text;     /* owned                                     */
		int breakpoint; /* the last number that was given before */
	} * items;
	size_t len, cap;
};
void job_lines_fini(struct job_lines *l);
MUST_CHECK struct error *job_lines_add(struct job_lines *l, const char *text, int breakpoint);

struct job_engine {
	pid_t pid;                 /* 0: none                              */
	int socket, out, messages; /* owned: of what it prints; -1: closed */
};
#define JOB_ENGINE_NONE ((struct job_engine){ 0, -1, -1, -1 })
void job_engine_close(struct job_engine *e);

/* Starts one for a process, which it is not attached to yet. told: what all ranks have been.
 * others: files that are not its. */
MUST_CHECK struct error *job_engine_start(struct cli *c, pid_t rank, const struct job_lines *told,
					  const struct ints *others, struct job_engine *ret);

#endif
