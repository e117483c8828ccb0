/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <limits.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/options.h"
#include "debugger/cli/running.h"
#include "debugger/control/forks.h"
#include "debugger/control/inferior.h"

static void add_row(struct cli *c, bool selected, int number, pid_t pid)
{
	AUTO_BUF process = { 0 };
	const char *program = c->control->program ? c->control->program : "";

	if (pid)
		buf_addf(&process, "process %d", pid);
	else
		buf_adds(&process, "<null>");
	buf_addf(&c->out, "%c %-4d %-17s %-20s ", selected ? '*' : ' ', number, buf_text(&process),
		 pid ? "1 (native)" : "");
	style_add_between(&c->out, "", program, "\n");
}

static struct error *cmd_info_inferiors(struct cli *c, const char *args)
{
	const struct control *control = c->control;

	(void)args;
	buf_adds(&c->out, "  Num  Description       Connection           Executable        \n");
	for (int n = 1; n <= control->last_inferior; n++) {
		if (n == control->inferior)
			add_row(c, true, n, control->pid);
		vec_for_each (p, &control->kept) {
			if (p->number == n)
				add_row(c, false, n, p->pid);
		}
	}
	return NULL;
}

static struct error *cmd_inferior(struct cli *c, const char *args)
{
	size_t number = (size_t)c->control->inferior;
	struct error *err = *args ? options_parse_size(args, 1, INT_MAX, &number) : NULL;

	if (!err)
		err = forks_select(c->control, (int)number);
	if (err)
		return err;
	buf_addf(&c->out,
		 *args ? "[Switching to inferior %d [process %d]]\n"
		       : "[Current inferior is %d [process %d]]\n",
		 c->control->inferior, c->control->pid);
	return *args && control_is_live(c->control) ? running_tell_frame(c, 0, true) : NULL;
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
			buf_addf(&c->out, "[Inferior %zu (process %d) %s]\n", number, pid,
				 kills ? "killed" : "detached");
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
