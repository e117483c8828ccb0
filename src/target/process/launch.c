/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/process/ptrace.h"

extern char **environ;

/* What the child could not do, as it tells ompdb. */
struct failure {
	enum { FAILED_GROUP, FAILED_FILES, FAILED_FOLDER, FAILED_EXEC } what;
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

/* What must be done in the child; returns only if it failed, with errno set. */
static int become(const struct launch_command *c)
{
	ptrace_restore_signals();
	if (setpgid(0, 0) < 0)
		return FAILED_GROUP;
	if (!set_files(c->fds))
		return FAILED_FILES;
	if (c->directory && chdir(c->directory) < 0)
		return FAILED_FOLDER;
	/* Refused in some containers: then addresses stay random, which does no harm. */
	if (!c->keep_aslr)
		(void)personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	execvpe(c->argv[0], (char **)(uintptr_t)c->argv,
		c->env ? (char **)(uintptr_t)c->env : environ);
	return FAILED_EXEC;
}

static void child(const struct launch_command *c, int parent)
{
	char byte;

	if (TEMP_FAILURE_RETRY(read(parent, &byte, 1)) == 1) { /* else ompdb is gone */
		struct failure failure = { .what = become(c) };
		failure.errnum = errno;
		(void)!write(parent, &failure, sizeof(failure));
	}
	_exit(127);
}

struct error *launch_fork(const struct launch_command *c, struct launch *ret)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_os(errno, "socketpair");
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		child(c, ends[1]);
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
