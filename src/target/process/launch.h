/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launch: the child of ompdb that becomes the program. It is forked, waits until it has been
 * attached, and then executes; why it could not is told through a pair of sockets. A shell is
 * executed first, and executes the program then.
 *
 * The program has a process group of its own, and inherits nothing that ompdb has changed
 * (heritage.h).
 */
#ifndef TARGET_LAUNCH_H
#define TARGET_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct launch_command {
	const char *const *argv; /* program, searched in PATH, and arguments; NULL-terminated */
	const char *const *env;  /* NULL: ompdb's own                                       */
	const char *shell;       /* NULL: none; else it executes argv[0] with "arguments", and the
				    rest of argv is not looked at                           */
	const char *arguments;   /* as the shell reads them: with redirections, globs, quotes */
	const char *directory;   /* NULL: stay here                                         */
	const char *tty;         /* a terminal that shall be the program's; NULL: ompdb's own */
	int fds[3];      /* stdin, stdout, stderr of the program; -1: ompdb's own, or "tty" */
	bool foreground; /* it gets ompdb's terminal (traced_launch(): if ompdb has it) */
	bool keep_aslr;  /* leave address space randomisation as it is, else off    */
};

struct launch {
	const struct launch_command *command; /* borrowed */
	pid_t pid;
	int child; /* written to: execute now; read from: what failed, end of file if all went well
		    */
};

MUST_CHECK struct error *launch_fork(const struct launch_command *command, struct launch *ret);

/* Lets the child execute. */
void launch_go(struct launch *l);

/* Closes the socket. Takes err, what the attaching side saw; returns why the program did not start.
 */
MUST_CHECK struct error *launch_finish(struct launch *l, struct error *err);

/* How many programs it executes, the last of which is the one meant. */
unsigned int launch_execs(const struct launch_command *c);

/* Kills and reaps a child that is not traced. */
void launch_abandon(struct launch *l);

#endif
