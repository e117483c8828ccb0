/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A parent and a child that go their own ways. */
#include <sys/wait.h>
#include <unistd.h>

static pid_t pid;

static int work(int n)
{
	return n + 1; /* MARK: work */
}

static int in_child(void)
{
	int a = work(10); /* MARK: child */

	return a;
}

static int in_parent(void)
{
	int status;

	work(20);                 /* MARK: parent */
	waitpid(pid, &status, 0); /* MARK: wait */
	return WEXITSTATUS(status);
}

int main(void)
{
	int result;

	work(0);                   /* MARK: first */
	pid = fork();              /* MARK: fork */
	if (pid == 0)              /* MARK: both */
		_exit(in_child()); /* MARK: child_exit */
	result = in_parent();      /* MARK: call_parent */
	return result;             /* MARK: last */
}
