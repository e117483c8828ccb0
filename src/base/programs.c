/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/interrupt.h"

enum {
	COMPLAINTS_MOST = 64 * 1024,
	GRACE_MS = 500, /* from SIGTERM to SIGKILL */
	TELL_MS = 100,
};

/* Behind the three pipes: readable when the program has ended. */
enum { PIDFD = 3, NPIPES };

static void close_pipe(struct program *p, int which)
{
	cleanup_close(&p->pipes[which]);
	p->pipes[which] = -1;
}

void program_fini(struct program *p)
{
	vec_fini_all(&p->words);
	buf_fini(&p->out);
	buf_fini(&p->err);
}

bool program_add_word(struct program *p, const char *word)
{
	char *copy = word ? strdup(word) : NULL;

	if ((copy || !word) && vec_push(&p->words, copy))
		return true;
	free(copy);
	return false;
}

/* --- starting --- */

/* In the child. parent: whose end is its own, too. */
static void become(const struct program *p, const int ends[3], int failed, pid_t parent)
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	for (int i = 0; i < 3; i++) {
		if (dup2(ends[i], i) < 0)
			_exit(127);
	}
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(p->words.items[0], p->words.items);
	const int why = errno;
	if (write(failed, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(127);
}

/* An end of each for the child, the others for us. What it reads is a socket: writing to one that
 * nobody reads any more need not be a signal. */
static bool make_pipes(struct program *p, int ends[3])
{
	for (int i = 0; i < 3; i++) {
		int both[2];
		if (i ? pipe2(both, O_CLOEXEC)
		      : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both))
			return false;
		ends[i] = both[i != 0];
		p->pipes[i] = both[i == 0];
		fcntl(p->pipes[i], F_SETFL, O_NONBLOCK);
	}
	return true;
}

static void fork_program(struct program *p, const int ends[3])
{
	int told[2], why = 0;
	const pid_t parent = getpid();

	if (pipe2(told, O_CLOEXEC) < 0) {
		p->status = errno;
		return;
	}
	p->pid = fork();
	if (!p->pid)
		become(p, ends, told[1], parent);
	p->status = p->pid < 0 ? errno : 0;
	close(told[1]);
	/* Nothing comes if it is executed. */
	if (p->pid > 0 && read(told[0], &why, sizeof(why)) == sizeof(why)) {
		waitpid(p->pid, NULL, 0);
		p->pid = -1;
		p->status = why;
	}
	close(told[0]);
	if (p->pid <= 0)
		return;
	p->pipes[PIDFD] = (int)syscall(SYS_pidfd_open, p->pid, 0);
	p->end = PROGRAM_RUNS;
}

static void start(struct program *p)
{
	int ends[3] = { -1, -1, -1 };

	p->end = PROGRAM_UNSTARTED;
	p->pid = -1;
	if (make_pipes(p, ends))
		fork_program(p, ends);
	else
		p->status = errno;
	for (int i = 0; i < 3; i++) {
		cleanup_close(&ends[i]);
		if (p->end == PROGRAM_UNSTARTED || (i == 0 && !p->in))
			close_pipe(p, i);
	}
}

void programs_start(struct program *programs, size_t n, const struct programs_options *o)
{
	for (size_t i = 0; i < n; i++) {
		memset(programs[i].pipes, -1, sizeof(programs[i].pipes));
		programs[i].end = PROGRAM_RUNS;
		programs[i].pid = 0;
		if (i < o->at_once)
			start(&programs[i]);
	}
}

/* --- what they print --- */

static void give(struct program *p)
{
	const ssize_t n =
		send(p->pipes[0], p->in->data + p->given, p->in->len - p->given, MSG_NOSIGNAL);

	if (n > 0)
		p->given += (size_t)n;
	if ((n < 0 && errno != EAGAIN && errno != EINTR) || p->given == p->in->len)
		close_pipe(p, 0);
}

static void tell_to_end(struct program *p, enum program_end why)
{
	if (p->end != PROGRAM_RUNS)
		return;
	p->end = why;
	if (p->pid > 0)
		kill(-p->pid, SIGTERM);
}

