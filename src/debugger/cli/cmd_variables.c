/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>
#include <strings.h>

#include "debugger/cli/command.h"
#include "debugger/cli/data.h"
#include "debugger/output/format_value.h"
#include "debugger/output/json_value.h"

/* internal: those that the compiler made, too. */
static struct error *take_variables(struct cli *c, bool arguments, bool internal,
				    struct shown_variables *ret)
{
	struct shown_limits limits = c->settings.print.values;
	struct data_scope s;

	limits.internal = internal;
	struct error *err = control_need_stack(c->control);
	if (err) {
		error_free(err);
		return error_new(ERROR_USAGE, "no frame selected");
	}
	data_scope(c, &s);
	return (arguments ? shown_arguments : shown_locals)(&s.scope, &limits, ret);
}

static void add_variable(struct cli *c, const struct shown_variable *variable)
{
	style_add_between(&c->out, "", variable->name ? variable->name : "?", " = ");
	format_value(&c->out, &variable->value, 0);
	buf_addc(&c->out, '\n');
}

static struct error *show_variables(struct cli *c, const char *args, bool arguments)
{
	bool internal = !strcmp(args, "-all");
	AUTO_SHOWN_VARIABLES all = { 0 };

	if (*args && !internal)
		return error_new(ERROR_USAGE, "'%s' is not -all", args);
	struct error *err = take_variables(c, arguments, internal, &all);
	if (!err && c->json) {
		struct json j;
		cli_json_begin(c, &j, "variables");
		json_add_string(&j, "what", arguments ? "arguments" : "locals");
		json_value_variables(&j, "variables", &all);
		cli_json_end(c, &j);
		return NULL;
	}
	vec_for_each (variable, &all)
		add_variable(c, variable);
	if (!err && !all.len)
		buf_addf(&c->out, "No %s.\n", arguments ? "arguments" : "locals");
	return err;
}

static bool is_common(const struct shown_variable *v, const char *block)
{
	return v->common && (!*block || !strcasecmp(v->common, block));
}

static void add_common_object(struct cli *c, const char *block, const struct shown_variables *all)
{
	struct json j;

	cli_json_begin(c, &j, "common");
	json_add_array(&j, "variables");
	vec_for_each (variable, all) {
		if (!is_common(variable, block))
			continue;
		json_add_object(&j, NULL);
		json_add_string(&j, "block", variable->common);
		json_add_string(&j, "name", variable->name);
		json_value_members(&j, &variable->value, 0);
		json_end(&j);
	}
	json_end(&j);
	cli_json_end(c, &j);
}

/* Variables of one block stand beside each other, as in the program. */
static struct error *cmd_info_common(struct cli *c, const char *args)
{
	AUTO_SHOWN_VARIABLES all = { 0 };
	const char *block = NULL;

	struct error *err = take_variables(c, false, false, &all);
	if (!err && c->json)
		add_common_object(c, args, &all);
	if (err || c->json)
		return err;
	vec_for_each (variable, &all) {
		if (!is_common(variable, args))
			continue;
		if (!block || strcmp(block, variable->common) != 0) {
			buf_adds(&c->out, block ? "\n" : "");
			style_add_between(&c->out, "Contents of F77 COMMON block '",
					  variable->common, "':\n");
		}
		block = variable->common;
		add_variable(c, variable);
	}
	if (!block && *args)
		style_add_between(&c->out, "No common block '", args, "'.\n");
	else if (!block)
		buf_adds(&c->out, "No common blocks.\n");
	return NULL;
}

static struct error *cmd_info_locals(struct cli *c, const char *args)
{
	return show_variables(c, args, false);
}

static struct error *cmd_info_args(struct cli *c, const char *args)
{
	return show_variables(c, args, true);
}

static const struct command rows[] = {
	{ .name = "info args",
	  .args = "[-all]",
	  .class = CLASS_STATUS,
	  .run = cmd_info_args,
	  .summary = "The arguments of the selected frame; -all: those that the compiler made, "
		     "too." },
	{ .name = "info common",
	  .args = "[BLOCK]",
	  .class = CLASS_STATUS,
	  .run = cmd_info_common,
	  .summary = "The common blocks of Fortran in scope in the selected frame." },
	{ .name = "info locals",
	  .short_names = "lo",
	  .args = "[-all]",
	  .class = CLASS_STATUS,
	  .run = cmd_info_locals,
	  .summary = "The variables in scope in the selected frame; -all: those that the compiler "
		     "made, too." },
};

const struct command_table cmd_variables_table = COMMAND_TABLE(rows);
