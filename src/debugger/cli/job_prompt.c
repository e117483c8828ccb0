/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_prompt.h"

#include <string.h>

#include "base/text.h"
#include "debugger/cli/job_front.h"
#include "debugger/cli/rank_list.h"
#include "debugger/cli/rank_print.h"
#include "debugger/cli/rank_why.h"
#include "debugger/cli/setting.h"
#include "debugger/control/control.h"

/* ---- the session ------------------------------------------------------------------------ */

static struct error *execute(struct cli *c, const struct command *row, const char *line,
			     bool *ret_here);
static void complete(struct cli *c, const char *line, struct completion *ret);

/* While a line is waited for. */
static void tell(struct cli *c)
{
	struct job_front *f = c->job;

	f->gathering.exact = false;
	vec_for_each (r, &f->all.items)
		(*r)->addressed = false;
	struct error *err = job_gather_news(&f->gathering);
	if (err)
		cli_tell_error(c, err);
	if (c->job)
		job_front_finish(c);
	error_ignore(cli_flush(c));
}

static const struct cli_elsewhere elsewhere = { .execute = execute,
						.complete = complete,
						.fd = job_front_fd,
						.tell = tell,
						.end = job_front_end };

/* Starts an engine for each member that has none. */
static struct error *add_members(struct cli *c, const struct job *j)
{
	struct job_front *f = c->job;
	struct error *err = NULL;
	bool new;

	for (size_t i = 0; !err && i < j->members.len; i++) {
		const struct job_member *m = &j->members.items[i];
		err = job_ranks_add(&f->all, c, m->rank, m->pid, &new);
	}
	return err;
}

static void tell_found(struct cli *c, const struct job *j)
{
	struct json json;

	if (c->json) {
		cli_json_begin(c, &json, "job");
		json_add_lines(&json, "found", buf_text(&j->found));
		json_add_unsigned(&json, "elsewhere", j->elsewhere);
		cli_json_end(c, &json);
		return;
	}
	buf_add(&c->out, buf_text(&j->found), j->found.len);
	if (j->elsewhere)
		buf_addf(&c->out,
			 "The job has %zu rank%s on other hosts: ompdb looks at such ranks (ompdb "
			 "why job:PID), but does not drive them from here.\n",
			 j->elsewhere, j->elsewhere == 1 ? "" : "s");
}

struct error *job_prompt_attach(struct cli *c, const struct job *j)
{
	const bool has = c->job && c->job->gathering.runs;

	if (c->control->live)
		return error_new(ERROR_USAGE, "there is a process already: 'detach' or 'kill' it "
					      "first");
	if (!j->members.len)
		return error_new(ERROR_NOT_FOUND, "no rank of this job is on this host");
	if (!job_has_ranks(j))
		return error_new(ERROR_USAGE, "these processes are no ranks of one job: attach to "
					      "one of them, or to job:PID");
	struct error *err = c->job ? NULL : job_front_begin(c, &elsewhere);
	if (err)
		return err;
	tell_found(c, j);
	struct job_front *f = c->job;
	for (size_t i = 0; !has && i < f->all.items.len; i++)
		f->all.items.items[i]->addressed = false;
	err = add_members(c, j);
	if (has) /* who gathers goes on with the new ones */
		return err;
	f->gathering.exact = false;
	struct error *failed = job_gather(&f->gathering);
	if (err && failed)
		cli_tell_error(c, failed);
	job_front_finish(c);
	return err ? err : failed;
}

void job_prompt_set_starter(struct cli *c, const struct job_starter *starter)
{
	c->job->gathering.starter = *starter;
}

/* ---- where commands go ------------------------------------------------------------------ */

enum goes_to {
	IN_RANKS, /* those in focus                                        */
	HERE,
	IN_BOTH, /* here and in all ranks: what later commands mean        */
	NOWHERE, /* the process of a rank is not this prompt's to begin    */
};

static const struct {
	const char *name;
	enum goes_to place;
} places[] = {
	{ "add-auto-load-safe-path", HERE },
	{ "apropos", HERE },
	{ "attach", HERE },
	{ "complete", HERE },
	{ "echo", HERE },
	{ "focus", HERE },
	{ "help", HERE },
	{ "info ranks", HERE },
	{ "pipe", HERE },
	{ "pwd", HERE },
	{ "quit", HERE },
	{ "shell", HERE },
	{ "show", HERE },
	{ "source", HERE },
	{ "alias", IN_BOTH },
	{ "cd", IN_BOTH },
	{ "define", IN_BOTH },
	{ "document", IN_BOTH },
	{ "set", IN_BOTH },
	{ "core-file", NOWHERE },
	{ "exec-file", NOWHERE },
	{ "file", NOWHERE },
	{ "run", NOWHERE },
	{ "start", NOWHERE },
	{ "starti", NOWHERE },
};

/* Settings of this process alone. */
static const char *const own_settings[] = { "logging", "trace-commands", NULL };

static bool is_own_setting(const char *text)
{
	const char *name = setting_name(text);

	for (size_t i = 0; name && own_settings[i]; i++) {
		if (text_starts_with(name, own_settings[i]))
			return true;
	}
	return false;
}

static enum goes_to find_place(const struct cli *c, const struct command *row, const char *line)
{
	const char *args = "";

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (strcmp(places[i].name, row->name))
			continue;
		if (strcmp(row->name, "set"))
			return places[i].place;
		error_ignore(command_find(&c->commands, line, &row, &args));
		return is_own_setting(args) ? HERE : setting_name(args) ? IN_BOTH : IN_RANKS;
	}
	return row->class == CLASS_USER ? HERE : IN_RANKS;
}

