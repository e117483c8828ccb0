/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_gather.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "debugger/cli/job_told.h"

/* In us. */
enum {
	SETTLED = 60 * 1000,      /* nothing has come for so long: it is told             */
	DAWDLES = 300 * 1000,     /* ... or so long after the first of it has come        */
	UNFINISHED = 1000 * 1000, /* ... or a rank does not even come to let its program go */
	STILL = 1000 * 1000,      /* after so long without news it is said who still runs */
};

/* What has come, and when. */
struct news {
	int64_t first, last; /* that is not told yet; first 0: there is none */
	bool told_running;   /* who still runs, since something came            */
	bool interrupted;    /* those who run, as they were waited for too long */
};

/* ---- how they are ----------------------------------------------------------------------- */

static bool any(const struct job_ranks *all, bool (*is)(const struct job_rank *r))
{
	vec_for_each (r, &all->items) {
		if (is(*r))
			return true;
	}
	return false;
}

static bool works(const struct job_rank *r)
{
	return r->state == RANK_WORKS;
}

static bool runs(const struct job_rank *r)
{
	return r->state == RANK_RUNS;
}

static bool has_run(const struct job_rank *r)
{
	return r->addressed && r->ran;
}

static bool asks(const struct job_rank *r)
{
	return r->state == RANK_ASKS;
}

/* It has been let go, and stands again or has ended. */
static bool is_through(const struct job_rank *r)
{
	return r->addressed && !job_rank_is_busy(r);
}

static bool stands_outside(const struct job_rank *r)
{
	return r->state == RANK_STANDS && !r->addressed;
}

static bool has_pieces(const struct job_rank *r)
{
	return r->pieces.len > 0;
}

static bool has_more(const struct job_rank *r)
{
	return r->state == RANK_RUNS && (r->open.text.len || r->open.complaint.len);
}

/* ---- telling ---------------------------------------------------------------------------- */

static void add_who(struct cli *c, const struct job_ranks *all,
		    bool (*which)(const struct job_rank *r), const char *one, const char *many)
{
	AUTO_BUF who = { 0 };
	const size_t n = job_told_ranks(&who, all, which);

	if (!n || c->json)
		return;
	buf_addf(&c->out, "%s%s %s\n", n > 1 ? "Ranks" : "Rank", strchr(buf_text(&who), ' '),
		 n > 1 ? many : one);
}

/* Whoever waits for them in MPI waits for good. */
static void tell_outside(struct job_gathering *g)
{
	if (g->told_outside || !any(g->all, has_run) || !any(g->all, stands_outside))
		return;
	g->told_outside = true;
	add_who(g->cli, g->all, stands_outside,
		"stands still: it is not in focus; calls of MPI may wait for it.",
		"stand still: they are not in focus; calls of MPI may wait for them.");
}

static void tell(struct job_gathering *g, struct news *news, struct error **err)
{
	vec_for_each (r, &g->all->items) {
		if (has_more(*r))
			job_rank_cut(*r);
	}
	tell_outside(g);
	job_told_show(g->cli, g->all, g->exact, err);
	error_ignore(cli_flush(g->cli));
	news->first = 0;
}

static void tell_running(struct job_gathering *g, struct news *news)
{
	add_who(g->cli, g->all, runs, "still runs; Ctrl-C stops it.",
		"still run; Ctrl-C stops them.");
	error_ignore(cli_flush(g->cli));
	news->told_running = true;
}

/* ---- questions -------------------------------------------------------------------------- */

static const char *asked;

static bool asks_that(const struct job_rank *r)
{
	return asks(r) && text_same(r->question, asked);
}

/* The first question, and all that are equal. */
static void put_question(struct job_gathering *g)
{
	AUTO_BUF who = { 0 }, question = { 0 };
	AUTO_FREE char *text = NULL;

	for (size_t i = 0; i < g->all->items.len && !text; i++) {
		if (asks(g->all->items.items[i]))
			text = strdup(g->all->items.items[i]->question);
	}
	if (!text)
		return;
	asked = text;
	job_told_ranks(&who, g->all, asks_that);
	if (g->all->items.len > 1)
		buf_addf(&question, "Of %s: ", buf_text(&who));
	buf_adds(&question, text);
	const bool yes = cli_ask(g->cli, "%s", buf_text(&question));
	vec_for_each (r, &g->all->items) {
		if (asks_that(*r))
			job_ranks_reply(*r, yes);
	}
}

/* ---- waiting ---------------------------------------------------------------------------- */

struct polled {
	struct pollfd *items; /* owned */
	size_t len, cap;
};