/* Whether there may be more. */
static bool take(struct program *p, int which, const struct programs_options *o)
{
	struct buf *to = which == 1 ? &p->out : &p->err;
	const size_t most = which == 1 ? o->most : COMPLAINTS_MOST;
	char piece[32 * 1024];
	const ssize_t n = read(p->pipes[which], piece, sizeof(piece));

	if (n > 0 && to->len + (size_t)n <= most)
		buf_add(to, piece, (size_t)n);
	else if (n > 0 && which == 1)
		tell_to_end(p, PROGRAM_TOO_MUCH);
	if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_pipe(p, which);
	return n > 0;
}

/* It has ended, or is not waited for any longer. What it has started may have its pipes still. */
static void reap(struct program *p, const struct programs_options *o)
{
	int status;

	if (p->pid <= 0)
		return;
	kill(-p->pid, SIGKILL);
	for (int i = 1; i < 3; i++) {
		while (p->pipes[i] >= 0 && take(p, i, o))
			;
	}
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->pid = -1;
	for (int i = 0; i < NPIPES; i++)
		close_pipe(p, i);
	if (p->end != PROGRAM_RUNS)
		return;
	p->end = WIFEXITED(status) ? PROGRAM_EXITED : PROGRAM_KILLED;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

/* --- all of them --- */

struct wait {
	struct pollfd *fds; /* owned; NPIPES for each program, one for the interrupt */
	int64_t end;        /* in us                                                */
	bool ending;
};

static size_t fill(struct wait *w, const struct program *programs, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		const struct program *p = &programs[i];
		for (int k = 0; k < NPIPES; k++)
			w->fds[i * NPIPES + (size_t)k] =
				(struct pollfd){ p->pipes[k], k ? POLLIN : POLLOUT, 0 };
		left += p->pid >= 0;
	}
	w->fds[n * NPIPES] = (struct pollfd){ w->ending ? -1 : interrupt_fd(), POLLIN, 0 };
	return left;
}

static void serve(const struct pollfd *fds, struct program *p, const struct programs_options *o)
{
	if (fds[0].revents)
		give(p);
	for (int k = 1; k < 3; k++) {
		if (fds[k].revents)
			take(p, k, o);
	}
	if (fds[PIDFD].revents)
		reap(p, o);
}

/* In the room of those that have ended. */
static void start_more(struct program *programs, size_t n, const struct programs_options *o)
{
	size_t running = 0;

	for (size_t i = 0; i < n; i++)
		running += programs[i].pid > 0;
	for (size_t i = 0; i < n && running < o->at_once; i++) {
		if (programs[i].pid || programs[i].end != PROGRAM_RUNS)
			continue;
		start(&programs[i]);
		running += programs[i].pid > 0;
	}
}

static void end_all(struct wait *w, struct program *programs, size_t n, enum program_end why)
{
	w->ending = true;
	w->end = clock_us() + GRACE_MS * 1000;
	for (size_t i = 0; i < n; i++) {
		tell_to_end(&programs[i], why);
		if (!programs[i].pid)
			programs[i].pid = -1;
	}
}

static void wait_for_all(struct wait *w, struct program *programs, size_t n,
			 const struct programs_options *o)
{
	for (size_t left; (left = fill(w, programs, n));) {
		const int64_t now = clock_us();
		if (now >= w->end && w->ending)
			return;
		if (now >= w->end)
			end_all(w, programs, n, PROGRAM_LATE);
		else if (interrupt_is_pending() && !w->ending)
			end_all(w, programs, n, PROGRAM_INTERRUPTED);
		if (o->waits)
			o->waits(o->context, left);
		const int64_t ms = (w->end - now) / 1000 + 1;
		const int events = poll(w->fds, n * NPIPES + 1, ms < TELL_MS ? (int)ms : TELL_MS);
		for (size_t i = 0; events > 0 && i < n; i++)
			serve(&w->fds[i * NPIPES], &programs[i], o);
		if (!w->ending)
			start_more(programs, n, o);
	}
}

void programs_finish(struct program *programs, size_t n, const struct programs_options *o)
{
	struct wait w = { .fds = calloc(n * NPIPES + 1, sizeof(*w.fds)),
			  .end = clock_us() + (int64_t)o->seconds * 1000000 };

	if (w.fds)
		wait_for_all(&w, programs, n, o);
	for (size_t i = 0; i < n; i++)
		reap(&programs[i], o);
	free(w.fds);
}