/* A line with the block that belongs to it, from wherever lines come from. */
static struct error *read_whole(struct cli *c, const struct command *row, const char *line,
				struct buf *ret)
{
	struct error *err = NULL;

	buf_adds(ret, line);
	if (row->flags & COMMAND_HAS_BLOCK) {
		buf_addc(ret, '\n');
		err = cli_flush(c);
		if (!err)
			err = (!strcmp(row->name, "document") ? cli_read_text
							      : cli_read_block)(c, ">", ret);
		buf_adds(ret, "end\n");
	}
	return err ? err : buf_ok(ret) ? NULL : &error_nomem;
}

static struct error *execute_in_both(struct cli *c, const char *text)
{
	struct job_front *f = c->job;

	f->here = true;
	struct error *err = cli_execute_text(c, text, NULL);
	f->here = false;
	if (err)
		return err;
	job_front_ask(c, &(struct job_order){ .kind = JOB_EXECUTE, .text = text }, job_front_has);
	job_front_forget(c);
	job_front_finish(c);
	return NULL;
}

/* list: the ranks that it is for; NULL: those in focus. */
static struct error *execute_in_ranks(struct cli *c, const char *text, const char *list)
{
	struct job_front *f = c->job;
	const struct job_order order = {
		.kind = JOB_EXECUTE, .text = text, .last = c->last_args, .repeats = c->repeats
	};
	size_t n = 0;

	struct error *err = list ? job_front_check(&f->all, list) : NULL;
	if (err)
		return err;
	f->gathering.ran = false;
	f->all.status = STATUS_OK;
	vec_for_each (r, &f->all.items) {
		(*r)->addressed = false;
		if (!job_front_has(*r) ||
		    !(list ? rank_list_has(list, (*r)->number) : (*r)->focused))
			continue;
		job_ranks_order(&f->all, *r, &order);
		n++;
	}
	if (!n)
		return error_new(ERROR_USAGE, "no rank in focus is there any more: 'focus all' has "
					      "those that are");
	err = job_gather(&f->gathering);
	job_front_finish(c);
	return err;
}

/* Those that come meanwhile are told, too. */
static struct error *execute_in_all(struct cli *c, const char *text)
{
	struct job_ranks *all = &c->job->all;
	struct error *err = job_lines_add(&all->told, text, all->numbers.breakpoint);

	if (err)
		return err;
	err = execute_in_ranks(c, text, NULL);
	if (err && c->job)
		free(all->told.items[--all->told.len].text);
	return err;
}

/* "break f rank 2": the ranks are said by the line. */
static struct error *execute_where_meant(struct cli *c, const struct command *row, char *text)
{
	const struct job_ranks *all = &c->job->all;
	bool nomem = false;
	AUTO_FREE char *list =
		row->class == CLASS_BREAKPOINTS ? rank_list_take(text, &nomem) : NULL;

	if (nomem)
		return &error_nomem;
	c->job->gathering.exact = row->class == CLASS_DATA;
	if (row->class == CLASS_BREAKPOINTS && !list &&
	    job_front_count(all, job_front_aims_at) == job_front_count(all, job_front_has))
		return execute_in_all(c, text);
	return execute_in_ranks(c, text, list);
}

/* Quitting is no matter of one process. */
static bool may_quit(struct cli *c)
{
	const size_t n = job_front_count(&c->job->all, job_front_has);

	if (!c->keyboard || !c->keyboard->typed || !c->confirm)
		return true;
	return cli_ask(c,
		       "A debugging session is active.\n\n\t%zu rank%s of a job will be "
		       "%s.\n\nQuit anyway? ",
		       n, n == 1 ? "" : "s", c->launched ? "killed" : "detached");
}

static struct error *execute(struct cli *c, const struct command *row, const char *line,
			     bool *ret_here)
{
	const enum goes_to place = c->job->here ? HERE : find_place(c, row, line);
	AUTO_BUF text = { 0 };
	const char *args;

	*ret_here = place == HERE;
	if (place == HERE) {
		*ret_here = strcmp(row->name, "quit") || may_quit(c);
		return NULL;
	}
	if (place == NOWHERE)
		return error_new(ERROR_USAGE,
				 "'%s' is for a program of its own: the ranks of a job are started "
				 "by its starter",
				 row->name);
	struct error *err = cli_flush(c);
	if (!err && rank_print_is_meant(c, row, line, &args))
		return rank_print(c, args);
	if (!err && rank_why_is_meant(c, row))
		return rank_why(c, line);
	if (!err)
		err = read_whole(c, row, line, &text);
	if (err)
		return err;
	return place == IN_BOTH ? execute_in_both(c, buf_text(&text))
				: execute_where_meant(c, row, text.data);
}

/* The first rank in focus has the names. */
static void complete(struct cli *c, const char *line, struct completion *ret)
{
	struct job_front *f = c->job;
	struct job_rank *knows = NULL;

	vec_for_each (r, &f->all.items) {
		if (job_front_aims_at(*r) && !knows)
			knows = *r;
	}
	if (!knows)
		return;
	job_ranks_order(&f->all, knows, &(struct job_order){ .kind = JOB_COMPLETE, .text = line });
	job_gather_quietly(&f->gathering);
	if (!knows->answered || !job_read_words(&knows->answer, ret))
		completion_fini(ret);
	job_front_forget(c);
}