/* The interrupt, the starter, then three of each engine. */
static bool list_files(const struct job_gathering *g, struct polled *ret)
{
	bool ok = vec_push(ret, (struct pollfd){ interrupt_fd(), POLLIN, 0 }) &&
		  vec_push(ret, (struct pollfd){ g->starter.fd, POLLIN, 0 });

	vec_for_each (r, &g->all->items) {
		const struct job_engine *e = &(*r)->engine;
		const int fds[] = { e->socket, e->out, e->messages };
		for (size_t i = 0; ok && e->pid && i < 3; i++)
			ok = vec_push(ret, (struct pollfd){ fds[i], POLLIN, 0 });
	}
	return ok;
}

/* Takes what is there. */
static void receive(struct job_gathering *g, struct news *news)
{
	bool some = false;

	for (size_t i = 0; i < g->all->items.len; i++)
		some |= job_ranks_receive(g->all, g->all->items.items[i]);
	g->ran |= any(g->all, has_run);
	if (!some)
		return;
	news->last = clock_us();
	news->told_running = false;
	if (!news->first && (any(g->all, has_pieces) || any(g->all, has_more)))
		news->first = news->last;
}

static void hear_starter(struct job_gathering *g)
{
	if (!g->starter.hear(g->starter.context, g->cli))
		g->starter.fd = -1;
	error_ignore(cli_flush(g->cli));
}

static void interrupt_all(struct job_gathering *g)
{
	vec_for_each (r, &g->all->items)
		job_ranks_interrupt(*r);
}

/* timeout: in us; -1: none. */
static void wait_for_more(struct job_gathering *g, struct news *news, int64_t timeout)
{
	struct polled fds = { 0 };

	if (list_files(g, &fds))
		poll(fds.items, (nfds_t)fds.len, timeout < 0 ? -1 : (int)(timeout / 1000) + 1);
	const bool starter = fds.len > 1 && fds.items[1].revents;
	vec_fini(&fds);
	if (interrupt_take())
		interrupt_all(g);
	if (starter)
		hear_starter(g);
	receive(g, news);
}

/* How long until something is to be told, if nothing comes: 0: now; -1: never. */
static int64_t time_to_tell(const struct job_gathering *g, const struct news *news)
{
	const int64_t now = clock_us();
	int64_t at = news->last + SETTLED;

	if (!news->first)
		return -1;
	if (at > news->first + DAWDLES)
		at = news->first + DAWDLES;
	if (any(g->all, works))
		at = news->first + UNFINISHED;
	return at > now ? at - now : 0;
}

/* The same of what is done if nothing has come for so long, while some run and others do not. */
static int64_t time_of_quiet(const struct job_gathering *g, const struct news *news, int64_t quiet)
{
	const int64_t now = clock_us();

	if (!any(g->all, runs) || !any(g->all, is_through))
		return -1;
	return news->last + quiet > now ? news->last + quiet - now : 0;
}

/* How long to wait for more; 0: something has been done instead. */
static int64_t pass_quiet(struct job_gathering *g, struct news *news)
{
	const size_t wait = g->cli->settings.rank_wait;
	int64_t until = -1;

	if (wait < INT_MAX && !news->interrupted)
		until = time_of_quiet(g, news, (int64_t)wait * 1000000);
	if (until == 0) {
		news->interrupted = true;
		interrupt_all(g);
		return 0;
	}
	if (news->told_running || until > 0)
		return until;
	until = time_of_quiet(g, news, STILL);
	if (until == 0)
		tell_running(g, news);
	return until;
}

struct error *job_gather(struct job_gathering *g)
{
	struct news news = { .last = clock_us() };
	struct error *err = NULL;

	g->runs = true;
	for (;;) {
		const bool busy = any(g->all, works) || any(g->all, runs);
		if (any(g->all, asks) && !any(g->all, works)) {
			tell(g, &news, &err);
			put_question(g);
			continue;
		}
		if (!busy)
			break;
		int64_t next = time_to_tell(g, &news);
		if (next == 0) {
			tell(g, &news, &err);
			continue;
		}
		if (next < 0)
			next = pass_quiet(g, &news);
		if (next != 0)
			wait_for_more(g, &news, next);
	}
	tell(g, &news, &err);
	g->runs = false;
	return err;
}

void job_gather_quietly(struct job_gathering *g)
{
	struct news news = { 0 };

	g->runs = true;
	while (any(g->all, job_rank_is_busy)) {
		vec_for_each (r, &g->all->items) {
			if (asks(*r))
				job_ranks_reply(*r, true);
		}
		wait_for_more(g, &news, -1);
	}
	g->runs = false;
}

struct error *job_gather_news(struct job_gathering *g)
{
	struct news news = { 0 };
	struct error *err = NULL;
	struct pollfd starter = { .fd = g->starter.fd, .events = POLLIN };

	g->runs = true; /* ranks that are new tell later; the job is not over meanwhile */
	if (poll(&starter, 1, 0) > 0)
		hear_starter(g);
	g->runs = false;
	receive(g, &news);
	tell(g, &news, &err);
	return err;
}
