/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "debugger/cli/job_message.h"
#include "debugger/cli/running.h"
#include "debugger/cli/team_print.h"
#include "debugger/control/inferior.h"
#include "debugger/control/mpir_launch.h"
#include "debugger/control/stopping.h"
#include "debugger/output/format_stop.h"

void job_engine_close(struct job_engine *e)
{
	cleanup_close(&e->socket);
	cleanup_close(&e->out);
	cleanup_close(&e->messages);
	e->socket = e->out = e->messages = -1;
}

void job_lines_fini(struct job_lines *l)
{
	vec_for_each (line, l)
		free(line->text);
	vec_fini(l);
}

struct error *job_lines_add(struct job_lines *l, const char *text, int breakpoint)
{
	char *copy = strdup(text);

	if (copy && vec_push(l, (struct job_text){ copy, breakpoint }))
		return NULL;
	free(copy);
	return &error_nomem;
}

/* ---- in the child ----------------------------------------------------------------------- */

/* The one that this process is. */
struct engine {
	pid_t rank;
	int socket;
	const struct job_lines *told; /* to all ranks before it was there */
	bool ran;                     /* the mark of that is set in what this order prints */
	void (*runs)(void *context, bool runs);
};
static struct engine engine;

static void on_runs(void *context, bool runs)
{
	engine.runs(context, runs);
	if (!runs || engine.ran)
		return;
	engine.ran = true;
	fputc(JOB_MARK_RUNS, stdout);
	fflush(stdout);
}

static bool ask(struct cli *c, const char *question)
{
	AUTO_MESSAGE m = MESSAGE_NONE;

	(void)c;
	fflush(stdout);
	return job_send_question(engine.socket, question) && message_receive(engine.socket, &m) &&
	       job_read_reply(&m);
}

/* There are no lines but those of orders. */
static struct error *no_line(struct line_source *s, const char *prompt, struct buf *ret, bool *more)
{
	(void)s;
	(void)prompt;
	buf_clear(ret);
	*more = false;
	return NULL;
}

static struct error *greet(struct cli *c)
{
	AUTO_FREE char *dll = NULL;

	if (!control_is_live(c->control)) /* it has ended at once */
		return NULL;
	struct error *err = mpir_launch_greet(c->control->live, &dll);
	if (!err && dll && *dll && !c->json) {
		buf_adds(&c->out, "Its messages could be read by ");
		text_escape(&c->out, dll, strlen(dll));
		buf_adds(&c->out, " (MPIR_dll_name), which ompdb does not do.\n");
	}
	return err;
}

/* With the same numbers. What they print others have said; what does not work here is told. */
static void catch_up(struct cli *c)
{
	struct breakpoints *its = &c->control->breakpoints;
	const int last = its->last;
	const bool confirm = c->confirm;

	c->confirm = false;
	vec_for_each (line, engine.told) {
		its->last = line->breakpoint;
		struct error *err = cli_execute_text(c, line->text, NULL);
		buf_clear(&c->out);
		buf_clear(&c->objects);
		if (err)
			cli_warn(c, "all ranks have been told '%.*s', but here: %s",
				 (int)strcspn(line->text, "\n"), line->text, error_message(err));
		error_free(err);
	}
	c->confirm = confirm;
	its->last = its->last > last ? its->last : last;
}

static struct error *attach(struct cli *c)
{
	struct stop_report r = { 0 };
	struct error *err = inferior_attach(c->control, engine.rank, &r);

	if (!err)
		catch_up(c);
	if (!err && c->launched)
		err = greet(c);
	return running_told(c, &r, err);
}

/* Where the selected thread stands, and what it is in OpenMP. */
static struct error *report(struct control *control, struct stop_report *ret)
{
	struct error *err = control_need_live(control);

	if (!err)
		err = control_report(control, ret);
	ret->many = true;
	return err ? err : stopping_find_team(control, ret);
}

static struct error *answer_place(struct cli *c, struct buf *answer)
{
	AUTO_STOP_REPORT r = { 0 };
	struct error *err = report(c->control, &r);

	if (err)
		return err;
	buf_adds(answer, "thread ");
	format_stop_thread(answer, &r);
	buf_adds(answer, " in ");
	format_stop_place(answer, &r.place, NULL, &c->style);
	return NULL;
}

static struct error *answer_value(struct cli *c, const char *text, struct buf *answer)
{
	AUTO_TEAM_VALUES none = { 0 };
	struct team_value made = { 0 };
	struct error *err = team_print_selected(c, text, &made);

	if (!err) {
		job_answer_value(answer, &(struct job_value){ made.is_number, made.number,
							      (char *)buf_text(&made.text) });
		err = team_values_add(&none, 0, &made) ? NULL : &error_nomem;
	}
	return err;
}

static struct error *carry_out(struct cli *c, const struct job_order *o, struct buf *answer)
{
	if (o->kind == JOB_ATTACH)
		return attach(c);
	if (o->kind == JOB_VALUE)
		return answer_value(c, o->text, answer);
	if (o->kind == JOB_PLACE)
		return answer_place(c, answer);
	if (o->kind == JOB_COMPLETE) {
		AUTO_COMPLETION words = { 0 };
		completion_find(c, o->text, &words);
		job_answer_words(answer, &words);
		return NULL;
	}
	c->report = o->kind == JOB_REPORT ? answer : NULL;
	return cli_execute_text(c, o->text, NULL);
}

