/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_starter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debugger/cli/wrapper.h"
#include "debugger/control/inferior.h"
#include "target/tracer/message.h"

enum { NEWS, FAILED, GO_ON, LEAVE, END }; /* kinds of messages */

enum {
	PATIENCE = 5, /* in s: how long a starter may take to end its job      */
	LEAVING = 1,  /* how long one is waited for that ends by itself       */
	RANKS_MOST = 1 << 20,
};

/* ---- messages --------------------------------------------------------------------------- */

static void send_news(int socket, pid_t pid, const struct mpir_news *n)
{
	AUTO_MESSAGE m = MESSAGE_NONE;

	m.kind = NEWS;
	message_add(&m.body, (uint64_t)pid, 4);
	message_add(&m.body, n->kind, 1);
	message_add(&m.body, n->table, 1);
	message_add(&m.body, (uint64_t)n->signal, 4);
	message_add(&m.body, (uint64_t)n->status, 8);
	message_add_text(&m.body, n->text);
	message_add_error(&m.body, n->bad);
	message_add(&m.body, n->ranks.ranks.len, 8);
	vec_for_each (rank, &n->ranks.ranks) {
		message_add(&m.body, (uint64_t)rank->pid, 4);
		message_add_text(&m.body, rank->host);
	}
	message_send(socket, &m);
}

static bool read_ranks(struct cursor *c, struct mpir *ret)
{
	const uint64_t n = cursor_uint(c, 8);

	for (uint64_t i = 0; i < n && n <= RANKS_MOST; i++) {
		struct mpir_rank rank = { .pid = (pid_t)cursor_uint(c, 4) };
		rank.host = message_text(c);
		if (!rank.host || !vec_push(&ret->ranks, rank)) {
			free(rank.host);
			return false;
		}
	}
	return n <= RANKS_MOST;
}

static struct error *read_news(const struct message *m, struct job_starter_process *s,
			       struct mpir_news *ret)
{
	struct cursor c = cursor_of(m->body.data, m->body.len);

	s->pid = (pid_t)cursor_uint(&c, 4);
	ret->kind = (enum mpir_news_kind)cursor_uint(&c, 1);
	ret->table = cursor_uint(&c, 1);
	ret->signal = (int)cursor_uint(&c, 4);
	ret->status = (long)cursor_uint(&c, 8);
	ret->text = message_text(&c);
	ret->bad = message_error(&c);
	return read_ranks(&c, &ret->ranks) ? NULL : &error_nomem;
}

static void send_word(int socket, uint32_t kind)
{
	AUTO_MESSAGE m = MESSAGE_NONE;

	m.kind = kind;
	message_send(socket, &m);
}

/* ---- in the child ----------------------------------------------------------------------- */

static int wakes; /* the socket; or a timer, when the starter is to end */

static int wake_fd(void *context)
{
	(void)context;
	return wakes;
}

static bool is_woken(void *context)
{
	struct pollfd fd = { .fd = wakes, .events = POLLIN };

	(void)context;
	return poll(&fd, 1, 0) > 0;
}

static void settle(struct cli *c, int socket)
{
	cli_renew(c);
	c->keyboard = NULL;
	wakes = socket;
	c->control->listener =
		(struct control_listener){ .interrupt_fd = wake_fd, .take_interrupt = is_woken };
}

/* Its standard input would be taken from the prompt, if it has no terminal of its own. */
static struct error *empty_input(struct control_settings *s)
{
	char *args = NULL;

	if (asprintf(&args, "%s%s", s->args ? s->args : "", s->terminal ? "" : " </dev/null") < 0)
		return &error_nomem;
	free(s->args);
	s->args = args;
	s->follow = FOLLOW_PARENT;
	s->keep_forks = s->no_shell = s->leaves_exec = false;
	return NULL;
}

static struct error *start(struct cli *c, int argc, char **argv, struct mpir_news *ret)
{
	AUTO_WRAPPER script = { 0 };
	const bool is_script = wrapper_read(argv[0], &script);
	struct error *err =
		inferior_set_program(c->control, is_script ? script.interpreter : argv[0]);

	if (!err)
		err = wrapper_set_args(c, is_script ? &script : NULL, argc, argv);
	if (!err)
		err = empty_input(&c->control->settings);
	/* Open MPI 4 tells users of debuggers that it will not have a table one day. */
	if (!err && !getenv("OMPI_MPIR_DO_NOT_WARN"))
		err = control_set_environment(c->control, "OMPI_MPIR_DO_NOT_WARN=1");
	return err ? err : mpir_launch_begin(c->control, is_script, ret);
}

