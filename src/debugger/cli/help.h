/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Help: what the tables of commands say, for the prompt and for the manual page.
 */
#ifndef DEBUGGER_CLI_HELP_H
#define DEBUGGER_CLI_HELP_H

#include "debugger/cli/command.h"

/* "help", "help CLASS", "help all", "help COMMAND". USAGE: nothing is called so. */
MUST_CHECK struct error *help_add(struct buf *out, const struct command_list *l, const char *topic);

/* The commands with that word in their names or help. */
void help_add_apropos(struct buf *out, const struct command_list *l, const char *word);

/* The section of the manual page with all commands of the prompt. */
void help_add_man(struct buf *out, const struct command_list *l);

#endif
