/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/help.h"

#include <string.h>

#include "debugger/cli/options.h"

static void add_classes(struct buf *out)
{
	buf_adds(out, "List of classes of commands:\n\n");
	for (int i = 0; i < NUM_COMMAND_CLASSES; i++)
		buf_addf(out, "%s -- %s.\n", command_class_names[i], command_class_texts[i]);
	buf_adds(out, "\nType \"help\" followed by a class name for a list of its commands.\n"
		      "Type \"help all\" for the list of all commands.\n"
		      "Type \"help\" followed by command name for full documentation.\n"
		      "Type \"apropos word\" to search for commands related to \"word\".\n"
		      "Command name abbreviations are allowed if unambiguous.\n");
}

/* "break, brea, bre, b" */
static void add_names(struct buf *out, const struct command *row)
{
	const char *s = row->short_names, *last = strrchr(row->name, ' ');

	buf_adds(out, row->name);
	while (s && *s) {
		size_t len = strcspn(s, " ");
		buf_adds(out, ", ");
		if (last)
			buf_add(out, row->name, (size_t)(last - row->name) + 1);
		buf_add(out, s, len);
		s += len + strspn(s + len, " ");
	}
}

static void add_line(struct buf *out, const struct command *row)
{
	add_names(out, row);
	buf_addf(out, " -- %s\n", row->summary);
}

static void add_class(struct buf *out, const struct command_list *l, int class)
{
	buf_addf(out, "%s.\n\nList of commands:\n\n", command_class_texts[class]);
	vec_for_each (row, &l->rows) {
		if ((int)(*row)->class == class)
			add_line(out, *row);
	}
}

static void add_below(struct buf *out, const struct command_list *l, const struct command *row)
{
	size_t len = strlen(row->name);

	if (!command_has_more(l, row))
		return;
	buf_addf(out, "\nList of %s subcommands:\n\n", row->name);
	vec_for_each (other, &l->rows) {
		const char *name = (*other)->name;
		if (!strncmp(name, row->name, len) && name[len] == ' ')
			add_line(out, *other);
	}
}

static void add_args(struct buf *out, const struct command *row)
{
	const bool json = row->flags & COMMAND_JSON;

	buf_addf(out, "%s%s%s", row->args, *row->args && json ? " " : "", json ? "[--json]" : "");
}

static void add_command(struct buf *out, const struct command_list *l, const struct command *row)
{
	AUTO_BUF args = { 0 };

	add_args(&args, row);
	add_names(out, row);
	buf_addc(out, '\n');
	options_add_wrapped(out, row->summary, 0);
	buf_addf(out, "Usage: %s%s%s\n", row->name, args.len ? " " : "", buf_text(&args));
	if (row->help) {
		buf_addc(out, '\n');
		options_add_wrapped(out, row->help, 0);
	}
	add_below(out, l, row);
}

struct error *help_add(struct buf *out, const struct command_list *l, const char *topic)
{
	const struct command *row;
	const char *rest;

	if (!*topic) {
		add_classes(out);
		return NULL;
	}
	for (int i = 0; i < NUM_COMMAND_CLASSES; i++) {
		if (!strcmp(topic, command_class_names[i]) || !strcmp(topic, "all"))
			add_class(out, l, i);
		if (!strcmp(topic, command_class_names[i]))
			return NULL;
	}
	if (!strcmp(topic, "all"))
		return NULL;
	struct error *err = command_find(l, topic, &row, &rest);
	if (err)
		return err;
	add_command(out, l, row);
	return NULL;
}

static bool speaks_of(const struct command *row, const char *word)
{
	return strcasestr(row->name, word) || strcasestr(row->summary, word) ||
	       (row->help && strcasestr(row->help, word));
}

void help_add_apropos(struct buf *out, const struct command_list *l, const char *word)
{
	vec_for_each (row, &l->rows) {
		if (speaks_of(*row, word))
			add_line(out, *row);
	}
}

static void add_man_row(struct buf *out, const struct command *row)
{
	AUTO_BUF names = { 0 }, args = { 0 };

	add_names(&names, row);
	add_args(&args, row);
	buf_adds(out, ".TP\n\\fB");
	options_add_roff(out, buf_text(&names));
	buf_adds(out, "\\fR");
	if (args.len) {
		buf_adds(out, " \\fI");
		options_add_roff(out, buf_text(&args));
		buf_adds(out, "\\fR");
	}
	buf_addc(out, '\n');
	options_add_roff(out, row->summary);
	buf_addc(out, '\n');
	if (row->help) {
		options_add_roff(out, row->help);
		buf_addc(out, '\n');
	}
}

void help_add_man(struct buf *out, const struct command_list *l)
{
	buf_adds(out, ".SH COMMANDS AT THE PROMPT\n"
		      "Any beginning of a name will do that no other name has.\n");
	for (int i = 0; i < CLASS_USER; i++) {
		buf_adds(out, ".SS \"");
		options_add_roff(out, command_class_texts[i]);
		buf_adds(out, "\"\n");
		vec_for_each (row, &l->rows) {
			if ((int)(*row)->class == i)
				add_man_row(out, *row);
		}
	}
}
