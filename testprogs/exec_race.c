/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exec_race: a thread replaces the program by itself while others sleep and the first has ended,
 * over and over, until stdin ends. Attaching to that can deadlock in the kernel: see
 * ptrace_guard_begin().
 */
#include <poll.h>
#include <pthread.h>

#include "testprog.h"

static long rounds;

static void *sleeper(void *arg)
{
	pause();
	FAIL("pause returned");
	return arg;
}

static void *replacer(void *name)
{
	char number[32], pid[32];

	snprintf(number, sizeof(number), "%ld", rounds + 1);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	execl(name, name, number, pid, NULL); /* /proc/self is the dead leader */
	FAIL("cannot exec");
}

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	pthread_t thread;

	rounds = argc > 1 ? atol(argv[1]) : 0;
	die_with_parent();
	if (argc > 2 && atol(argv[2]) != getpid())
		FAIL("the process id has changed");
	if (rounds == 1)
		ready();
	if (poll(&input, 1, 0) != 0)
		return rounds > 0 ? 0 : 1;
	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, sleeper, NULL) != 0)
			FAIL("no thread");
	if (pthread_create(&thread, NULL, replacer, argv[0]) != 0)
		FAIL("no thread");
	pthread_exit(NULL);
}
