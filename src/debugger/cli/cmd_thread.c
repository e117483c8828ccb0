/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/cli/running.h"
#include "debugger/cli/team_ids.h"
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
	const bool some = c->control->live || forks_are_kept(c->control);
	if (o.some && some)
		err = thread_ids_parse(c, args, &o.ids, &args);
	if (!err && *args && some)
		err = error_new(ERROR_USAGE, "Invalid thread ID: %s", args);
	if (!err)
		err = thread_table_add(c, &o);
	vec_fini(&o.ids);
	return err;
}

static struct error *select_thread(struct cli *c, const char *args, bool team)
{
	const int inferior = c->control->inferior;
	struct thread_id id;

	if (!c->control->live && !(*args && forks_are_kept(c->control)))
		return error_new(ERROR_USAGE,
				 *args ? "Invalid thread ID: %s" : "No thread selected", args);
	if (!*args) {
		thread_table_tell(c, "Current thread is");
		return NULL;
	}
	struct error *err = thread_ids_parse_one(c, args, team, &id);
	if (!err)
		err = thread_ids_select(c, &id);
	if (err)
		return err;
	if (inferior != c->control->inferior && !c->json)
		buf_addf(&c->out, "[Switching to inferior %d [process %d]]\n", c->control->inferior,
			 c->control->pid);
	thread_table_tell(c, "Switching to thread");
	return running_tell_frame(c, 0, true);
}

static struct error *cmd_thread(struct cli *c, const char *args)
{
	return select_thread(c, args, false);
}

static struct error *cmd_omp_thread(struct cli *c, const char *args)
{
	return select_thread(c, args, true);
}

/* Its first thread that is there is selected, unless one of it is; then all of it is told. */
static struct error *cmd_omp_team(struct cli *c, const char *args)
{
	struct thread_table_options o = { .some = true };
	char *end = (char *)args;
	long current = -1, team;
	struct error *err = team_ids_current(c, &current);

	team = *args ? strtol(args, &end, 10) : current;
	if (*args && (end == args || *end)) {
		error_ignore(err);
		return error_new(ERROR_USAGE,
				 "'%s' is no number of a team: 'omp regions' lists them", args);
	}
	if (*args) {
		error_ignore(err);
		err = NULL;
	}
	if (!err)
		err = thread_ids_of_team(c, team, &o.ids);
	if (!err && team != current)
		err = thread_ids_select(c, o.ids.items);
	if (!err)
		err = thread_table_add(c, &o);
	vec_fini(&o.ids);
	return err;
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

static bool is_found(const struct debuggee *d, const struct numbered_thread *th, const char *text)
{
	AUTO_BUF lwp = { 0 };

	buf_addf(&lwp, "LWP %d", th->lwp);
	return !th->ended &&
	       (strstr(thread_table_name(d, th), text) || strstr(buf_text(&lwp), text));
}

static void add_found(struct cli *c, const struct debuggee *d, const struct numbered_thread *th,
		      struct json *j)
{
	const struct thread_id id = { d->number, th->number };

	if (c->json) {
		json_add_object(j, NULL);
		thread_table_add_identity(c, j, d, th);
		json_end(j);
		return;
	}
	buf_adds(&c->out, "Thread ");
	thread_ids_add(c, &c->out, &id);
	buf_adds(&c->out, " has name '");
	style_add_text(&c->out, thread_table_name(d, th));
	buf_addf(&c->out, "' and is LWP %d\n", th->lwp);
}

/* How many there are. */
static size_t add_all_found(struct cli *c, const char *text, struct json *j)
{
	struct debuggee d;
	size_t found = 0;

	for (int n = 0; n <= c->control->last_inferior; n++) {
		if (!forks_debuggee(c->control, n, &d) || !d.session)
			continue;
		vec_for_each (th, &d.threads->items) {
			if (!is_found(&d, th, text))
				continue;
			add_found(c, &d, th, j);
			found++;
		}
	}
	return found;
}

static struct error *cmd_thread_find(struct cli *c, const char *args)
{
	struct json j;

	if (!*args)
		return error_new(ERROR_USAGE, "a part of a name, or a number, is missing");
	if (c->json) {
		cli_json_begin(c, &j, "threads");
		json_add_array(&j, "threads");
		add_all_found(c, args, &j);
		json_end(&j);
		cli_json_end(c, &j);
	} else if (!add_all_found(c, args, NULL)) {
		style_add_between(&c->out, "No threads match '", args, "'\n");
	}
	return NULL;
}

static struct error *freeze(struct cli *c, const char *args, bool frozen)
{
	struct thread_ids ids = { 0 };
	const char *rest = "";
	struct numbered_thread *selected =
		threads_by_lwp(&c->control->threads, c->control->selected);
	struct error *err = thread_ids_parse(c, args, &ids, &rest);

	if (!err && *rest)
		err = error_new(ERROR_USAGE, "'%s' is no number of a thread", rest);
	if (!err && *args && !ids.len)
		err = error_new(ERROR_NOT_FOUND, "no thread is called '%s'", args);
	if (!err && !ids.len && !selected)
		err = error_new(ERROR_USAGE, "No thread selected");
	if (!err && !ids.len)
		selected->frozen = frozen;
	vec_for_each (id, &ids) {
		struct debuggee d;
		struct numbered_thread *th = err ? NULL : thread_ids_find(c, id, &d);
		if (th)
			th->frozen = frozen;
	}
	vec_fini(&ids);
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
	THREAD("thread", "t", "[N|I.N|T.N]", COMPLETES_THREAD, 0, cmd_thread,
	       "Select a thread, also one of another inferior; or say which one is selected."),
	{ .name = "omp thread",
	  .args = "[T.N]",
	  .class = CLASS_OPENMP,
	  .completes = COMPLETES_THREAD,
	  .run = cmd_omp_thread,
	  .summary = "Select a thread by its name in OpenMP: number N in the team of region T.",
	  .help = "Where there is one inferior, \"thread\", \"thread apply\" and \"info threads\" "
		  "take "
		  "such names, too, also \"T.*\", and \"team\" for the team that the selected "
		  "thread is "
		  "in." },
	{ .name = "omp team",
	  .args = "[T]",
	  .class = CLASS_OPENMP,
	  .flags = COMMAND_JSON,
	  .completes = COMPLETES_TEAM,
	  .run = cmd_omp_team,
	  .summary =
		  "The threads of the team of region T, of which the first one is selected; or of "
		  "the current team." },
	THREAD("thread name", NULL, "[NAME]", COMPLETES_NOTHING, 0, cmd_thread_name,
	       "Give the selected thread a name."),
	THREAD("thread find", NULL, "TEXT", COMPLETES_NOTHING, 0, cmd_thread_find,
	       "Find threads by their names or numbers."),
	THREAD("freeze", NULL, "[N...|all]", COMPLETES_THREAD, 0, cmd_freeze,
	       "Let threads stay where they are when the program goes on."),
	THREAD("thaw", NULL, "[N...|all]", COMPLETES_THREAD, 0, cmd_thaw,
	       "Let frozen threads go on with the others again."),
	{ .name = "info threads",
	  .args = "[-g] [N...|all]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_THREAD,
	  .run = cmd_info_threads,
	  .summary = "The threads of the program, where they stand, and what they do in OpenMP.",
	  .help = "With -g, threads of one region that stand at the same place and wait for the "
		  "same are one line; so they are in an OpenMP program of more than 16 threads, "
		  "where \"info threads all\" lists each." },
};

const struct command_table cmd_thread_table = COMMAND_TABLE(rows);
