/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/user_command.h"

#include <stdlib.h>
#include <string.h>

static void user_command_free(struct user_command *u)
{
	if (!u)
		return;
	free(u->name);
	free(u->body);
	free(u->help);
	free(u);
}
CLEANUP(user_command, struct user_command)

void user_commands_fini(struct user_commands *all)
{
	vec_for_each (u, all)
		user_command_free(*u);
	vec_fini(all);
}

struct user_command *user_command_find(const struct user_commands *all,
				       const struct command_list *list, const char *name)
{
	/* The list has those that are not replaced. */
	vec_for_each (u, all) {
		if (strcmp((*u)->name, name) != 0)
			continue;
		vec_for_each (row, &list->rows) {
			if (*row == &(*u)->row)
				return *u;
		}
	}
	return NULL;
}

struct error *user_command_add(struct user_commands *all, struct command_list *list,
			       const struct command *row, const char *name, const char *body)
{
	struct user_command *old = user_command_find(all, list, name);
	AUTO(user_command_cleanup) struct user_command *u = calloc(1, sizeof(*u));

	if (!u)
		return &error_nomem;
	u->name = strdup(name);
	u->body = body ? strdup(body) : NULL;
	if (!u->name || (body && !u->body))
		return &error_nomem;
	u->row = *row;
	u->row.name = u->name;
	u->row.short_names = NULL;
	if (!vec_push(all, u))
		return &error_nomem;
	struct error *err = command_add(list, &u->row);
	if (err) {
		all->len--;
		return err;
	}
	if (old)
		command_remove(list, &old->row);
	u = NULL;
	return NULL;
}

struct error *user_command_document(struct user_command *u, const char *text)
{
	size_t first = strcspn(text, "\n");
	char *copy = strdup(text);

	if (!copy)
		return &error_nomem;
	free(u->help);
	u->help = copy;
	u->row.summary = copy;
	u->row.help = copy[first] && copy[first + 1] ? copy + first + 1 : NULL;
	copy[first] = '\0';
	return NULL;
}
