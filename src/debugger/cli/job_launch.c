/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_launch.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "debugger/cli/job_prompt.h"
#include "debugger/cli/job_starter.h"
#include "target/process/held.h"
#include "target/process/procfs.h"

enum {
	LOOK_MS = 20,     /* between looks for ranks that wait                          */
	LOOKS_SAME = 5,   /* after which all are there, if all that are there wait      */
	LOOKS_MIXED = 50, /* and if some do not                                         */
};

struct job_launch {
	struct job_starter_process starter;
	const char *name;  /* borrowed; of the starter                                    */
	struct mpir ranks; /* all that it has told of; their places are their numbers     */
	int next;          /* the first number that the prompt has not been given          */
	bool waits; /* for ranks that wait: what it tells of may not be what it will be yet */
};

static void launch_free(struct job_launch *l)
{
	job_starter_wait(&l->starter);
	mpir_fini(&l->ranks);
	free(l);
}

/* ---- what the starter tells ------------------------------------------------------------- */

static bool is_known(const struct mpir *all, const struct mpir_rank *rank)
{
	vec_for_each (known, &all->ranks) {
		if (known->pid == rank->pid && text_same(known->host, rank->host))
			return true;
	}
	return false;
}

/* The table may have those of all spawns, or of the last one. */
static struct error *add_told(struct mpir *all, struct mpir *told)
{
	vec_for_each (rank, &told->ranks) {
		if (is_known(all, rank))
			continue;
		if (!vec_push(&all->ranks, *rank))
			return &error_nomem;
		rank->host = NULL;
	}
	return NULL;
}

/* What the prompt has been given already may have been let go; the starter has a debugger. */
static void leave_out_known(struct cli *c, const struct job_launch *l, struct job *j)
{
	size_t n = 0;

	vec_for_each (m, &j->members) {
		const bool is_starter = m->pid == l->starter.pid;
		if (is_starter && m->rank >= l->next)
			buf_addf(&c->out,
				 "Rank %d is the starter itself, which is not under this prompt.\n",
				 m->rank);
		if (is_starter || m->rank < l->next)
			free(m->target);
		else
			j->members.items[n++] = *m;
	}
	j->members.len = n;
}

/* Their debuggers are at it, and what they say is told later; but the starter is not to go on
 * before. Nobody tells that somebody is traced now. */
static void wait_until_traced(const struct job *j)
{
	enum { PAUSE_US = 1000, PAUSES = 3000 };
	struct proc_status status = { 0 };
	int pauses = 0;

	vec_for_each (m, &j->members) {
		for (; pauses < PAUSES; pauses++) {
			AUTO_ERROR *gone = procfs_status(m->pid, 0, &status);
			if (gone || status.tracer || status.state == 'Z')
				break;
			usleep(PAUSE_US);
		}
	}
}

static struct error *attach(struct cli *c, struct job_launch *l, struct job *j)
{
	leave_out_known(c, l, j);
	vec_for_each (m, &j->members)
		l->next = m->rank + 1;
	/* Without any, the prompt says why it has nothing to do. */
	struct error *err = j->members.len || !c->job ? job_prompt_attach(c, j) : NULL;
	if (!err)
		wait_until_traced(j);
	return err;
}

static struct error *attach_to_told(struct cli *c, struct job_launch *l, struct mpir_news *news)
{
	AUTO_JOB j = { 0 };
	struct error *err = TAKE(news->bad);

	if (!err)
		err = add_told(&l->ranks, &news->ranks);
	if (err || l->waits)
		return err;
	err = job_find_told(l->starter.pid, &l->ranks, &j);
	return err ? err : attach(c, l, &j);
}

static void tell_abort(struct cli *c, const struct mpir_news *news)
{
	if (c->json)
		return;
	buf_adds(&c->out, "The job is being given up by its starter");
	if (news->text && *news->text) {
		buf_adds(&c->out, ": ");
		text_escape(&c->out, news->text, strlen(news->text));
	}
	buf_adds(&c->out, ".\n");
}

/* "mpiexec 4711 has ended with status 1" */
static void add_end(struct buf *out, const struct job_launch *l, const struct mpir_news *news)
{
	text_escape(out, l->name, strlen(l->name));
	buf_addf(out, " %d has ended ", l->starter.pid);
	if (news->signal)
		buf_addf(out, "by signal %d (%s)", news->signal, strsignal(news->signal));
	else
		buf_addf(out, "with status %ld", news->status);
}

static void tell_end(struct cli *c, const struct job_launch *l, const struct mpir_news *news)
{
	if (c->json || (!news->signal && !news->status))
		return;
	add_end(&c->out, l, news);
	buf_adds(&c->out, ".\n");
}

/* *ret_over: there will be no more. */
static struct error *take_news(struct cli *c, struct job_launch *l, struct mpir_news *news,
			       bool *ret_over)
{
	struct error *err = job_starter_hear(&l->starter, news);

	*ret_over = err || news->kind == MPIR_ENDS;
	if (err)
		return err;
	switch (news->kind) {
	case MPIR_SPAWNED:
		return attach_to_told(c, l, news);
	case MPIR_ABORTS:
		tell_abort(c, news);
		break;
	case MPIR_ENDS:
	case MPIR_BEGINS:
	case MPIR_INTERRUPTED:
		break;
	}
	return NULL;
}

