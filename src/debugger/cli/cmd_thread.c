/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/cli/running.h"
#include "debugger/cli/thread_ids.h"
#include "debugger/cli/thread_table.h"

static struct error *cmd_info_threads(struct cli *c, const char *args)
{
	struct thread_table_options o = { 0 };
	struct error *err = NULL;

	if (!strncmp(args, "-g", 2) && (!args[2] || args[2] == ' ')) {
		o.grouped = true;
		args += 2 + strspn(args + 2, " \t");
	}
	o.some = *args;
	if (o.some && c->control->live)
		err = thread_ids_parse(c, args, &o.numbers, &args);
	if (!err && *args && c->control->live)
		err = error_new(ERROR_USAGE, "Invalid thread ID: %s", args);
	if (!err)
		err = thread_table_add(c, &o);
	vec_fini(&o.numbers);
	return err;
}

static struct error *cmd_thread(struct cli *c, const char *args)
{
	const int inferior = c->control->inferior;

	if (!c->control->live)
		return error_new(ERROR_USAGE,
				 *args ? "Invalid thread ID: %s" : "No thread selected", args);
	if (!*args) {
		thread_table_tell(c, "Current thread is");
		return NULL;
	}
	struct error *err = thread_ids_select(c, args);
	if (err)
		return err;
	if (inferior != c->control->inferior)
		buf_addf(&c->out, "[Switching to inferior %d [process %d]]\n", c->control->inferior,
			 c->control->pid);
	thread_table_tell(c, "Switching to thread");
	return running_tell_frame(c, 0, true);
}

static struct error *cmd_thread_name(struct cli *c, const char *args)
{
	struct numbered_thread *th = threads_by_lwp(&c->control->threads, c->control->selected);
	char *name = *args ? strdup(args) : NULL;

	if (!th || (*args && !name)) {
		free(name);
		return th ? &error_nomem : error_new(ERROR_USAGE, "No thread selected");
	}
	free(th->name);
	th->name = name;
	return NULL;
}

static struct error *cmd_thread_find(struct cli *c, const char *args)
{
	bool found = false;

	if (!*args)
		return error_new(ERROR_USAGE, "a part of a name, or a number, is missing");
	vec_for_each (th, &c->control->threads.items) {
		AUTO_BUF lwp = { 0 };
		if (th->ended || !c->control->live)
			continue;
		buf_addf(&lwp, "LWP %d", th->lwp);
		if (!strstr(thread_table_name(c, th), args) && !strstr(buf_text(&lwp), args))
			continue;
		buf_addf(&c->out, "Thread %d has name '", th->number);
		style_add_text(&c->out, thread_table_name(c, th));
		buf_addf(&c->out, "' and is LWP %d\n", th->lwp);
		found = true;
	}
	if (!found)
		style_add_between(&c->out, "No threads match '", args, "'\n");
	return NULL;
}

static struct error *freeze(struct cli *c, const char *args, bool frozen)
{
	struct ints numbers = { 0 };
	const char *rest = "";
	struct numbered_thread *selected =
		threads_by_lwp(&c->control->threads, c->control->selected);
	struct error *err = thread_ids_parse(c, args, &numbers, &rest);

	if (!err && *rest)
		err = error_new(ERROR_USAGE, "'%s' is no number of a thread", rest);
	if (!err && *args && !numbers.len)
		err = error_new(ERROR_NOT_FOUND, "no thread is called '%s'", args);
	if (!err && !numbers.len && !selected)
		err = error_new(ERROR_USAGE, "No thread selected");
	if (!err && !numbers.len)
		selected->frozen = frozen;
	vec_for_each (n, &numbers) {
		if (!err)
			threads_by_number(&c->control->threads, *n)->frozen = frozen;
	}
	vec_fini(&numbers);
	return err;
}

static struct error *cmd_freeze(struct cli *c, const char *args)
{
	return freeze(c, args, true);
}

static struct error *cmd_thaw(struct cli *c, const char *args)
{
	return freeze(c, args, false);
}

/* ---- the table -------------------------------------------------------------------------- */

#define THREAD(n, shorts, arguments, completion, flag, function, says)                             \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = (arguments), .class = CLASS_STACK,   \
		.completes = (completion), .flags = (flag), .run = (function), .summary = (says)   \
	}

static const struct command rows[] = {
	THREAD("thread", "t", "[N|I.N]", COMPLETES_THREAD, 0, cmd_thread,
	       "Select a thread, also one of another inferior; or say which one is selected."),
	THREAD("thread name", NULL, "[NAME]", COMPLETES_NOTHING, 0, cmd_thread_name,
	       "Give the selected thread a name."),
	THREAD("thread find", NULL, "TEXT", COMPLETES_NOTHING, 0, cmd_thread_find,
	       "Find threads by their names or numbers."),
	THREAD("freeze", NULL, "[N...|all]", COMPLETES_THREAD, 0, cmd_freeze,
	       "Let threads stay where they are when the program goes on."),
	THREAD("thaw", NULL, "[N...|all]", COMPLETES_THREAD, 0, cmd_thaw,
	       "Let frozen threads go on with the others again."),
	{ .name = "info threads",
	  .args = "[-g] [N...]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_THREAD,
	  .run = cmd_info_threads,
	  .summary = "The threads of the program, where they stand, and what they do in OpenMP.",
	  .help = "With -g, threads that stand at the same place and wait for the same are one "
		  "line." },
};

const struct command_table cmd_thread_table = COMMAND_TABLE(rows);
