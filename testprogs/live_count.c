/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_count N: N threads count without an end, each by two numbers of its own which differ by
 * one at most, until stdin ends.
 */
#include <pthread.h>

#include "testprog.h"

struct counter {
	volatile unsigned long first, second;
} __attribute__((aligned(64)));

struct counter counters[64]; /* the tests read it */
static volatile int stop;

static void *count(void *arg)
{
	struct counter *c = arg;

	while (!stop) {
		c->first++; /* MARK: count */
		c->second++;
		if (c->first != c->second)
			FAIL("%lu differs from %lu", c->first, c->second);
	}
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t threads[64];
	void *result;

	die_with_parent();
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, count, &counters[i]) != 0)
			FAIL("no thread");
	for (int i = 0; i < n; i++)
		while (!counters[i].first)
			usleep(100);
	ready();
	block();
	stop = 1;
	for (int i = 0; i < n; i++)
		if (pthread_join(threads[i], &result) != 0 || result != &counters[i])
			FAIL("a thread returned something else");
	return 0;
}
