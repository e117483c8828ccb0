/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Print_options: "print -pretty on -elements 3 -team -- EXPR".
 *
 * What is switched on needs no "on"; "--" ends them. Where that stands behind them names may be
 * abbreviated; without it "-n" is an expression, and so is what may be one. What is no option
 * begins an expression.
 */
#ifndef DEBUGGER_CLI_PRINT_OPTIONS_H
#define DEBUGGER_CLI_PRINT_OPTIONS_H

#include "debugger/cli/data.h"

/* In how many threads an expression is evaluated. */
enum print_whom {
	PRINT_ONE,  /* in the selected one                       */
	PRINT_TEAM, /* in those of the team that it is in          */
	PRINT_ALL,
	PRINT_RANKS, /* in each rank of a job, in its selected thread */
};

struct print_options {
	struct shown_limits limits; /* those of "set print" to begin with */
	enum print_whom whom;
};

/* *text is moved behind them. USAGE: a value that the option does not take, or none. */
MUST_CHECK struct error *print_options_parse(const struct cli *c, const char **text,
					     struct print_options *ret);

#endif
