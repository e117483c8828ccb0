/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { PATIENCE = 10 * 1000 * 1000 }; /* for the end of an engine; in us */

static void piece_fini(struct rank_piece *p)
{
	buf_fini(&p->text);
	buf_fini(&p->complaint);
	error_free(p->failed);
	free(p->thread);
	*p = (struct rank_piece){ 0 };
}

/* ---- ending ----------------------------------------------------------------------------- */

/* What an engine prints last is of no interest; when it has ended, nobody has its pipe. */
static bool await_end(const struct job_engine *e, int64_t until)
{
	char some[4096];

	for (;;) {
		struct pollfd end = { .fd = e->out, .events = POLLIN };
		const int64_t left = (until - clock_us()) / 1000;
		if (e->out < 0 || left <= 0)
			return false;
		if (poll(&end, 1, (int)left + 1) > 0 && read(e->out, some, sizeof(some)) == 0)
			return true;
	}
}

/* The engine lets go of its rank, as its socket has ended. */
static void end_engine(struct job_rank *r, int64_t until)
{
	if (!r->engine.pid)
		return;
	cleanup_close(&r->engine.socket);
	r->engine.socket = -1;
	if (!await_end(&r->engine, until))
		kill(r->engine.pid, SIGKILL);
	(void)TEMP_FAILURE_RETRY(waitpid(r->engine.pid, NULL, 0));
	r->engine.pid = 0;
	job_engine_close(&r->engine);
}

static void rank_free(struct job_rank *r)
{
	vec_for_each (piece, &r->pieces)
		piece_fini(piece);
	vec_fini(&r->pieces);
	piece_fini(&r->open);
	buf_fini(&r->answer);
	lwp_list_fini(&r->lwps);
	free(r->question);
	free(r->end);
	free(r);
}

void job_ranks_fini(struct job_ranks *all)
{
	const int64_t until = clock_us() + PATIENCE;

	/* All at once, then one after the other. */
	vec_for_each (r, &all->items) {
		cleanup_close(&(*r)->engine.socket);
		(*r)->engine.socket = -1;
	}
	vec_for_each (r, &all->items) {
		end_engine(*r, until);
		rank_free(*r);
	}
	vec_fini(&all->items);
	job_lines_fini(&all->told);
}

/* How an engine has ended that was not told to. */
static void add_death(struct buf *out, pid_t pid)
{
	int status = 0;

	(void)TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	if (WIFSIGNALED(status))
		buf_addf(out, "its debugger (process %d) has ended by signal %d (%s)", pid,
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		buf_addf(out, "its debugger (process %d) has ended with status %d", pid,
			 WEXITSTATUS(status));
}

static void set_end(struct job_rank *r, const char *end)
{
	r->state = RANK_ENDED;
	free(r->end);
	r->end = strdup(end);
}

static void lose(struct job_rank *r)
{
	AUTO_BUF how = { 0 };

	add_death(&how, r->engine.pid);
	r->engine.pid = 0;
	job_engine_close(&r->engine);
	job_rank_cut(r);
	set_end(r, buf_text(&how));
	r->open.failed = error_new(ERROR_GONE, "%s; the rank goes on without", buf_text(&how));
	r->open.done = r->open.lost = true;
	job_rank_cut(r);
}

/* ---- beginning -------------------------------------------------------------------------- */

struct job_rank *job_ranks_find(const struct job_ranks *all, int number)
{
	vec_for_each (r, &all->items) {
		if ((*r)->number == number)
			return *r;
	}
	return NULL;
}

/* Ends of other engines that a new one must not have. */
static struct error *list_files(const struct job_ranks *all, struct ints *ret)
{
	vec_for_each (r, &all->items) {
		const struct job_engine *e = &(*r)->engine;
		if (e->pid && !(vec_push(ret, e->socket) && vec_push(ret, e->out) &&
				vec_push(ret, e->messages)))
			return &error_nomem;
	}
	return NULL;
}

/* At its place by its number. */
static struct job_rank *insert(struct job_ranks *all, int number)
{
	struct job_rank *r = calloc(1, sizeof(*r));

	if (!r || !vec_push(&all->items, r)) {
		free(r);
		return NULL;
	}
	size_t at = all->items.len - 1;
	for (; at && all->items.items[at - 1]->number > number; at--)
		all->items.items[at] = all->items.items[at - 1];
	all->items.items[at] = r;
	*r = (struct job_rank){ .number = number, .state = RANK_ENDED, .engine = JOB_ENGINE_NONE };
	return r;
}

struct error *job_ranks_add(struct job_ranks *all, struct cli *c, int number, pid_t pid,
			    bool *ret_new)
{
	struct job_rank *r = job_ranks_find(all, number);
	AUTO_INTS others = { 0 };

	*ret_new = !r || r->state == RANK_ENDED;
	if (!*ret_new)
		return NULL;
	struct error *err = list_files(all, &others);
	if (!err && !r)
		r = insert(all, number);
	if (!err && !r)
		err = &error_nomem;
	if (!err)
		err = job_engine_start(c, pid, &all->told, &others, &r->engine);
	if (err)
		return err;
	fcntl(r->engine.out, F_SETFL, O_NONBLOCK);
	fcntl(r->engine.messages, F_SETFL, O_NONBLOCK);
	r->pid = pid;
	r->state = RANK_STANDS;
	r->focused = true;
	lwp_list_fini(&r->lwps);
	error_ignore(procfs_tasks(pid, &r->lwps));
	job_ranks_order(all, r, &(struct job_order){ .kind = JOB_ATTACH });
	return NULL;
}

/* ---- telling it ------------------------------------------------------------------------- */

void job_ranks_order(struct job_ranks *all, struct job_rank *r, const struct job_order *o)
{
	struct job_order numbered = *o;

	numbered.numbers = all->numbers;
	r->addressed = true;
	r->ran = r->answered = false;
	buf_clear(&r->answer);
	if (job_send_order(r->engine.socket, &numbered))
		r->state = RANK_WORKS;
	else
		lose(r);
}

void job_ranks_reply(struct job_rank *r, bool yes)
{
	free(r->question);
	r->question = NULL;
	r->state = RANK_WORKS;
	if (!job_send_reply(r->engine.socket, yes))
		lose(r);
}

void job_ranks_interrupt(struct job_rank *r)
{
	if (job_rank_is_busy(r))
		kill(r->engine.pid, SIGINT);
}

bool job_rank_is_busy(const struct job_rank *r)
{
	return r->state == RANK_WORKS || r->state == RANK_RUNS || r->state == RANK_ASKS;
}

/* ---- hearing it ------------------------------------------------------------------------- */

void job_rank_cut(struct job_rank *r)
{
	struct rank_piece *p = &r->open;

	if (!p->text.len && !p->complaint.len && !p->failed && !p->thread && !p->done)
		return;
	if (vec_push(&r->pieces, *p))
		*p = (struct rank_piece){ 0 };
	else
		piece_fini(p);
}

void job_rank_drop(struct job_rank *r)
{
	piece_fini(&r->pieces.items[0]);
	for (size_t i = 1; i < r->pieces.len; i++)
		r->pieces.items[i - 1] = r->pieces.items[i];
	r->pieces.len--;
}

static bool drain(int fd, struct buf *ret)
{
	char part[16384];
	bool some = false;
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			buf_add(ret, part, (size_t)n);
		some = true;
	}
	return some;
}

