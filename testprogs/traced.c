/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Its only child is traced by it. */
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "testprog.h"

int main(void)
{
	int end[2];

	die_with_parent();
	if (pipe(end) < 0)
		FAIL("no pipe");
	pid_t pid = fork();
	if (pid == 0) {
		die_with_parent();
		close(end[1]);
		_exit(read(end[0], &pid, 1) == 0 ? 5 : 1); /* MARK: child */
	}
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) < 0)
		return 77;
	ready();
	block();
	close(end[1]);
	int status;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
		FAIL("the child did not end as told");
	return 0;
}
