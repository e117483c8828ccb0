/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/setting_effects.h"
#include "debugger/cli/data.h"
#include "debugger/values/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/control/inferior.h"

struct error *setting_log_changed(struct cli *c)
{
	struct settings *s = &c->settings;
	bool was = c->output.log >= 0;

	c->output.log_alone = s->log_redirect;
	if (was == s->log)
		return NULL;
	struct error *err = cli_flush(c);
	if (!err)
		err = output_log_to(&c->output, s->log ? s->log_file : NULL, s->log_overwrite);
	if (err) {
		s->log = was;
		return err;
	}
	if (s->log && s->log_redirect)
		buf_addf(&c->out, "Redirecting output to %s.\n", s->log_file);
	else if (s->log)
		buf_addf(&c->out, "Copying output to %s.\n", s->log_file);
	else
		buf_addf(&c->out, "Done logging to %s.\n", s->log_file);
	return NULL;
}

struct error *setting_log_option_changed(struct cli *c)
{
	c->output.log_alone = c->settings.log_redirect;
	return NULL;
}

struct error *setting_style_changed(struct cli *c)
{
	c->style = console_style((enum color)c->settings.color);
	c->style.no_addresses = !c->settings.print.values.address;
	return NULL;
}

struct error *setting_object_changed(struct cli *c)
{
	c->control->settings.objects = c->settings.print.values.object;
	return NULL;
}

struct error *setting_debug_folder_changed(struct cli *c)
{
	c->control->options.debuginfo.directory = c->settings.debug_folder;
	return inferior_renew_program(c->control);
}

struct error *setting_pagination_changed(struct cli *c)
{
	c->output.pages = c->settings.pagination && c->pages;
	return NULL;
}

struct error *setting_prompt_changed(struct cli *c)
{
	c->prompt = c->settings.prompt;
	return NULL;
}

/* What the program gets -------------------------------------------------------------------- */

/* The value of an entry "NAME=VALUE" of that name; NULL: it is of another. */
static const char *value_of(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(entry, name, len) && entry[len] == '=' ? entry + len + 1 : NULL;
}

/* What the program would get; NULL: no such variable. */
static const char *variable(const struct control_settings *s, const char *name)
{
	const char *value = getenv(name);

	vec_for_each (gone, &s->unset) {
		if (!strcmp(*gone, name))
			value = NULL;
	}
	vec_for_each (entry, &s->environment) {
		const char *own = value_of(*entry, name);
		value = own ? own : value;
	}
	return value;
}

static struct error *show_variable(struct cli *c, const char *name)
{
	const char *value = variable(&c->control->settings, name);

	if (value) {
		style_add_text(&c->out, name);
		style_add_between(&c->out, " = ", value, "\n");
	} else {
		style_add_between(&c->out, "Environment variable \"", name, "\" not defined.\n");
	}
	return NULL;
}

struct error *setting_show_environment(struct cli *c, const char *args)
{
	const struct control_settings *s = &c->control->settings;

	if (*args)
		return show_variable(c, args);
	for (char **entry = environ; *entry; entry++) {
		AUTO_FREE char *name = strndup(*entry, strcspn(*entry, "="));
		bool changed = name && variable(s, name) != *entry + strlen(name) + 1;
		if (!changed)
			style_add_between(&c->out, "", *entry, "\n");
	}
	vec_for_each (entry, &s->environment)
		style_add_between(&c->out, "", *entry, "\n");
	return NULL;
}

struct error *setting_set_environment(struct cli *c, const char *args)
{
	AUTO_FREE char *name = strndup(args, strcspn(args, "= \t"));
	bool bare = name && !args[strcspn(args, "= \t")];

	if (bare && *name)
		buf_addf(&c->out, "Setting environment variable \"%s\" to null value.\n", name);
	return control_set_environment(c->control, args);
}

struct error *setting_show_language(struct cli *c, const char *args)
{
	static const char *const chosen[] = { NULL, "c", "fortran", "c++" };
	const char *word = chosen[c->control->settings.language];
	struct data_scope s;

	(void)args;
	data_scope(c, &s);
	if (word)
		buf_addf(&c->out, "The current source language is \"%s\".\n", word);
	else
		buf_addf(&c->out, "The current source language is \"auto; currently %s\".\n",
			 lookup_language(&s.scope));
	return NULL;
}

struct error *setting_show_cwd(struct cli *c, const char *args)
{
	const char *folder = c->control->settings.directory;

	(void)args;
	if (folder && *folder)
		style_add_between(&c->out,
				  "Current working directory that will be used when starting the "
				  "inferior is \"",
				  folder, "\".\n");
	else
		buf_adds(&c->out, "You have not set the inferior's current working directory.\n"
				  "The inferior will inherit ompdb's cwd.\n");
	return NULL;
}

struct error *setting_show_version(struct cli *c, const char *args)
{
	(void)args;
	buf_adds(&c->out, "ompdb " OMPDB_VERSION "\n");
	return NULL;
}

struct error *setting_show_user(struct cli *c, const char *args)
{
	vec_for_each (u, &c->user) {
		bool shown = (*u)->body && (!*args || !strcmp((*u)->name, args)) &&
			     user_command_find(&c->user, &c->commands, (*u)->name) == *u;
		if (shown)
			buf_addf(&c->out, "User command \"%s\":\n%s\n", (*u)->name, (*u)->body);
	}
	return NULL;
}

struct error *setting_cannot_set(struct cli *c, const char *args)
{
	(void)c;
	(void)args;
	return error_new(ERROR_USAGE, "that can only be shown");
}
