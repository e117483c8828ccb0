/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A child of a process with threads, made by one of them, makes threads itself. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int made;

static void *in_child(void *argument)
{
	return (char *)argument + 1; /* MARK: in_child */
}

/* Nobody stands in the middle of making a thread when that goes on. */
static void *starts(void *argument)
{
	while (!made)
		;
	return in_child(argument);
}

static void *forks(void *argument)
{
	pthread_t thread;
	void *result;
	int status;
	pid_t pid = fork(); /* MARK: fork */

	if (pid == 0) {
		pthread_create(&thread, 0, starts, (void *)2); /* MARK: child */
		made = 1, pthread_join(thread, &result);
		_exit((int)(long)result);
	}
	waitpid(pid, &status, 0); /* MARK: wait */
	*(int *)argument = WEXITSTATUS(status);
	return 0; /* MARK: forks_end */
}

int main(void)
{
	pthread_t thread;
	int result = 0;

	pthread_create(&thread, 0, forks, &result); /* MARK: create */
	pthread_join(thread, 0);                    /* MARK: join */
	return result;                              /* MARK: last */
}