/* What stands behind the mark belongs to the next piece. */
static void part(struct job_rank *r)
{
	const char *text = buf_text(&r->open.text), *mark = strchr(text, JOB_MARK_RUNS);
	struct buf rest = { 0 };

	if (!mark)
		return;
	buf_adds(&rest, mark + 1);
	r->open.text.len = (size_t)(mark - text);
	r->open.text.data[r->open.text.len] = '\0';
	job_rank_cut(r); /* not if that is empty */
	buf_fini(&r->open.text);
	r->open.text = rest;
	r->ran = true;
	if (r->state == RANK_WORKS)
		r->state = RANK_RUNS;
}

static bool drain_all(struct job_rank *r)
{
	const bool some = drain(r->engine.out, &r->open.text);

	part(r);
	return drain(r->engine.messages, &r->open.complaint) || some;
}

/* Threads of a program that has ended are known as before. */
static void look_at_threads(struct job_rank *r)
{
	struct lwp_list now = { 0 };

	error_ignore(procfs_tasks(r->pid, &now));
	if (now.len) {
		lwp_list_fini(&r->lwps);
		r->lwps = now;
	} else {
		lwp_list_fini(&now);
	}
}

static void end_rank(struct job_rank *r, const struct job_done *d)
{
	AUTO_BUF how = { 0 };

	if (d->child_status >= 128)
		buf_addf(&how, "has ended by signal %d", d->child_status - 128);
	else if (d->child_status >= 0)
		buf_addf(&how, "has ended with status %d", d->child_status);
	else
		buf_adds(&how, "is not debugged any more");
	set_end(r, buf_text(&how));
	r->gone = d->child_status >= 0;
	end_engine(r, clock_us() + PATIENCE);
}

static void take_done(struct job_ranks *all, struct job_rank *r, struct job_done *d)
{
	look_at_threads(r);
	r->state = RANK_STANDS;
	r->answered = !d->failed;
	r->open.failed = TAKE(d->failed);
	r->open.thread = TAKE(d->thread);
	r->open.done = true;
	buf_add(&r->answer, d->answer.data, d->answer.len);
	job_rank_cut(r);
	if (d->numbers.breakpoint > all->numbers.breakpoint)
		all->numbers.breakpoint = d->numbers.breakpoint;
	if (d->numbers.values > all->numbers.values)
		all->numbers.values = d->numbers.values;
	all->status = d->status > all->status ? d->status : all->status;
	all->child_status =
		d->child_status > all->child_status ? d->child_status : all->child_status;
	all->quits |= d->quits;
	if (!d->live)
		end_rank(r, d);
}

/* The engine stays: its rank can be asked for nothing any more. */
static void take_lost(struct job_rank *r, const struct message *m)
{
	r->open.failed = job_read_lost(m);
	r->open.done = r->open.lost = true;
	job_rank_cut(r);
	set_end(r, "is not traced any more");
	end_engine(r, clock_us() + PATIENCE);
}

static void take_message(struct job_ranks *all, struct job_rank *r, const struct message *m)
{
	struct job_done done = { 0 };

	if (m->kind == JOB_ASKS) {
		r->state = RANK_ASKS;
		free(r->question);
		r->question = strdup(job_read_question(m));
	} else if (m->kind == JOB_LOST) {
		take_lost(r, m);
	} else if (job_read_done(m, &done)) {
		take_done(all, r, &done);
	}
	job_done_fini(&done);
}

static bool is_readable(int fd)
{
	struct pollfd there = { .fd = fd, .events = POLLIN };

	return poll(&there, 1, 0) > 0;
}

bool job_ranks_receive(struct job_ranks *all, struct job_rank *r)
{
	AUTO_MESSAGE m = MESSAGE_NONE;
	bool some = r->engine.pid && drain_all(r);

	while (r->engine.pid && is_readable(r->engine.socket)) {
		some = true;
		const bool whole = message_receive(r->engine.socket, &m);
		/* What was printed before it was sent is there by now. */
		drain_all(r);
		if (whole)
			take_message(all, r, &m);
		else
			lose(r);
	}
	return some;
}
