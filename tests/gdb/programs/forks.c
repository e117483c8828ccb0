/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Several children one after another, each of which calls what its parent calls. */
#include <sys/wait.h>
#include <unistd.h>

static int calls;

static void common(int who)
{
	calls += who; /* MARK: common */
}

int main(void)
{
	int i, status, sum = 0;
	pid_t pid;

	for (i = 1; i <= 4; i++) {
		pid = fork(); /* MARK: fork */
		if (pid == 0) {
			common(10 * i); /* MARK: child */
			_exit(calls);
		}
		common(1); /* MARK: parent */
		waitpid(pid, &status, 0);
		sum += WEXITSTATUS(status);
	}
	return sum == 10 + 21 + 32 + 43 ? calls : 99; /* MARK: last */
}
