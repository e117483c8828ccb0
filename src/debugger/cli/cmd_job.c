/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_front.h"

#include <string.h>

#include "debugger/cli/job_told.h"
#include "debugger/cli/rank_list.h"

static struct error *need_job(const struct cli *c)
{
	return c->job ? NULL
		      : error_new(ERROR_USAGE, "there is no job: 'attach job:PID' attaches to the "
					       "ranks of one");
}

static void add_focus_object(struct cli *c, const struct job_ranks *all)
{
	struct json j;

	cli_json_begin(c, &j, "focus");
	json_add_array(&j, "ranks");
	vec_for_each (r, &all->items) {
		if (job_front_aims_at(*r))
			json_add_integer(&j, NULL, (*r)->number);
	}
	json_end(&j);
	cli_json_end(c, &j);
}

static struct error *cmd_focus(struct cli *c, const char *ranks)
{
	AUTO_BUF who = { 0 };
	struct error *err = need_job(c);

	if (err)
		return err;
	struct job_ranks *all = &c->job->all;
	const size_t word = strcspn(ranks, " \t");
	if ((word == 4 && !strncmp(ranks, "rank", 4)) || (word == 5 && !strncmp(ranks, "ranks", 5)))
		ranks += word + strspn(ranks + word, " \t");
	const bool everybody = !strcmp(ranks, "all");
	if (*ranks && !everybody)
		err = job_front_check(all, ranks);
	if (err)
		return err;
	for (size_t i = 0; *ranks && i < all->items.len; i++) {
		struct job_rank *r = all->items.items[i];
		r->focused = everybody || rank_list_has(ranks, r->number);
	}
	job_front_renew_prompt(c);
	if (c->json) {
		add_focus_object(c, all);
		return NULL;
	}
	const size_t n = job_told_ranks(&who, all, job_front_aims_at);
	buf_addf(&c->out, "Focus: %s", n ? buf_text(&who) : "no rank");
	buf_addf(&c->out, "%s\n",
		 n == job_front_count(all, job_front_has) ? ", all there are" : "");
	return NULL;
}

static void add_row(struct cli *c, const struct job_rank *r)
{
	AUTO_BUF how = { 0 };
	struct json j;

	if (!job_front_has(r))
		buf_adds(&how, r->end);
	else
		buf_addf(&how, "stands, %s", r->answered ? buf_text(&r->answer) : "?");
	if (!c->json) {
		buf_addf(&c->out, "%c %-5d %-8d %s\n", job_front_aims_at(r) ? '*' : ' ', r->number,
			 r->pid, buf_text(&how));
		return;
	}
	cli_json_begin(c, &j, "rank_state");
	json_add_integer(&j, "rank", r->number);
	json_add_integer(&j, "pid", r->pid);
	json_add_bool(&j, "there", job_front_has(r));
	json_add_bool(&j, "focus", job_front_aims_at(r));
	json_add_string(&j, "where", job_front_has(r) && r->answered ? buf_text(&r->answer) : NULL);
	json_add_string(&j, "end", job_front_has(r) ? NULL : r->end);
	cli_json_end(c, &j);
}

static struct error *cmd_info_ranks(struct cli *c, const char *args)
{
	struct error *err = need_job(c);

	(void)args;
	if (err)
		return err;
	job_front_ask(c, &(struct job_order){ .kind = JOB_PLACE }, job_front_has);
	job_front_forget(c);
	if (!c->json)
		buf_adds(&c->out, "  RANK  PROCESS  WHERE\n");
	vec_for_each (r, &c->job->all.items)
		add_row(c, *r);
	job_front_finish(c);
	return NULL;
}

static const struct command rows[] = {
	{ .name = "focus",
	  .args = "[rank R|ranks R,R-R|all]",
	  .class = CLASS_RUNNING,
	  .run = cmd_focus,
	  .summary = "Say which ranks of a job commands go to.",
	  .help = "Ranks that are not in focus stand still while those in focus run. What is to "
		  "stop the program can be placed in other ranks than those: \"break f rank 2\", "
		  "\"tbreak f ranks 0-2,7\", \"watch x rank 1 if x > 3\"." },
	COMMAND_INFO("ranks", NULL, "", cmd_info_ranks, COMPLETES_NOTHING,
		     "The ranks of the job, which of them are in focus, and where they stand."),
};

const struct command_table cmd_job_table = COMMAND_TABLE(rows);
