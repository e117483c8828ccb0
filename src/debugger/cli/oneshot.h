/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Oneshot: commands that look at a target once, print what they find and end: "ompdb stack PID".
 *
 * A command is a row of a table; its help and its part of the manual page come from that row. To
 * add one, write its function and its options and add the row.
 */
#ifndef DEBUGGER_CLI_ONESHOT_H
#define DEBUGGER_CLI_ONESHOT_H

#include "debugger/cli/console.h"
#include "debugger/cli/options.h"

/* Options that may stand before and behind the command's name. */
struct common_options {
	bool help;
	int color;         /* enum color               */
	const char *debug; /* domains of log.h, or NULL */
};
extern const struct option_set oneshot_common_set;

struct oneshot;

/* The command of that name; NULL: there is none. */
const struct oneshot *oneshot_find(const char *name);

/* Runs a command with what stands behind its name. common: what stood before it. */
enum status oneshot_run(const struct oneshot *c, int argc, char **argv,
			struct common_options *common);

/* "  stack  Print the call stacks...\n" for each command. */
void oneshot_add_list(struct buf *out);

/* The section COMMANDS of the manual page. */
void oneshot_add_man(struct buf *out);

#endif
