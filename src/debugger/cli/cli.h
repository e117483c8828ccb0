/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cli: the command line of the interactive debugger: what all of its commands work on.
 */
#ifndef DEBUGGER_CLI_CLI_H
#define DEBUGGER_CLI_CLI_H

#include "debugger/cli/console.h"
#include "debugger/output/style.h"

struct control; /* debugger/control/control.h: the program, what stops it, what is selected */
struct settings;
struct script;

struct cli {
	struct control *control;   /* owned                                                     */
	struct settings *settings; /* owned; set and show                                       */
	struct script *script;     /* owned; user-defined commands, where lines come from       */
	struct buf out;            /* what commands print: goes to the terminal, a log, a pager, a
				      pipe; not written to by anything else                    */
	struct style style;
	bool json, batch, confirm;
	int status;            /* of ompdb: enum status                                      */
	const char *last_args; /* of the command that an empty line repeats                   */
	bool repeats;          /* this is such a line: list and x go on where they were        */
};

/* Asks a question that is answered with y or n; yes where nobody can be asked, or confirm is off.
 */
bool cli_ask(struct cli *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* One sentence on standard error that begins with "warning: ". */
void cli_warn(struct cli *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Executes a line, as if it had been typed; what it prints goes to c->out. */
MUST_CHECK struct error *cli_execute(struct cli *c, const char *line);

/* The lines of a block up to "end" (commands, define, if, while), from wherever lines come from
 * just now. Adds them to ret, each with a newline. */
MUST_CHECK struct error *cli_read_block(struct cli *c, const char *prompt, struct buf *ret);

#endif
