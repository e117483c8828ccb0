/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <limits.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/options.h"
#include "debugger/cli/running.h"
#include "debugger/cli/thread_table.h"
#include "debugger/control/inferior.h"

/* What it executes: it need not be what was started. */
static const char *program_of(const struct cli *c, const struct debuggee *d)
{
	const char *exe = d->pid && d->session ? d->session->target->exe : NULL;

	return exe ? exe : c->control->program;
}

static void add_row(struct cli *c, const struct debuggee *d)
{
	AUTO_BUF process = { 0 };
	const char *program = program_of(c, d);

	if (d->pid)
		buf_addf(&process, "process %d", d->pid);
	else
		buf_adds(&process, "<null>");
	buf_addf(&c->out, "%c %-4d %-17s %-20s ", d->number == c->control->inferior ? '*' : ' ',
		 d->number, buf_text(&process), d->pid ? "1 (native)" : "");
	style_add_between(&c->out, "", program ? program : "", "\n");
}

static void add_members(const struct cli *c, struct json *j, const struct debuggee *d)
{
	json_add_integer(j, "number", d->number);
	json_add_positive(j, "pid", d->pid);
	json_add_bool(j, "selected", d->number == c->control->inferior);
	json_add_string(j, "program", program_of(c, d));
}

static void add_objects(struct cli *c)
{
	struct debuggee d;
	struct json j;

	cli_json_begin(c, &j, "inferiors");
	json_add_array(&j, "inferiors");
	for (int n = 1; n <= c->control->last_inferior; n++) {
		if (!forks_debuggee(c->control, n, &d))
			continue;
		json_add_object(&j, NULL);
		add_members(c, &j, &d);
		json_end(&j);
	}
	json_end(&j);
	cli_json_end(c, &j);
}

static struct error *cmd_info_inferiors(struct cli *c, const char *args)
{
	struct debuggee d;

	(void)args;
	if (c->json) {
		add_objects(c);
		return NULL;
	}
	buf_adds(&c->out, "  Num  Description       Connection           Executable        \n");
	for (int n = 1; n <= c->control->last_inferior; n++) {
		if (forks_debuggee(c->control, n, &d))
			add_row(c, &d);
	}
	return NULL;
}

static void tell_selected(struct cli *c, bool switched)
{
	struct debuggee d;
	struct json j;

	if (!c->json) {
		buf_addf(&c->out,
			 switched ? "[Switching to inferior %d [process %d]]\n"
				  : "[Current inferior is %d [process %d]]\n",
			 c->control->inferior, c->control->pid);
	} else if (forks_debuggee(c->control, c->control->inferior, &d)) {
		cli_json_begin(c, &j, "inferior");
		add_members(c, &j, &d);
		cli_json_end(c, &j);
	}
}

static struct error *cmd_inferior(struct cli *c, const char *args)
{
	size_t number = (size_t)c->control->inferior;
	struct error *err = *args ? options_parse_size(args, 1, INT_MAX, &number) : NULL;

	if (!err)
		err = forks_select(c->control, (int)number);
	if (err)
		return err;
	tell_selected(c, *args);
	if (!*args || !control_is_live(c->control))
		return NULL;
	thread_table_tell(c, "Switching to thread");
	return running_tell_frame(c, 0, true);
}

/* Of one or several of them, the selected one included. */
static struct error *end(struct cli *c, const char *args, bool kills)
{
	AUTO_ARGUMENTS words = { 0 };
	struct error *err = arguments_parse(args, false, &words);

	if (!err && !words.len)
		err = error_new(ERROR_USAGE, "Requires an argument (inferior id(s) to %s)",
				kills ? "kill" : "detach");
	vec_for_each (word, &words) {
		size_t number;
		pid_t pid;
		if (!err)
			err = options_parse_size(*word, 1, INT_MAX, &number);
		if (err)
			break;
		if ((int)number != c->control->inferior)
			err = forks_end(c->control, (int)number, kills, &pid);
		else
			err = kills ? inferior_kill(c->control, &pid)
				    : inferior_detach(c->control, &pid);
		if (!err)
			running_tell_end(c, (int)number, pid, kills);
	}
	return err;
}

static struct error *cmd_kill_inferiors(struct cli *c, const char *args)
{
	return end(c, args, true);
}

static struct error *cmd_detach_inferiors(struct cli *c, const char *args)
{
	return end(c, args, false);
}

/* ---- the table -------------------------------------------------------------------------- */

static const struct command rows[] = {
	{ .name = "inferior",
	  .args = "[N]",
	  .class = CLASS_RUNNING,
	  .run = cmd_inferior,
	  .summary = "Select one of the processes that detach-on-fork off has kept." },
	{ .name = "info inferiors",
	  .args = "",
	  .class = CLASS_STATUS,
	  .run = cmd_info_inferiors,
	  .summary = "Print the processes that are being debugged." },
	{ .name = "kill inferiors",
	  .args = "N...",
	  .class = CLASS_RUNNING,
	  .run = cmd_kill_inferiors,
	  .summary = "Kill processes by the numbers of info inferiors." },
	{ .name = "detach inferiors",
	  .args = "N...",
	  .class = CLASS_RUNNING,
	  .run = cmd_detach_inferiors,
	  .summary = "Let processes go on by the numbers of info inferiors." },
};

const struct command_table cmd_inferior_table = COMMAND_TABLE(rows);
