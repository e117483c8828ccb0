/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Console: how ompdb talks to whoever started it: standard output, messages, exit status.
 *
 * Standard output carries results and nothing else; messages go to standard error, one line each.
 */
#ifndef DEBUGGER_CLI_CONSOLE_H
#define DEBUGGER_CLI_CONSOLE_H

#include <time.h>

#include "debugger/output/style.h"

/*
 * Puts something into the place of standard streams that are closed, before a file of a target
 * gets there. They stay unusable. Call it first.
 */
void console_init(void);

/* Exit status of every front end. */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,  /* a command failed                           */
	STATUS_USAGE = 2,   /* the command line makes no sense            */
	STATUS_TARGET = 3,  /* the target cannot be loaded or attached to */
	STATUS_FINDING = 4, /* it is stuck or in a deadlock */
};

/* Values of --color, in the order of console_color_names. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
extern const char *const console_color_names[];

/*
 * Auto: colours on a terminal that has them, unless $NO_COLOR is set (no-color.org). Lines are
 * drawn with UTF-8 on a terminal whose locale has it.
 */
struct style console_style(enum color color);

/* Writes all of that, however slow who reads it is. OS: what hindered it. */
MUST_CHECK struct error *console_write_bytes(int fd, const char *data, size_t len);

/* Writes all of out to standard output and empties it. OS: what hindered it. */
MUST_CHECK struct error *console_write(struct buf *out);

/* The same as all that a command does. */
enum status console_print(struct buf *out);

/* Prints "ompdb: MESSAGE" on standard error, escaped. Takes err. */
void console_error(struct error *err);

/* The same with how to call it right behind it, on a second line. STATUS_USAGE. */
enum status console_usage_error(struct error *err, const char *usage);

/*
 * Work that may take long: console_progress() is called now and then, and tells on standard error
 * what is being done, half a second after it has begun, if shown, and if that is a terminal.
 * console_progress_end() takes it from the screen.
 */
struct console_progress {
	struct timespec began;
	unsigned int told; /* seconds that the line shows, plus one; 0: there is none */
};
void console_progress_begin(struct console_progress *p);
void console_progress(struct console_progress *p, bool shown, const char *what);
void console_progress_end(struct console_progress *p);

#endif
