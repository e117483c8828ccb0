/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rank_print: "print -ranks EXPR": an expression in each rank of a job that is in focus.
 */
#ifndef DEBUGGER_CLI_RANK_PRINT_H
#define DEBUGGER_CLI_RANK_PRINT_H

#include "debugger/cli/cli.h"

/* Whether a line that begins with that command is such a one; *ret_args: what stands behind it. */
bool rank_print_is_meant(const struct cli *c, const struct command *row, const char *line,
			 const char **ret_args);
MUST_CHECK struct error *rank_print(struct cli *c, const char *args);

#endif
