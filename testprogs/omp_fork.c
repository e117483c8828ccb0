/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_fork: a process whose parent has used OpenMP: the runtime's memory tells of workers that it
 * does not have. Both stay; the parent's status is the child's.
 */
#include <sys/wait.h>

#include "testprog_omp.h"

static NOINLINE int be_the_child(void)
{
	die_with_parent();
	tell_thread("child");
	stay_until_the_end(1); /* MARK: child */
	KEEP_FRAME();
	return 0;
}

int main(void)
{
	int status = 1, used = 0;

	die_with_parent();
	omp_set_dynamic(0);
#pragma omp parallel num_threads(3)
	__atomic_add_fetch(&used, 1, __ATOMIC_SEQ_CST);
	if (used != 3)
		FAIL("%d of 3 threads", used);
	pid_t child = fork();
	if (child == 0)
		_exit(be_the_child());           /* MARK: fork */
	if (waitpid(child, &status, 0) != child) /* MARK: parent */
		FAIL("waitpid was interrupted");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
