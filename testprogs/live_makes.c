/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_makes HOW N: makes N threads or processes one after the other: thread, fork, vfork, share
 * (a process with our memory), or becomes a new program N times: exec. Each must end as told.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

#include "testprog.h"

enum { STATUS = 5 };
static volatile int shared;

static int child(void *arg)
{
	shared++;
	_exit(arg ? STATUS : 1);
}

static void *thread(void *arg)
{
	shared++;
	return arg;
}

static void make(const char *how)
{
	static char stack[1 << 16] __attribute__((aligned(16)));
	pthread_t made;
	pid_t pid;
	int status;

	if (strcmp(how, "thread") == 0) {
		if (pthread_create(&made, NULL, thread, NULL) || pthread_join(made, NULL))
			FAIL("no thread");
		return;
	}
	if (strcmp(how, "share") == 0)
		pid = clone(child, stack + sizeof(stack), CLONE_VM, stack);
	else if ((pid = strcmp(how, "vfork") == 0 ? vfork() : fork()) == 0)
		_exit(STATUS);
	if (waitpid(pid, &status, __WALL) != pid || status != STATUS << 8)
		FAIL("a child ended with status %x", (unsigned int)status);
}

int main(int argc, char **argv)
{
	const char *how = argv[1];
	int n = argc > 2 ? atoi(argv[2]) : 1;
	char left[16];

	die_with_parent();
	snprintf(left, sizeof(left), "%d", n - 1);
	if (strcmp(how, "exec") == 0 && n > 0)
		execl("/proc/self/exe", argv[0], how, left, NULL);
	for (int i = 0; i < n; i++)
		make(how);
	ready();
	block();
	return shared == (strcmp(how, "thread") && strcmp(how, "share") ? 0 : n) ? 0 : 1;
}
