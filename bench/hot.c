/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * hot THREADS SLEEPERS N [barrier]: THREADS threads call f() N times each, beside SLEEPERS that
 * sleep; with "barrier" they wait for each other before each call. f() stores to "watched". Prints
 * "N calls, T us each" and ends with status 0.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

volatile long watched;
static long times;
static int in_step;
static pthread_barrier_t all, hot_ones;

__attribute__((noinline)) static void f(long x)
{
	long i = x;

	watched = i;
	__asm__ volatile("" ::: "memory");
}

static void *hot(void *arg)
{
	pthread_barrier_wait(&all);
	for (long i = 0; i < times; i++) {
		if (in_step)
			pthread_barrier_wait(&hot_ones);
		f(i);
	}
	return arg;
}

static void *sleeper(void *arg)
{
	pthread_barrier_wait(&all);
	for (;;)
		pause();
	return arg;
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	enum { MOST = 4096 };
	pthread_t made[MOST], other;
	long threads = argc > 3 ? atol(argv[1]) : 0, sleepers = argc > 3 ? atol(argv[2]) : 0;
	pthread_attr_t attr;

	if (threads < 1 || threads > MOST || sleepers < 0)
		return 2;
	times = atol(argv[3]);
	in_step = argc > 4;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 * 1024L);
	pthread_barrier_init(&all, NULL, (unsigned int)(threads + sleepers) + 1);
	pthread_barrier_init(&hot_ones, NULL, (unsigned int)threads);
	for (long i = 0; i < sleepers; i++)
		pthread_create(&other, &attr, sleeper, NULL);
	for (long i = 0; i < threads; i++)
		pthread_create(&made[i], &attr, hot, NULL);
	pthread_barrier_wait(&all);
	double start = now_us();
	for (long i = 0; i < threads; i++)
		pthread_join(made[i], NULL);
	long calls = threads * times;
	printf("%ld calls, %.3f us each\n", calls, (now_us() - start) / (double)calls);
	fflush(stdout);
	_exit(0);
}
