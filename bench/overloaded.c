/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * overloaded N: N threads look at the clock all the time, more than there are processors. Each line
 * of its stdin is answered by the longest time, in microseconds, for which one of them did not get
 * to look since the last answer: because it stood still, or because others had the processors.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MAX = 4096 };

/* Of each thread; a line of the cache for each. */
static struct watch {
	atomic_long longest;
} __attribute__((aligned(64))) watches[THREADS_MAX];

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void *watch(void *arg)
{
	struct watch *own = arg;

	for (long last = now_us(), now;; last = now) {
		now = now_us();
		if (now - last > atomic_load_explicit(&own->longest, memory_order_relaxed))
			atomic_store_explicit(&own->longest, now - last, memory_order_relaxed);
	}
	return NULL;
}

static long longest_of_all(int n)
{
	long longest = 0;

	for (int i = 0; i < n; i++) {
		long one = atomic_exchange(&watches[i].longest, 0);
		if (one > longest)
			longest = one;
	}
	return longest;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread;
	char line[64];

	for (int i = 0; i < n && i < THREADS_MAX; i++) {
		if (pthread_create(&thread, NULL, watch, &watches[i]) != 0)
			return 1;
	}
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		printf("%ld\n", longest_of_all(n));
		fflush(stdout);
	}
	return 0;
}
