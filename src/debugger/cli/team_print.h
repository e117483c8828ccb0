/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_print: "print -team EXPR" and "print -all EXPR": an expression in each thread of the team,
 * or in all of them.
 */
#ifndef DEBUGGER_CLI_TEAM_PRINT_H
#define DEBUGGER_CLI_TEAM_PRINT_H

#include "debugger/cli/print_options.h"
#include "debugger/output/format_team.h"

/* The lines; with --json the members of an object, into j. */
MUST_CHECK struct error *team_print_add(struct cli *c, struct json *j, enum print_whom whom,
					const char *text, const struct data_format *f);

/* What stands behind "print -ranks", in the selected frame of this rank. */
MUST_CHECK struct error *team_print_selected(struct cli *c, const char *text,
					     struct team_value *ret);

#endif
