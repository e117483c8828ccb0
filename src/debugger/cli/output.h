/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Output: where goes what commands print: to the terminal, page by page; to a log; into a shell
 * command.
 */
#ifndef DEBUGGER_CLI_OUTPUT_H
#define DEBUGGER_CLI_OUTPUT_H

#include <sys/types.h>

#include "base/buf.h"

struct output {
	bool pages;           /* asks for RETURN after each page; both ends are terminals         */
	size_t width, height; /* of a page; 0: as the terminal has them; SIZE_MAX: no end         */
	size_t row, column;   /* of the page, where the next character goes                       */
	bool unpaged;         /* "c": no more questions until the next page begins                */
	int log;              /* owned; the log file; -1: none                                    */
	bool log_alone;       /* what goes to the log does not go to the terminal                 */
	int pipe;             /* owned; of the shell command that gets it all; -1: none           */
	pid_t piped;          /* that command                                                     */
	int failed; /* errno: the pipe is closed; nothing more is written to it          */
	int said;   /* owned; file that gets what that command prints; -1: it prints itself */
};

#define OUTPUT_INIT ((struct output){ .log = -1, .pipe = -1, .said = -1 })
void output_fini(struct output *o);
/* In a process that was forked: logs, pages and shell commands are the other one's. */
void output_renew(struct output *o);

/* Writes and empties the text. GONE: the user does not want to see more. OS: what hindered it. */
MUST_CHECK struct error *output_write(struct output *o, struct buf *text);

/* A command begins: a new page. */
void output_begin_page(struct output *o);

/* How wide lines may be. */
size_t output_width(const struct output *o);

/* Opens a log, appended to unless overwrite; closes one that is open. NULL: closes alone. */
MUST_CHECK struct error *output_log_to(struct output *o, const char *path, bool overwrite);

/*
 * Starts a shell command that gets all output from now on; waits for its end and gives its status
 * as wait(2) does. keeps: what it prints is kept, and added to ret_said at its end.
 */
MUST_CHECK struct error *output_pipe_to(struct output *o, const char *command, bool keeps);
MUST_CHECK struct error *output_end_pipe(struct output *o, struct buf *ret_said, int *ret_status);

/* Runs a shell command, or a shell, with the terminal; its status as of wait(2). ret_said: gets
 * what it prints, in the place of the terminal; NULL: the terminal gets it. */
MUST_CHECK struct error *output_shell(const char *command, struct buf *ret_said, int *ret_status);

#endif
