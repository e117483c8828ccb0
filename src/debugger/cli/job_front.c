/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_front.h"

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "debugger/cli/job_told.h"
#include "debugger/cli/rank_list.h"

bool job_front_has(const struct job_rank *r)
{
	return r->state != RANK_ENDED;
}

bool job_front_aims_at(const struct job_rank *r)
{
	return job_front_has(r) && r->focused;
}

size_t job_front_count(const struct job_ranks *all, bool (*is)(const struct job_rank *r))
{
	size_t n = 0;

	vec_for_each (r, &all->items)
		n += is(*r);
	return n;
}

/* Made anew each time: engines come and go, and there is but one prompt to wait at. */
int job_front_fd(const struct cli *c)
{
	struct job_front *f = c->job;
	struct epoll_event event = { .events = EPOLLIN };

	cleanup_close(&f->epoll);
	f->epoll = epoll_create1(EPOLL_CLOEXEC);
	vec_for_each (r, &f->all.items) {
		if ((*r)->engine.pid)
			epoll_ctl(f->epoll, EPOLL_CTL_ADD, (*r)->engine.socket, &event);
	}
	if (f->gathering.starter.fd >= 0)
		epoll_ctl(f->epoll, EPOLL_CTL_ADD, f->gathering.starter.fd, &event);
	return f->epoll;
}

void job_front_end(struct cli *c)
{
	struct job_front *f = c->job;
	const struct job_starter *starter = &f->gathering.starter;
	const bool killed = c->launched && job_front_count(&f->all, job_front_has);

	c->elsewhere = NULL;
	c->job = NULL;
	c->prompt = c->settings.prompt;
	job_ranks_fini(&f->all);
	if (starter->end)
		starter->end(starter->context, c, killed);
	c->launched = false;
	cleanup_close(&f->epoll);
	buf_fini(&f->prompt);
	free(f);
}

void job_front_renew_prompt(struct cli *c)
{
	struct job_front *f = c->job;
	const char *text = c->settings.prompt, *close = text ? strrchr(text, ')') : NULL;
	AUTO_BUF ranks = { 0 };

	c->prompt = text;
	if (!close ||
	    job_front_count(&f->all, job_front_aims_at) == job_front_count(&f->all, job_front_has))
		return;
	job_told_ranks(&ranks, &f->all, job_front_aims_at);
	buf_clear(&f->prompt);
	buf_add(&f->prompt, text, (size_t)(close - text));
	buf_addf(&f->prompt, "%s%s", ranks.len ? strchr(buf_text(&ranks), ' ') : " none", close);
	c->prompt = buf_text(&f->prompt);
}

void job_front_finish(struct cli *c)
{
	struct job_front *f = c->job;

	if (f->all.status > c->status)
		c->status = f->all.status;
	if (f->all.child_status >= 0)
		c->child_status = f->all.child_status;
	c->command_ran_program |= f->gathering.ran;
	c->quits |= f->all.quits;
	if (job_front_count(&f->all, job_front_has)) {
		job_front_renew_prompt(c);
		return;
	}
	job_front_end(c);
	if (!c->json)
		buf_adds(&c->out, "No rank of the job is left.\n");
}

struct error *job_front_begin(struct cli *c, const struct cli_elsewhere *elsewhere)
{
	struct job_front *f = calloc(1, sizeof(*f));

	if (!f)
		return &error_nomem;
	f->epoll = -1;
	f->all.child_status = -1;
	f->gathering = (struct job_gathering){ .cli = c, .all = &f->all, .starter.fd = -1 };
	c->job = f;
	c->elsewhere = elsewhere;
	/* Those of many processes at once say nothing to anybody. */
	c->settings.print.thread_events = false;
	return NULL;
}

struct error *job_front_check(const struct job_ranks *all, const char *list)
{
	AUTO_BUF there = { 0 };
	struct error *err = rank_list_check(list);

	if (err)
		return err;
	vec_for_each (r, &all->items) {
		if (job_front_has(*r) && rank_list_has(list, (*r)->number))
			return NULL;
	}
	job_told_ranks(&there, all, job_front_has);
	return error_new(ERROR_USAGE, "there is no rank %s: there are %s", list, buf_text(&there));
}

void job_front_ask(struct cli *c, const struct job_order *o, bool (*to)(const struct job_rank *r))
{
	struct job_front *f = c->job;

	vec_for_each (r, &f->all.items) {
		(*r)->addressed = false;
		if (to(*r))
			job_ranks_order(&f->all, *r, o);
	}
	job_gather_quietly(&f->gathering);
}

void job_front_forget(struct cli *c)
{
	struct job_ranks *all = &c->job->all;
	struct error *lost = NULL;

	vec_for_each (r, &all->items) {
		while ((*r)->pieces.len && !(*r)->pieces.items[0].lost)
			job_rank_drop(*r);
	}
	job_told_show(c, all, false, &lost);
	if (lost)
		cli_tell_error(c, lost);
}
