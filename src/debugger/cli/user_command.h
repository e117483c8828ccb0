/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * User_command: a command that the user has defined (define, alias): a row like those of the
 * tables.
 */
#ifndef DEBUGGER_CLI_USER_COMMAND_H
#define DEBUGGER_CLI_USER_COMMAND_H

#include "debugger/cli/command.h"

struct user_command {
	struct command row; /* first: a row that runs is one of these               */
	char *name;         /* owned, as row.name                                   */
	char *body;         /* owned; lines; NULL: an alias, its row does all       */
	char *help;         /* owned; of document; NULL: none                       */
};
struct user_commands {
	struct user_command **items; /* owned, and what they point to */
	size_t len, cap;
};
void user_commands_fini(struct user_commands *all);

/*
 * Adds a command like row, with a name and a body, which are copied; to the list, too. One of the
 * same name is taken out of the list; it lives on, for it may be running.
 */
MUST_CHECK struct error *user_command_add(struct user_commands *all, struct command_list *list,
					  const struct command *row, const char *name,
					  const char *body);

/* The one with that name; NULL: none. */
struct user_command *user_command_find(const struct user_commands *all,
				       const struct command_list *list, const char *name);

/* Sets its help, copied; the first line is its summary. */
MUST_CHECK struct error *user_command_document(struct user_command *u, const char *text);

#endif
