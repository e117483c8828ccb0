/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "target/process/heritage.h"

extern char **environ;

/* What the child could not do, as it tells ompdb. */
struct failure {
	enum { FAILED_GROUP, FAILED_TTY, FAILED_FILES, FAILED_FOLDER, FAILED_EXEC } what;
	int errnum;
};

/* Each is kept aside first: one of them may be the number of another. */
static bool set_files(const int fds[3])
{
	int kept[3];

	for (int i = 0; i < 3; i++) {
		kept[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, 3);
		if (fds[i] >= 0 && kept[i] < 0)
			return false;
	}
	for (int i = 0; i < 3; i++) {
		if (kept[i] >= 0 && dup2(kept[i], i) < 0)
			return false;
	}
	return true;
}

/* Only the leader of a session can have a terminal that is not its session's. */
static bool take_tty(const char *path)
{
	if (setsid() < 0)
		return false;
	AUTO_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) < 0)
		return false;
	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
		if (dup2(fd, i) < 0)
			return false;
	}
	return true;
}

/* The program may read at once. The signal would stop whoever is in the background. */
static void come_to_foreground(void)
{
	AUTO_CLOSE int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	signal(SIGTTOU, SIG_IGN); /* heritage_restore() follows */
	tcsetpgrp(fd, getpid());
}

static void execute(const struct launch_command *c, const char *line)
{
	const char *const shell[] = { c->shell, "-c", line, NULL };
	const char *const *argv = c->shell ? shell : c->argv;

	execvpe(argv[0], (char **)(uintptr_t)argv, c->env ? (char **)(uintptr_t)c->env : environ);
}

/* What must be done in the child; returns only if it failed, with errno set. */
static int become(const struct launch_command *c, const char *line)
{
	if (c->tty ? !take_tty(c->tty) : setpgid(0, 0) < 0)
		return c->tty ? FAILED_TTY : FAILED_GROUP;
	if (c->foreground && !c->tty)
		come_to_foreground();
	heritage_restore();
	if (!set_files(c->fds))
		return FAILED_FILES;
	if (c->directory && chdir(c->directory) < 0)
		return FAILED_FOLDER;
	/* Refused in some containers: then addresses stay random, which does no harm. */
	if (!c->keep_aslr)
		(void)personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	execute(c, line);
	return FAILED_EXEC;
}

static void child(const struct launch_command *c, const char *line, int parent)
{
	char byte;

	if (TEMP_FAILURE_RETRY(read(parent, &byte, 1)) == 1) { /* else ompdb is gone */
		struct failure failure = { .what = become(c, line) };
		failure.errnum = errno;
		(void)!write(parent, &failure, sizeof(failure));
	}
	_exit(127);
}

/* What the shell is to execute: the name of the program is the only word that it must not read. */
static char *shell_line(const struct launch_command *c)
{
	struct buf line = { 0 };

	buf_adds(&line, "exec '");
	for (const char *p = c->argv[0]; *p; p++) {
		if (*p == '\'')
			buf_adds(&line, "'\\''");
		else
			buf_addc(&line, *p);
	}
	buf_addf(&line, "' %s", c->arguments ? c->arguments : "");
	if (!buf_ok(&line))
		buf_fini(&line);
	return line.data;
}

unsigned int launch_execs(const struct launch_command *c)
{
	return c->shell ? 2 : 1;
}

struct error *launch_fork(const struct launch_command *c, struct launch *ret)
{
	AUTO_FREE char *line = c->shell ? shell_line(c) : NULL;
	int ends[2];

	if (c->shell && !line)
		return &error_nomem;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_os(errno, "socketpair");
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		child(c, line, ends[1]);
	}
	int errnum = errno;
	close(ends[1]);
	*ret = (struct launch){ c, pid, ends[0] };
	if (pid < 0) {
		close(ends[0]);
		return error_os(errnum, "fork");
	}
	return NULL;
}

void launch_go(struct launch *l)
{
	/* A child that is dead already is told by launch_finish(). */
	(void)!TEMP_FAILURE_RETRY(send(l->child, "g", 1, MSG_NOSIGNAL));
}

static struct error *explain(const struct launch *l, const struct failure *f)
{
	static const char *const failed[] = {
		[FAILED_GROUP] = "making a process group for it",
		[FAILED_FILES] = "giving it its files",
		[FAILED_EXEC] = "it cannot be executed",
	};

	if (f->what == FAILED_TTY)
		return error_os(f->errnum, "making %s its terminal", l->command->tty);
	if (f->what == FAILED_EXEC && l->command->shell)
		return error_os(f->errnum, "its shell %s cannot be executed", l->command->shell);
	if (f->what == FAILED_FOLDER)
		return error_os(f->errnum, "changing to folder %s", l->command->directory);
	return error_os(f->errnum, "%s", failed[f->what]);
}

struct error *launch_finish(struct launch *l, struct error *err)
{
	struct failure failure;

	if (err && read(l->child, &failure, sizeof(failure)) == (ssize_t)sizeof(failure)) {
		error_ignore(err);
		err = explain(l, &failure);
	}
	close(l->child);
	return err;
}

void launch_abandon(struct launch *l)
{
	kill(l->pid, SIGKILL);
	waitpid(l->pid, NULL, 0);
	error_ignore(launch_finish(l, NULL));
}
