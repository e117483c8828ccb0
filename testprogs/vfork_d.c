/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In state D: vfork(2) lets no signal reach the parent before the child is done. */
#include <pthread.h>
#include <sys/wait.h>

#include "testprog.h"

static NOINLINE void *other(void *arg)
{
	pause(); /* MARK: other */
	FAIL("pause returned");
	return arg;
}

static NOINLINE pid_t vfork_and_wait(void)
{
	pid_t parent = getpid();
	pid_t pid = vfork(); /* MARK: vfork */

	if (pid == 0) {
		while (thread_state(parent, parent) != 'D')
			usleep(1000);
		ready();
		block();
		_exit(5);
	}
	return pid;
}

int main(void)
{
	pthread_t thread;
	int status;

	die_with_parent();
	if (pthread_create(&thread, NULL, other, NULL) != 0)
		FAIL("no thread");
	wait_until_others_sleep();
	pid_t pid = vfork_and_wait();
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
		FAIL("the child did not end as told");
	return 0;
}
