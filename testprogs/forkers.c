/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Four threads make child processes by fork, vfork and clone(CLONE_VM), until stdin ends. Each
 * child must end with the status it was told.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

#include "testprog.h"

enum { FORKERS = 4, STATUS = 5 };
static volatile int stop;
static long children;

static NOINLINE int child(void *arg)
{
	(void)arg;
	_exit(STATUS); /* MARK: child */
}

static NOINLINE void check(const char *how, pid_t pid)
{
	int status;
	if (pid < 0)
		FAIL("%s failed", how);
	if (waitpid(pid, &status, __WALL) != pid)
		FAIL("waiting for a child of %s failed", how);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
		FAIL("a child of %s ended with status %x", how, (unsigned int)status);
	__atomic_add_fetch(&children, 1, __ATOMIC_RELAXED);
}

static void *forker(void *arg)
{
	static __thread char stack[1 << 15] __attribute__((aligned(16)));
	pid_t pid;

	while (!stop) {
		pid = fork();
		if (pid == 0)
			child(NULL);
		check("fork", pid);
		pid = vfork();
		if (pid == 0)
			_exit(STATUS);
		check("vfork", pid);
		check("clone", clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL));
	}
	return arg;
}

int main(void)
{
	pthread_t threads[FORKERS];

	die_with_parent();
	for (int i = 0; i < FORKERS; i++)
		if (pthread_create(&threads[i], NULL, forker, NULL) != 0)
			FAIL("no thread");
	while (!__atomic_load_n(&children, __ATOMIC_RELAXED))
		sched_yield();
	ready();
	block();
	stop = 1;
	for (int i = 0; i < FORKERS; i++)
		pthread_join(threads[i], NULL);
	return children > 0 ? 0 : 1;
}