static bool hear(void *context, struct cli *c)
{
	struct job_launch *l = context;
	AUTO_MPIR_NEWS news = { 0 };
	bool over;
	struct error *err = take_news(c, l, &news, &over);

	if (err)
		cli_tell_error(c, err);
	else if (over)
		tell_end(c, l, &news);
	if (!over)
		job_starter_go_on(&l->starter);
	return !over;
}

static void end(void *context, struct cli *c, bool killed)
{
	struct job_launch *l = context;

	(void)c;
	if (killed)
		job_starter_end(&l->starter);
	else
		job_starter_leave(&l->starter);
	launch_free(l);
}

/* ---- until there are ranks -------------------------------------------------------------- */

/* false: the time is over. */
static bool wait_for_news(const struct job_launch *l, int ms, bool *ret_interrupted)
{
	struct pollfd fds[] = { { .fd = l->starter.socket, .events = POLLIN },
				{ .fd = interrupt_fd(), .events = POLLIN } };
	const int n = poll(fds, 2, ms);

	*ret_interrupted = interrupt_take();
	return n > 0 && fds[0].revents;
}

static struct error *given_up(void)
{
	return error_new(ERROR_GONE, "given up: the job is ended");
}

/* Takes one; it is an error if the starter ends. */
static struct error *take_one(struct cli *c, struct job_launch *l, struct mpir_news *news)
{
	AUTO_BUF what = { 0 };
	bool over;
	struct error *err = take_news(c, l, news, &over);

	if (err || !over)
		return err;
	add_end(&what, l, news);
	return error_new(ERROR_GONE, "%s before it has told of any rank", buf_text(&what));
}

/* All until that kind, which it stands at then. */
static struct error *await(struct cli *c, struct job_launch *l, enum mpir_news_kind kind,
			   struct mpir_news *news)
{
	bool interrupted = false;

	for (;;) {
		const bool some = wait_for_news(l, -1, &interrupted);
		struct error *err = interrupted ? given_up() : NULL;
		if (!err && some)
			err = take_one(c, l, news);
		if (err || (some && news->kind == kind))
			return err;
		if (some)
			job_starter_go_on(&l->starter);
	}
}

/* Whether these are all that will wait. looks: how often they were the same. */
static bool are_all(const struct job *j, size_t looks)
{
	size_t waiting = 0;

	vec_for_each (m, &j->members)
		waiting += held_is(m->pid);
	if (!waiting || j->missing)
		return false;
	return looks >= (waiting == j->members.len ? LOOKS_SAME : LOOKS_MIXED);
}

/* Nobody tells when a rank has come to wait. The starter runs. */
static struct error *await_held(struct cli *c, struct job_launch *l)
{
	AUTO_MPIR_NEWS news = { 0 };
	size_t before = 0, looks = 0;
	bool interrupted;

	for (;;) {
		AUTO_JOB j = { 0 };
		const bool some = wait_for_news(l, LOOK_MS, &interrupted);
		struct error *err = interrupted ? given_up() : some ? take_one(c, l, &news) : NULL;
		if (err)
			return err;
		if (some)
			job_starter_go_on(&l->starter);
		AUTO_ERROR *none = job_find_started(l->starter.pid, &j);
		looks = !none && j.members.len == before ? looks + 1 : 0;
		before = none ? 0 : j.members.len;
		if (!none && are_all(&j, looks))
			return attach(c, l, &j);
	}
}

/* "ompdb rank", in one word or two. */
static bool has_wrapper(int argc, char **argv)
{
	AUTO_BUF line = { 0 };

	for (int i = 0; i < argc; i++)
		buf_addf(&line, "%s ", argv[i]);
	return strstr(buf_text(&line), "ompdb rank ") != NULL;
}

static struct error *find_ranks(struct cli *c, struct job_launch *l, bool wrapped)
{
	AUTO_MPIR_NEWS news = { 0 };
	struct error *err = await(c, l, MPIR_BEGINS, &news);

	if (err)
		return err;
	if (!news.table && !wrapped)
		return error_new(
			ERROR_UNSUPPORTED,
			"'%s' has no table of its ranks for debuggers (MPIR): let them wait "
			"for ompdb instead: ompdb --mpi mpiexec -n 4 ompdb rank -- ./app",
			l->name);
	job_starter_go_on(&l->starter);
	l->waits = wrapped;
	err = wrapped ? await_held(c, l) : await(c, l, MPIR_SPAWNED, &news);
	l->waits = false;
	if (!err && !wrapped)
		job_starter_go_on(&l->starter);
	return err;
}

struct error *job_launch(struct cli *c, int argc, char **argv)
{
	struct job_launch *l = calloc(1, sizeof(*l));

	if (!l)
		return &error_nomem;
	l->starter = JOB_STARTER_NONE;
	l->name = argv[0];
	c->launched = true;
	struct error *err = job_starter_begin(c, argc, argv, &l->starter);
	if (!err)
		err = find_ranks(c, l, has_wrapper(argc, argv));
	if (err || !c->job) {
		launch_free(l);
		c->launched = false;
		return err;
	}
	job_prompt_set_starter(
		c, &(struct job_starter){
			   .fd = l->starter.socket, .hear = hear, .end = end, .context = l });
	return NULL;
}
