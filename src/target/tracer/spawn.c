/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/heritage.h"
#include "target/tracer/protocol.h"

extern char **environ;

/* Above those that a tracer has, so that none is in the way of another. */
enum { OUT_OF_THE_WAY = PROTOCOL_SOCKET + 2 };

/*
 * In the memory of its parent (vfork(2)), which goes on when it has executed. program: ompdb's own
 * file, opened; -1: it cannot be (it may be executed but not read).
 */
static void become_tracer(int socket, int program)
{
	static char name[] = PROTOCOL_NAME;
	char logs[16];
	char *argv[] = { name, log_switch ? logs : NULL, NULL };
	char path[32] = "/proc/self/exe";

	setpgid(0, 0); /* what the terminal sends is for ompdb and for the program */
	heritage_restore();
	if (dup2(socket, PROTOCOL_SOCKET) < 0)
		return;
	if (program >= 0) {
		dup3(program, PROTOCOL_SOCKET + 1, O_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", PROTOCOL_SOCKET + 1);
	}
	snprintf(logs, sizeof(logs), "%u", log_switch);
	closefrom(OUT_OF_THE_WAY);
	execve(path, argv, environ);
}

/* Signals wait meanwhile: a handler that runs in the child would do so in our memory. */
static pid_t fork_tracer(int end, int *ret_errnum)
{
	/* Under valgrind the name alone would be valgrind's. */
	AUTO_CLOSE int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	AUTO_CLOSE int program = fcntl(own, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
	AUTO_CLOSE int socket = fcntl(end, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
	sigset_t all, before;

	*ret_errnum = socket < 0 ? errno : 0;
	if (socket < 0)
		return -1;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = vfork();
	if (pid == 0) {
		become_tracer(socket, program);
		*ret_errnum = errno;
		_exit(127);
	}
	if (pid < 0)
		*ret_errnum = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

void spawn_release(struct spawned *s)
{
	if (!s || --s->users)
		return;
	(void)TEMP_FAILURE_RETRY(waitpid(s->pid, NULL, 0));
	free(s);
}

struct error *spawn_tracer(struct spawned **ret, int *ret_socket)
{
	AUTO_FREE struct spawned *spawned = calloc(1, sizeof(*spawned));
	int ends[2], errnum;

	if (!spawned)
		return &error_nomem;

	heritage_note();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_os(errno, "socketpair");
	pid_t pid = fork_tracer(ends[1], &errnum);
	close(ends[1]);
	if (!errnum) {
		*spawned = (struct spawned){ .pid = pid, .users = 1 };
		*ret = TAKE(spawned);
		*ret_socket = ends[0];
		return NULL;
	}
	close(ends[0]);
	if (pid > 0)
		(void)TEMP_FAILURE_RETRY(waitpid(pid, NULL, 0));
	return error_os(errnum, "starting the process that traces (/proc/self/exe)");
}
