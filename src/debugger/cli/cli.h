/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cli: the command line of the interactive debugger: what all of its commands work on.
 *
 * A command adds text to c->out, which empties itself to the terminal, a pager, a log; before
 * anything else may print (the program that is set going, standard error), cli_flush() it.
 * With --json, text becomes objects of type "text"; a command that has a form of its own:
 *
 *   struct json j;
 *   if (c->json) {
 *           cli_json_begin(c, &j, "stop");     {"v":1,"type":"stop"
 *           json_add_integer(&j, "lwp", 42);   ,"lwp":42
 *           cli_json_end(c, &j);               }
 *   }
 */
#ifndef DEBUGGER_CLI_CLI_H
#define DEBUGGER_CLI_CLI_H

#include "base/source.h"
#include "debugger/cli/console.h"
#include "debugger/cli/lines.h"
#include "debugger/cli/output.h"
#include "debugger/cli/settings.h"
#include "debugger/cli/user_command.h"
#include "debugger/output/json.h"
#include "target/tracer/ear.h"
#include "target/tracer/terminal.h"

struct control; /* debugger/control/control.h: the program, what stops it, what is selected */
struct arguments;
struct completion;
struct data;
struct job_front; /* job_prompt.c */

/* Where commands are executed that are not this process' own: in the ranks of a job (job_prompt.h).
 */
struct cli_elsewhere {
	/* Executes a line that begins with that command; or leaves it to this process: *ret_here.
	 */
	struct error *(*execute)(struct cli *c, const struct command *row, const char *line,
				 bool *ret_here);
	void (*complete)(struct cli *c, const char *line, struct completion *ret);
	/* Readable when there is something to tell while a line is waited for, and tells it. */
	int (*fd)(const struct cli *c);
	void (*tell)(struct cli *c);
	void (*end)(struct cli *c); /* it is the whole session's end */
};

struct cli {
	struct control *control; /* owned; its listener's context is this cli; cmd_run.c sets
				    "notice" and "runs", startup.c the rest */
	struct source_paths source_paths; /* set substitute-path, directory                     */
	struct settings settings;     /* set and show                                           */
	struct command_list commands; /* owned                                                  */
	struct user_commands user;    /* owned                                                  */
	struct buf out;               /* what commands print                                    */
	struct buf objects;           /* owned; with --json: of the command that runs            */
	struct buf object;            /* owned; the one that is being made                       */
	struct terminal terminal;     /* who has it                                             */
	struct ear ear;               /* while the program has it                               */
	struct output output;         /* where that goes                                         */
	struct console_progress progress; /* of long work                                       */
	struct style style;
	bool json, batch, confirm, pages;      /* pages: both ends are terminals */
	const struct cli_elsewhere *elsewhere; /* borrowed; NULL: commands are executed here      */
	struct job_front *job;                 /* owned by it                                    */
	/* Asks a question in the place of the keyboard; NULL: the keyboard does. */
	bool (*ask)(struct cli *c, const char *question);
	bool launched; /* the job was started by this session: its ranks are killed at the end    */
	struct buf *report; /* borrowed; what "why" tells of its rank to who judges all; or NULL */
	bool ranked; /* this is the engine of a rank: stops are told as of one (format_stop.h)   */
	struct lines lines; /* where commands come from                                          */
	struct line_source *keyboard;  /* borrowed; NULL: nobody can be asked                    */
	const struct command *command; /* the one that runs; NULL: none                          */
	const struct command *hook;    /* the hook that runs; NULL: none                         */
	const struct arguments *arguments; /* borrowed; $arg0 of the command that runs; or NULL */
	bool located;       /* private: the error says which line it is from          */
	unsigned int depth; /* of commands in commands                                */
	unsigned int loops; /* "while" around the lines that run                      */
	enum { LOOP_RUNS, LOOP_CONTINUES, LOOP_BREAKS } loop; /* what is left of the innermost   */
	/*
	 * Of a stop, set by who reports it: how many there have been, and the lines of the
	 * breakpoints that were hit, which are executed when the command that runs has ended.
	 */
	unsigned long stops;
	struct buf stop_commands;   /* owned                                                  */
	bool in_stop_commands;      /* private */
	unsigned long stops_before; /* private */
	struct data *data;          /* owned; displays, where list and x go on: data.h        */
	const char *prompt;         /* borrowed: "(ompdb) "                                   */
	bool command_ran_program;   /* set by commands: the program may have written something */
	bool quits;                 /* the session is to end, with this status:               */
	int child_status;      /* of the program that has ended last, as a shell says; -1: none */
	int status;            /* of ompdb: enum status, or what "quit N" says           */
	const char *last_args; /* of the command that an empty line repeats              */
	bool repeats;          /* this is such a line: list and x go on where they were  */
};

MUST_CHECK struct error *cli_init(struct cli *c);
void cli_fini(struct cli *c);
/* In a process that was forked while a command ran: as if none did. It is in a process group of its
 * own, and has neither the terminal nor a job. */
void cli_renew(struct cli *c);

/* Asks a question that is answered with y or n; yes where nobody can be asked, or confirm is off.
 */
bool cli_ask(struct cli *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* One sentence on standard error that begins with "warning: "; with --json, an object. */
void cli_warn(struct cli *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A message as it is told: escaped, a sentence. */
void cli_add_sentence(struct buf *out, const char *message);

/* Takes err and tells it on standard error, as a sentence; with --json, as an object. */
void cli_tell_error(struct cli *c, struct error *err);
/* The same among what commands print. */
void cli_add_error(struct cli *c, struct error *err);

/* All that commands have printed is where it belongs. OS: what hindered it. */
MUST_CHECK struct error *cli_flush(struct cli *c);

void cli_json_begin(struct cli *c, struct json *ret, const char *type);
void cli_json_end(struct cli *c, struct json *j);

/* Executes a line, as if it had been typed; what it prints goes to c->out. */
MUST_CHECK struct error *cli_execute(struct cli *c, const char *line);

/* Executes the command that the user has defined as "hook-stop" or the like, if there is one. */
MUST_CHECK struct error *cli_execute_hook(struct cli *c, const char *hook, const char *name);

/* Lines of breakpoints run, and the program has stopped anew: what is left of them is not executed.
 */
bool cli_is_overtaken(const struct cli *c);

/* Executes lines one after the other, until one fails or the session is to end. name: of the file
 * that they are from, for messages; NULL: none. */
MUST_CHECK struct error *cli_execute_text(struct cli *c, const char *text, const char *name);

/*
 * The lines of a block up to "end" (commands, define, if, while), from wherever lines come from
 * just now. Adds them to ret, each with a newline. cli_read_text(): the same for a block of plain
 * text, in which nothing begins another block.
 */
MUST_CHECK struct error *cli_read_block(struct cli *c, const char *prompt, struct buf *ret);
MUST_CHECK struct error *cli_read_text(struct cli *c, const char *prompt, struct buf *ret);

#endif
