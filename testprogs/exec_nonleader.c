/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exec_nonleader [N]: a thread that is not the first one replaces the program, N times on its
 * own (3 unless told), then once for each byte that comes from stdin. Ready after the N.
 */
#include <pthread.h>

#include "testprog.h"

static char **arguments;

static void *bystander(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void exec_again(int left)
{
	char number[16], pid[16];

	snprintf(number, sizeof(number), "%d", left);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	execl("/proc/self/exe", arguments[0], number, pid, NULL);
	FAIL("cannot exec");
}

static void *replacer(void *arg)
{
	int left = arguments[1] ? atoi(arguments[1]) : 3;
	char c;

	if (left > 0)
		exec_again(left - 1);
	wait_until_others_sleep();
	ready();
	if (read(0, &c, 1) == 1) /* MARK: replacer */
		exec_again(0);
	_exit(0);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	arguments = argv;
	die_with_parent();
	if (argc > 2 && atoi(argv[2]) != getpid())
		FAIL("the process id has changed");
	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread, NULL, i == 3 ? replacer : bystander, NULL) != 0)
			FAIL("no thread");
	for (;;)
		pause(); /* MARK: main */
}
