/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/sources.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/cli/arguments.h"

struct error *sources_set_rule(struct cli *c, const char *args)
{
	AUTO_ARGUMENTS words = { 0 };
	struct error *err = arguments_parse(args, false, &words);

	if (!err && (words.len != 2 || !*words.items[0]))
		err = error_new(ERROR_USAGE, "usage: set substitute-path FROM TO");
	return err ? err : source_paths_add_rule(&c->source_paths, words.items[0], words.items[1]);
}

struct error *sources_show_rules(struct cli *c, const char *args)
{
	(void)args;
	buf_adds(&c->out, "List of all source path substitution rules:\n");
	for (size_t i = 0; i < c->source_paths.len; i++) {
		style_add_between(&c->out, "  `", c->source_paths.rules[i].from, "' -> `");
		style_add_between(&c->out, "", c->source_paths.rules[i].to, "'.\n");
	}
	return NULL;
}

struct error *sources_remove_rule(struct cli *c, const char *args)
{
	if (!*args && !cli_ask(c, "Delete all source path substitution rules? "))
		return NULL;
	if (!source_paths_remove_rule(&c->source_paths, *args ? args : NULL) && *args)
		return error_new(ERROR_NOT_FOUND, "no substitution rule defined for `%s'", args);
	return NULL;
}

/* "~/a", "a": from the root on, for the working directory may change. */
static char *whole_path(const char *folder)
{
	AUTO_BUF path = { 0 };

	arguments_add_path(&path, folder);
	char *real = realpath(buf_text(&path), NULL);
	return real ? real : strdup(buf_text(&path));
}

static struct error *add_folder(struct source_paths *paths, const char *folder)
{
	char *path = whole_path(folder);

	if (!path || !vec_push(&paths->folders, path)) {
		free(path);
		return &error_nomem;
	}
	size_t len = paths->folders.len;
	memmove(paths->folders.items + 1, paths->folders.items, (len - 1) * sizeof(char *));
	paths->folders.items[0] = path;
	return NULL;
}

struct error *sources_add_folders(struct cli *c, const char *args)
{
	AUTO_FREE char *text = strdup(args);
	char *rest = NULL;

	if (!text)
		return &error_nomem;
	if (!*args) {
		if (cli_ask(c, "Reinitialize source path to $cdir:$cwd? "))
			vec_fini_all(&c->source_paths.folders);
		return NULL;
	}
	for (char *folder = strtok_r(text, ": \t", &rest); folder;
	     folder = strtok_r(NULL, ": \t", &rest)) {
		/* Those two are always there. */
		bool given = !strcmp(folder, "$cdir") || !strcmp(folder, "$cwd");
		struct error *err = given ? NULL : add_folder(&c->source_paths, folder);
		if (err)
			return err;
	}
	return sources_show_folders(c, "");
}

struct error *sources_show_folders(struct cli *c, const char *args)
{
	(void)args;
	buf_adds(&c->out, "Source directories searched: ");
	vec_for_each (folder, &c->source_paths.folders)
		style_add_between(&c->out, "", *folder, ":");
	buf_adds(&c->out, "$cdir:$cwd\n");
	return NULL;
}
