/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Command: what can be typed at the prompt: one row for each, from which come parsing,
 * abbreviations, help, completion and the manual page.
 *
 * To add a command: write its row in the table of a cmd_*.c file, and the function that it calls.
 */
#ifndef DEBUGGER_CLI_COMMAND_H
#define DEBUGGER_CLI_COMMAND_H

#include "debugger/cli/abbrev.h"

struct cli; /* cli.h: the session, what is selected, settings, where output goes */

enum command_class {
	CLASS_RUNNING,
	CLASS_BREAKPOINTS,
	CLASS_STACK,
	CLASS_DATA,
	CLASS_OPENMP,
	CLASS_FILES,
	CLASS_STATUS,
	CLASS_SUPPORT,
	CLASS_USER,
	NUM_COMMAND_CLASSES,
};

/* What the Tab key completes behind its name. */
enum command_completes {
	COMPLETES_NOTHING,
	COMPLETES_LOCATION,   /* functions and files         */
	COMPLETES_EXPRESSION, /* variables, registers, functions */
	COMPLETES_FILE,       /* of the file system          */
	COMPLETES_COMMAND,
	COMPLETES_SETTING,
	COMPLETES_THREAD,
	COMPLETES_SIGNAL,
	COMPLETES_BREAKPOINT, /* numbers                     */
	COMPLETES_CHOICE,     /* one of the words in "choices" */
	COMPLETES_LISTING,    /* options and keys of a listing */
	COMPLETES_TEAM,       /* numbers of teams            */
};

enum command_flags {
	COMMAND_REPEATS = 1,      /* an empty line does it again                               */
	COMMAND_REPEATS_BARE = 2, /* the same, without what stood behind it: list, x           */
	COMMAND_HAS_BLOCK = 4,    /* lines up to "end" belong to it: commands, define, if      */
	COMMAND_RAW = 8,          /* all behind its name is its own, blanks at the end as well */
	COMMAND_OPENS = 16,       /* its failure means that there is no target: STATUS_TARGET  */
	COMMAND_FRAMELESS = 32,   /* asks for names and values alone: of a task, too              */
	COMMAND_JSON = 64, /* "--json" as its first or last word: it answers with an object     */
};

struct command {
	const char *name;        /* "info breakpoints": words with one blank                     */
	const char *short_names; /* of its last word, besides unique beginnings: "b br brea";
				    NULL: none                                               */
	const char *args;        /* for help: "[LOCATION] [thread N] [if CONDITION]"; "": none   */
	enum command_class class;
	enum command_completes completes;
	unsigned int flags;
	int kind; /* which of the commands that share "run" it is, for that: c->command->kind */
	const char *const *choices; /* NULL-terminated                                        */
	/* args: behind the name, without blanks around it, never NULL. */
	struct error *(*run)(struct cli *c, const char *args);
	const char *summary; /* one sentence                                                  */
	const char *help;    /* more sentences; NULL: none                                    */
};

struct command_table {
	const struct command *rows;
	size_t len;
};

/* A row of "info WORDS". */
#define COMMAND_INFO(words, shorts, arguments, how, completed, sentence)                           \
	{                                                                                          \
		.name = "info " words, .short_names = (shorts), .args = (arguments),               \
		.class = CLASS_STATUS, .completes = (completed), .run = (how),                     \
		.summary = (sentence)                                                              \
	}

/* COMMAND_TABLE(rows) */
#define COMMAND_TABLE(table)                                                                       \
	{                                                                                          \
		.rows = (table), .len = sizeof(table) / sizeof(*(table))                           \
	}

/* One in each cmd_*.c; command.c has the list of them. */
extern const struct command_table cmd_run_table;       /* run, attach, continue, step, ...       */
extern const struct command_table cmd_break_table;     /* break, watch, info breakpoints         */
extern const struct command_table cmd_catch_table;     /* catch, tcatch                          */
extern const struct command_table cmd_points_table;    /* dprintf, rbreak, save, skip            */
extern const struct command_table cmd_signal_table;    /* signal, handle, info signals           */
extern const struct command_table cmd_stack_table;     /* backtrace, frame, up                   */
extern const struct command_table cmd_frame_table;     /* info frame                             */
extern const struct command_table cmd_thread_table;    /* thread, info threads, freeze           */
extern const struct command_table cmd_apply_table;     /* frame apply, thread apply              */
extern const struct command_table cmd_variables_table; /* info locals, info args           */
extern const struct command_table cmd_data_table;      /* print, printf, set variable            */
extern const struct command_table cmd_type_table;      /* whatis, ptype                          */
extern const struct command_table cmd_display_table;   /* display, undisplay                     */
extern const struct command_table cmd_memory_table;    /* x, disassemble, info registers         */
extern const struct command_table cmd_list_table;      /* list                                   */
extern const struct command_table cmd_find_table;      /* find                                   */
extern const struct command_table cmd_file_table;      /* file                                   */
extern const struct command_table cmd_inferior_table; /* info inferiors, inferior, kill inferiors */
extern const struct command_table cmd_job_table;      /* focus, info ranks                     */
extern const struct command_table cmd_info_table;     /* info line, symbol, source, proc        */
extern const struct command_table cmd_symbols_table;  /* info functions, variables, scope       */
extern const struct command_table cmd_omp_table;      /* why, omp, omp why, stack               */
extern const struct command_table cmd_task_table;     /* omp task                               */
extern const struct command_table cmd_events_table;   /* info omp                               */
extern const struct command_table cmd_team_table;     /* omp hold, run, schedule, shuffle        */
extern const struct command_table cmd_sharing_table;  /* info sharing                           */
extern const struct command_table cmd_script_table;   /* define, if, while, source              */
extern const struct command_table cmd_support_table;  /* help, set, show, shell, quit           */

/* All commands of a session: those of the tables, and those that the user has defined. */
struct command_list {
	VEC(const struct command *) rows; /* borrowed                                            */
	struct named_list names;          /* of the same, by number                              */
};
MUST_CHECK struct error *command_list_init(struct command_list *l);
void command_list_fini(struct command_list *l);

/* It hides one of the same name. The row stays the caller's; command_remove() undoes it. */
MUST_CHECK struct error *command_add(struct command_list *l, const struct command *row);
void command_remove(struct command_list *l, const struct command *row);

/*
 * The row that words at the beginning of a line mean: exact names first, then short names, then
 * unique beginnings of each word. *ret_args: what stands behind them. USAGE: unknown, or ambiguous,
 * with the candidates or the nearest names.
 */
MUST_CHECK struct error *command_find(const struct command_list *l, const char *line,
				      const struct command **ret, const char **ret_args);

/* Whether it begins others: "info", "thread". */
bool command_has_more(const struct command_list *l, const struct command *row);

extern const char *const command_class_names[NUM_COMMAND_CLASSES]; /* "breakpoints"           */
extern const char *const command_class_texts[NUM_COMMAND_CLASSES]; /* "Making program stop..." */

#endif