/* Numbers that other ranks have given are given here, too. */
static struct error *take_numbers(struct control *c, const struct job_numbers *n)
{
	const struct value none = { .type = &type_void };
	struct error *err = NULL;
	size_t number;

	if (c->breakpoints.last < n->breakpoint)
		c->breakpoints.last = n->breakpoint;
	while (!err && convenience_recorded(c->values) < n->values)
		err = convenience_record(c->values, &none, NULL, &number);
	return err;
}

/* Who has stopped it. */
static void find_thread(struct cli *c, struct job_done *done)
{
	AUTO_STOP_REPORT r = { 0 };
	AUTO_BUF name = { 0 };
	struct error *err = report(c->control, &r);

	if (!err) {
		format_stop_thread(&name, &r);
		done->thread = strdup(buf_text(&name));
	}
	error_ignore(err);
}

static void execute(struct cli *c, const struct job_order *o)
{
	struct job_done done = { 0 };
	const unsigned long stops = c->stops;

	interrupt_take();
	engine.ran = false;
	c->repeats = o->repeats;
	c->last_args = o->last;
	c->status = STATUS_OK;
	console_progress_begin(&c->progress);
	done.failed = take_numbers(c->control, &o->numbers);
	if (!done.failed)
		done.failed = carry_out(c, o, &done.answer);
	c->repeats = false;
	running_watch_long_work(c);
	struct error *err = cli_flush(c);
	if (done.failed)
		error_ignore(err);
	else
		done.failed = err;
	fflush(stdout);
	done.live = control_is_live(c->control);
	done.quits = c->quits;
	done.status = c->status;
	done.child_status = c->child_status;
	done.numbers = (struct job_numbers){ c->control->breakpoints.last,
					     convenience_recorded(c->control->values) };
	if (done.live && c->stops != stops)
		find_thread(c, &done);
	job_send_done(engine.socket, &done);
	job_done_fini(&done);
}

/* false: there will be no more orders. */
static bool await_order(struct cli *c, struct message *m)
{
	for (;;) {
		struct pollfd fds[] = { { .fd = engine.socket, .events = POLLIN },
					{ .fd = running_tracer_fd(c) } };
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents) {
			AUTO_ERROR *err = inferior_lose(c->control);
			job_send_lost(engine.socket, err);
		} else if (fds[0].revents) {
			return message_receive(engine.socket, m);
		}
	}
}

static _Noreturn void serve(struct cli *c)
{
	AUTO_MESSAGE m = MESSAGE_NONE;
	struct job_order order = { 0 };
	pid_t pid;

	while (!c->quits && await_order(c, &m) && job_read_order(&m, &order))
		execute(c, &order);
	if (c->launched && control_is_live(c->control))
		error_ignore(inferior_kill(c->control, &pid));
	cli_fini(c);
	_exit(0);
}

/* What the prompt's process had open, and had set for its terminal, is its own. */
static void settle(struct cli *c, pid_t parent, const int *ends, const struct ints *others)
{
	static struct line_source nobody = { .next = no_line };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	cli_renew(c);
	vec_for_each (other, others)
		close(*other);
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (dup2(nothing, STDIN_FILENO) < 0 || dup2(ends[0], STDOUT_FILENO) < 0 ||
	    dup2(ends[1], STDERR_FILENO) < 0)
		_exit(1);
	close(nothing);
	nobody.typed = c->keyboard && c->keyboard->typed;
	c->keyboard = &nobody;
	c->ask = ask;
	c->ranked = true;
	c->child_status = -1;
	engine.runs = c->control->listener.runs;
	c->control->listener.runs = on_runs;
}

/* ---- in the parent ---------------------------------------------------------------------- */

static void close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

struct error *job_engine_start(struct cli *c, pid_t rank, const struct job_lines *told,
			       const struct ints *others, struct job_engine *ret)
{
	/* Ends of the socket and of both pipes: those of the child, then ours. */
	enum { SOCKET, OUT, MESSAGES, NUM };
	int its[NUM] = { -1, -1, -1 }, ours[NUM] = { -1, -1, -1 }, pair[2];
	const pid_t parent = getpid();

	struct error *err = cli_flush(c);
	if (err)
		return err;
	fflush(stdout);
	bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
	for (int i = SOCKET; ok && i < NUM; i++) {
		ours[i] = pair[0];
		its[i] = pair[1];
		ok = i + 1 == NUM || pipe2(pair, O_CLOEXEC) == 0;
	}
	const pid_t pid = ok ? fork() : -1;
	if (pid == 0) {
		close_all(ours, NUM);
		settle(c, parent, its + OUT, others);
		close_all(its + OUT, 2);
		engine.rank = rank;
		engine.told = told;
		engine.socket = its[SOCKET];
		serve(c);
	}
	if (pid < 0)
		err = error_os(errno, "starting the debugger of process %d", rank);
	close_all(its, NUM);
	if (err)
		close_all(ours, NUM);
	else
		*ret = (struct job_engine){ pid, ours[SOCKET], ours[OUT], ours[MESSAGES] };
	return err;
}
