/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/process/heritage.h"
#include "target/tracer/protocol.h"

extern char **environ;

/* In the memory of its parent (vfork(2)), which goes on when it has executed. */
static void become_tracer(int socket)
{
	static char name[] = PROTOCOL_NAME;
	char *argv[] = { name, NULL };

	setpgid(0, 0); /* what the terminal sends is for ompdb and for the program */
	heritage_restore();
	if (socket == PROTOCOL_SOCKET)
		fcntl(socket, F_SETFD, 0);
	else
		dup2(socket, PROTOCOL_SOCKET);
	closefrom(PROTOCOL_SOCKET + 1);
	execve("/proc/self/exe", argv, environ);
}

/* Signals wait meanwhile: a handler that runs in the child would do so in our memory. */
static pid_t fork_tracer(int socket, int *ret_errnum)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	*ret_errnum = 0;
	pid_t pid = vfork();
	if (pid == 0) {
		become_tracer(socket);
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
