/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Data: what the commands that show data have in common: expressions in the selected frame,
 * formats, where list and x go on.
 */
#ifndef DEBUGGER_CLI_DATA_H
#define DEBUGGER_CLI_DATA_H

#include "debugger/cli/cli.h"
#include "debugger/cli/data_state.h"
#include "debugger/control/control.h"
#include "debugger/values/eval.h"
#include "debugger/values/shown.h"

/* Of a session at the prompt; NULL: out of memory. */
struct data *data_of(struct cli *c);

/* The selected frame, or a scope without anything. */
struct data_scope {
	struct scope scope;
	struct eval_context context;
};
void data_scope(struct cli *c, struct data_scope *ret);

/* "/3xw EXPRESSION": *text moves behind it. Letters that are missing are those of ret. */
MUST_CHECK struct error *data_parse_format(const char **text, struct data_format *ret);

/* A value as it is to be printed. ret: the caller's. */
MUST_CHECK struct error *data_show(struct cli *c, const struct scope *s, const struct value *v,
				   const struct data_format *f, struct shown *ret);

/* With --json: a value's members, in an object that is open. */
MUST_CHECK struct error *data_add_members(struct cli *c, struct json *j, const struct scope *s,
					  const struct value *v, const struct data_format *f);

/* Prints a value as print does, without "$1 = ". top: with its type, if that says more. */
MUST_CHECK struct error *data_print(struct cli *c, const struct scope *s, const struct value *v,
				    const struct data_format *f, bool top);

/* The name of the function of a scope, which is the caller's; NULL: unknown. */
char *data_function(const struct scope *s);

#endif
