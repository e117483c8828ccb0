/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A child ends and its parent is told: SIGCHLD, which gdb neither stops at nor prints. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int told;

static void handler(int number)
{
	(void)number;
	told++; /* MARK: handler */
}

int main(void)
{
	sigset_t child, old;
	int status;
	pid_t pid;

	signal(SIGCHLD, handler);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &old);
	pid = fork(); /* MARK: fork */
	if (pid == 0)
		_exit(4);
	while (told == 0)
		sigsuspend(&old);          /* MARK: suspend */
	waitpid(pid, &status, 0);          /* MARK: wait */
	return WEXITSTATUS(status) + told; /* MARK: last */
}
