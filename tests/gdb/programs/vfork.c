/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A child that shares its parent's memory until it executes another program or ends. */
#include <sys/wait.h>
#include <unistd.h>

static volatile int calls;

static void common(void)
{
	calls++; /* MARK: common */
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	(void)argv;
	common();      /* MARK: first */
	pid = vfork(); /* MARK: vfork */
	if (pid == 0) {
		if (argc > 1)
			execl("./ended", "ended", "7", (char *)0); /* MARK: exec */
		_exit(7);                                          /* MARK: child */
	}
	common();                 /* MARK: parent */
	waitpid(pid, &status, 0); /* MARK: wait */
	common();
	return WEXITSTATUS(status) + calls; /* MARK: last */
}