/* Until it ends, or the time is over. */
static void wait_for_end(struct control *c, struct mpir_news *news, int seconds)
{
	const struct itimerspec when = { .it_value.tv_sec = seconds };
	AUTO_CLOSE int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct error *err = NULL;

	wakes = timer;
	timerfd_settime(timer, 0, &when, NULL);
	while (!err && news->kind != MPIR_ENDS && !is_woken(NULL))
		err = mpir_launch_go_on(c, news);
	error_ignore(err);
	wakes = -1;
}

/* As the last message has it; without one, it is to end its job at once. Whoever sees its ranks die
 * and is asked to end them at the same time may stumble: Open MPI 4. */
static void end(struct control *c, struct mpir_news *news, const struct message *last)
{
	pid_t pid;

	if (last)
		mpir_launch_leave(c);
	if (last)
		wait_for_end(c, news, LEAVING);
	if (c->live && last && last->kind == LEAVE)
		error_ignore(inferior_detach(c, &pid));
	if (!c->live)
		return;
	kill(c->pid, SIGTERM);
	wait_for_end(c, news, PATIENCE);
	if (c->live)
		error_ignore(inferior_kill(c, &pid));
}

static void tell_failure(int socket, struct error *err)
{
	AUTO_MESSAGE m = MESSAGE_NONE;

	m.kind = FAILED;
	message_add_error(&m.body, err);
	message_send(socket, &m);
	error_free(err);
}

static _Noreturn void serve(struct cli *c, int socket, int argc, char **argv)
{
	AUTO_MESSAGE m = MESSAGE_NONE;
	struct mpir_news news = { 0 };
	bool hears = true;

	struct error *err = start(c, argc, argv, &news);
	const pid_t pid = c->control->pid;
	while (!err && news.kind != MPIR_ENDS) {
		if (news.kind != MPIR_INTERRUPTED)
			send_news(socket, pid, &news);
		hears = message_receive(socket, &m);
		if (!hears || m.kind != GO_ON)
			break;
		err = mpir_launch_go_on(c->control, &news);
	}
	if (err)
		tell_failure(socket, err);
	else if (news.kind == MPIR_ENDS)
		send_news(socket, pid, &news);
	else
		end(c->control, &news, hears ? &m : NULL);
	mpir_news_fini(&news);
	message_fini(&m);
	cli_fini(c);
	_exit(0);
}

/* ---- in the parent ---------------------------------------------------------------------- */

struct error *job_starter_begin(struct cli *c, int argc, char **argv,
				struct job_starter_process *ret)
{
	int pair[2];
	struct error *err = cli_flush(c);

	if (err)
		return err;
	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_os(errno, "socketpair");
	const pid_t pid = fork();
	if (pid == 0) {
		close(pair[0]);
		settle(c, pair[1]);
		serve(c, pair[1], argc, argv);
	}
	const int errnum = errno;
	close(pair[1]);
	*ret = (struct job_starter_process){ .debugger = pid, .socket = pair[0] };
	if (pid > 0)
		return NULL;
	close(pair[0]);
	*ret = JOB_STARTER_NONE;
	return error_os(errnum, "starting the debugger of %s", argv[0]);
}

struct error *job_starter_hear(struct job_starter_process *s, struct mpir_news *ret)
{
	AUTO_MESSAGE m = MESSAGE_NONE;

	mpir_news_fini(ret);
	if (!message_receive(s->socket, &m))
		return error_new(ERROR_GONE, "the debugger of the starter has ended");
	if (m.kind == NEWS)
		return read_news(&m, s, ret);
	struct cursor c = cursor_of(m.body.data, m.body.len);
	struct error *err = message_error(&c);
	return err ? err : error_new(ERROR_GONE, "the debugger of the starter has ended");
}

void job_starter_go_on(const struct job_starter_process *s)
{
	send_word(s->socket, GO_ON);
}

void job_starter_leave(const struct job_starter_process *s)
{
	send_word(s->socket, LEAVE);
}

void job_starter_end(const struct job_starter_process *s)
{
	send_word(s->socket, END);
}

void job_starter_wait(struct job_starter_process *s)
{
	cleanup_close(&s->socket);
	s->socket = -1;
	if (s->debugger)
		(void)TEMP_FAILURE_RETRY(waitpid(s->debugger, NULL, 0));
	s->debugger = 0;
}
