/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What one walks through at the prompt: calls, a loop, a recursion, a global that changes, a
 * signal, a thread. It runs to its end by itself; with an argument it blocks first.
 */
#include <pthread.h>

#include "testprog.h"

int counter;
short table[4] = { 1, 2, 3, 4 };
const char *text = "walk";

NOINLINE int twice(int n)
{
	counter += n; /* MARK: twice */
	KEEP_FRAME();
	return 2 * n;
}

NOINLINE int descend(int depth)
{
	int result = depth ? descend(depth - 1) + 1 : twice(100); /* MARK: descend */

	KEEP_FRAME();
	return result;
}

static NOINLINE void on_signal(int number)
{
	counter += number; /* MARK: handler */
	KEEP_FRAME();
}

static void *work(void *argument)
{
	twice(1000); /* MARK: work */
	return argument;
}

NOINLINE int loop(int rounds)
{
	int sum = 0;

	for (int i = 0; i < rounds; i++) {
		sum += twice(i); /* MARK: round */
		KEEP_FRAME();
	}
	return sum;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int sum, depth;

	(void)argv;
	if (argc > 1) {
		ready();
		block(); /* MARK: block */
	}
	sum = loop(5);      /* MARK: first */
	depth = descend(3); /* MARK: recursion */
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1); /* MARK: raise */
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL); /* MARK: join */
	return sum == 20 && depth == 203 && counter == 10 + 100 + SIGUSR1 + 1000
		       ? 7
		       : 1; /* MARK: last */
}
