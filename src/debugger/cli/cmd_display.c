/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/cli/command.h"
#include "debugger/cli/displays.h"
#include "debugger/cli/print_options.h"

/* Does it mean variables of the frame's function? */
static bool uses_locals(const struct scope *s, const struct expr *e)
{
	struct variable v;

	if (!e || !s->thread)
		return false;
	if (e->kind == EXPR_NAME && !e->file &&
	    variables_find_local(s->session->variables, scope_lookup_pc(s), s->level, e->text, &v))
		return true;
	return uses_locals(s, e->kids[0]) || uses_locals(s, e->kids[1]) ||
	       uses_locals(s, e->kids[2]);
}

static struct error *cmd_display(struct cli *c, const char *args)
{
	struct data *d = data_of(c);
	struct data_display new = { .enabled = true };
	struct print_options options;
	AUTO_EXPR *e = NULL;
	struct data_scope s;

	if (!d)
		return &error_nomem;
	if (!*args) {
		displays_show(c);
		return NULL;
	}
	struct error *err = print_options_parse(c, &args, &options);
	new.whom = options.whom;
	if (!err)
		err = data_parse_format(&args, &new.format);
	data_scope(c, &s);
	if (!err)
		err = eval_parse(&s.context, args, false, &e, NULL);
	if (err)
		return err;
	/* What is examined in memory has a size. */
	if (new.format.count != 1 && !new.format.size &&new.format.letter != 'i' &&
	    new.format.letter != 's')
		new.format.size = 'w';
	if (new.format.size && !new.format.letter)
		new.format.letter = 'x';
	if (uses_locals(&s.scope, e))
		new.function = data_function(&s.scope);
	new.text = strdup(args);
	new.number = d->last_display + 1;
	err = new.text ? displays_show_one(c, &new) : &error_nomem;
	if (!err && !vec_push(&d->displays, new))
		err = &error_nomem;
	if (!err) {
		d->last_display++;
		return NULL;
	}
	free(new.text);
	free(new.function);
	return err;
}

static struct data_display *find_display(struct data *d, long number)
{
	vec_for_each (display, &d->displays) {
		if (display->number == number)
			return display;
	}
	return NULL;
}

enum display_change { DISPLAY_DELETE, DISPLAY_ENABLE, DISPLAY_DISABLE };

static void change_display(struct data *d, struct data_display *display, enum display_change how)
{
	if (how != DISPLAY_DELETE) {
		display->enabled = how == DISPLAY_ENABLE;
		return;
	}
	size_t at = (size_t)(display - d->displays.items);
	free(display->text);
	free(display->function);
	memmove(display, display + 1, (d->displays.len - at - 1) * sizeof(*display));
	d->displays.len--;
}

/* "1 3-5": each number; none: all. */
static struct error *change_displays(struct cli *c, const char *args, enum display_change how)
{
	struct data *d = data_of(c);

	if (!d)
		return &error_nomem;
	if (!*args) {
		if (how == DISPLAY_DELETE && !cli_ask(c, "Delete all auto-display expressions? "))
			return NULL;
		for (size_t i = d->displays.len; i > 0; i--)
			change_display(d, &d->displays.items[i - 1], how);
		return NULL;
	}
	for (const char *p = args; *p; p += strspn(p, " \t,")) {
		char *end;
		long first = strtol(p, &end, 10), last = first;
		if (*end == '-' && end != p)
			last = strtol(end + 1, &end, 10);
		if (end == p || first < 1 || last < first)
			return error_new(ERROR_USAGE, "bad display number: \"%s\"", p);
		for (long n = first; n <= last; n++) {
			struct data_display *display = find_display(d, n);
			if (!display && n > d->last_display)
				return error_new(ERROR_NOT_FOUND,
						 "could not find display number %ld", n);
			if (display)
				change_display(d, display, how);
		}
		p = end;
	}
	return NULL;
}

static struct error *cmd_undisplay(struct cli *c, const char *args)
{
	return change_displays(c, args, DISPLAY_DELETE);
}

static struct error *cmd_enable_display(struct cli *c, const char *args)
{
	return change_displays(c, args, DISPLAY_ENABLE);
}

static struct error *cmd_disable_display(struct cli *c, const char *args)
{
	return change_displays(c, args, DISPLAY_DISABLE);
}

static struct error *add_objects(struct cli *c, const struct data *d)
{
	struct json j;

	if (!d)
		return &error_nomem;
	cli_json_begin(c, &j, "displays");
	json_add_array(&j, "displays");
	vec_for_each (display, &d->displays) {
		AUTO_BUF format = { 0 };
		displays_add_format(&format, &display->format);
		json_add_object(&j, NULL);
		json_add_integer(&j, "number", display->number);
		json_add_bool(&j, "enabled", display->enabled);
		json_add_string(&j, "format", format.len ? buf_text(&format) : NULL);
		json_add_string(&j, "expression", display->text);
		json_add_string(&j, "function", display->function);
		json_end(&j);
	}
	json_end(&j);
	cli_json_end(c, &j);
	return NULL;
}

static struct error *cmd_info_display(struct cli *c, const char *args)
{
	struct data *d = data_of(c);

	(void)args;
	if (c->json)
		return add_objects(c, d);
	if (!d || !d->displays.len) {
		buf_adds(&c->out, "There are no auto-display expressions now.\n");
		return NULL;
	}
	buf_adds(&c->out, "Auto-display expressions now in effect:\nNum Enb Expression\n");
	vec_for_each (display, &d->displays) {
		buf_addf(&c->out, "%d:   %c  ", display->number, display->enabled ? 'y' : 'n');
		displays_add_text(&c->out, display);
		buf_addc(&c->out, '\n');
	}
	return NULL;
}

static const struct command rows[] = {
	{ .name = "display",
	  .args = "[-team|-all] [/FORMAT] [EXPRESSION]",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW,
	  .run = cmd_display,
	  .summary = "Print an expression each time that the program stops.",
	  .help = "With a format of x (i, s, or with a size), what is in memory there. Without an "
		  "expression, all are shown now. -team shows it in each thread of the team, -all "
		  "in all threads, as print does." },
	{ .name = "undisplay",
	  .args = "[NUMBER...]",
	  .class = CLASS_DATA,
	  .run = cmd_undisplay,
	  .summary = "Display some expressions no longer." },
	{ .name = "delete display",
	  .args = "[NUMBER...]",
	  .class = CLASS_DATA,
	  .run = cmd_undisplay,
	  .summary = "Display some expressions no longer." },
	{ .name = "enable display",
	  .args = "[NUMBER...]",
	  .class = CLASS_DATA,
	  .run = cmd_enable_display,
	  .summary = "Display expressions again that were disabled." },
	{ .name = "disable display",
	  .args = "[NUMBER...]",
	  .class = CLASS_DATA,
	  .run = cmd_disable_display,
	  .summary = "Do not display some expressions until they are enabled." },
	{ .name = "info display",
	  .args = "",
	  .class = CLASS_DATA,
	  .run = cmd_info_display,
	  .summary = "List the expressions that are displayed at each stop." },
};
const struct command_table cmd_display_table = COMMAND_TABLE(rows);
