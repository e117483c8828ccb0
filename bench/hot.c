/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * hot THREADS SLEEPERS N: THREADS threads call f() N times each and store to "watched", beside
 * SLEEPERS that sleep. Ends with status 0.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

volatile long watched;
static long times;
static pthread_barrier_t barrier;

__attribute__((noinline)) static void f(long x)
{
	watched = x;
	__asm__ volatile("" ::: "memory");
}

static void *hot(void *arg)
{
	pthread_barrier_wait(&barrier);
	for (long i = 0; i < times; i++)
		f(i);
	return arg;
}

static void *sleeper(void *arg)
{
	pthread_barrier_wait(&barrier);
	for (;;)
		pause();
	return arg;
}

int main(int argc, char **argv)
{
	enum { MOST = 4096 };
	pthread_t made[MOST], other;
	long threads = argc > 3 ? atol(argv[1]) : 0, sleepers = argc > 3 ? atol(argv[2]) : 0;
	pthread_attr_t attr;

	if (threads < 1 || threads > MOST)
		return 2;
	times = atol(argv[3]);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 * 1024);
	pthread_barrier_init(&barrier, NULL, (unsigned int)(threads + sleepers));
	for (long i = 0; i < sleepers; i++)
		pthread_create(&other, &attr, sleeper, NULL);
	for (long i = 0; i < threads; i++)
		pthread_create(&made[i], &attr, hot, NULL);
	for (long i = 0; i < threads; i++)
		pthread_join(made[i], NULL);
	_exit(0);
}
