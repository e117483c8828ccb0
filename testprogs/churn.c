/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Eight threads make and join short-lived threads as fast as they can, until stdin ends or
 * SIGUSR1 comes. Each short-lived thread must have run once and returned what it was given.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/signalfd.h>

#include "testprog.h"

enum { SPAWNERS = 8, AT_ONCE = 4 };
static long made, ran;
static int stop;

static void *short_lived(void *arg)
{
	__atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
	return arg;
}

static void *spawner(void *arg)
{
	pthread_t threads[AT_ONCE];
	int numbers[AT_ONCE];
	void *result;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (int i = 0; i < AT_ONCE; i++)
			if (pthread_create(&threads[i], NULL, short_lived, &numbers[i]) != 0)
				FAIL("no thread");
		for (int i = 0; i < AT_ONCE; i++)
			if (pthread_join(threads[i], &result) != 0 || result != &numbers[i])
				FAIL("a thread returned something else");
		__atomic_add_fetch(&made, AT_ONCE, __ATOMIC_RELAXED);
	}
	return arg;
}

int main(void)
{
	pthread_t spawners[SPAWNERS];
	sigset_t usr1;

	die_with_parent();
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	for (int i = 0; i < SPAWNERS; i++)
		if (pthread_create(&spawners[i], NULL, spawner, NULL) != 0)
			FAIL("no spawner");
	while (!__atomic_load_n(&made, __ATOMIC_RELAXED))
		sched_yield();
	ready();
	int told = signalfd(-1, &usr1, 0);
	struct pollfd ends[] = { { .fd = 0, .events = POLLIN }, { .fd = told, .events = POLLIN } };
	if (poll(ends, 2, -1) < 1)
		FAIL("poll was interrupted");
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < SPAWNERS; i++)
		pthread_join(spawners[i], NULL);
	if (made == 0 || made != ran)
		FAIL("%ld threads made, %ld ran", made, ran);
	return 0;
}
