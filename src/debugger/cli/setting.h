/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Setting: "set" and "show", and all that is made of the table of settings (setting_row.h).
 */
#ifndef DEBUGGER_CLI_SETTING_H
#define DEBUGGER_CLI_SETTING_H

#include "debugger/cli/cli.h"

/* Sets all to what they are at the start. */
MUST_CHECK struct error *setting_init(struct cli *c);

/*
 * "set NAME VALUE". *ret_known: there is such a setting; else nothing is done, and it may be an
 * expression. USAGE: ambiguous, or not a value of it.
 */
/* The setting that a text begins with, by its full name; NULL: none, or an assignment. */
const char *setting_name(const char *text);

MUST_CHECK struct error *setting_set(struct cli *c, const char *text, bool *ret_known);

/* Executes a command while a setting has another value: text is "NAME [VALUE]". */
MUST_CHECK struct error *setting_with(struct cli *c, const char *text, const char *command);

/* "show NAME", "show GROUP", "show". */
MUST_CHECK struct error *setting_show(struct cli *c, const char *text);

/* The names, for completion and help. Borrowed. */
MUST_CHECK struct error *setting_names(struct named_list *ret);
/* "Set whether ...", for "help set NAME"; NULL: there is none. */
const char *setting_summary(size_t index);

/* What the value of a setting may be: words with an end of NULL; NULL: anything. */
const char *const *setting_choices(size_t index);

/* The section of the manual page with all of them. */
void setting_add_man(struct buf *out);

#endif
