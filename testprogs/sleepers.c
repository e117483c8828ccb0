/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sleepers N: N threads; the first reads stdin, the others are in pause(2). */
#include <limits.h>
#include <pthread.h>

#include "testprog.h"

static NOINLINE void *sleeper(void *arg)
{
	pause(); /* MARK: pause */
	FAIL("pause returned");
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 8;
	pthread_attr_t small;
	pthread_t thread;

	die_with_parent();
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 4 * (size_t)PTHREAD_STACK_MIN);
	for (int i = 1; i < n; i++)
		if (pthread_create(&thread, &small, sleeper, NULL) != 0)
			FAIL("no thread %d", i);
	wait_until_others_sleep();
	ready();
	block(); /* MARK: main */
	return 0;
}
