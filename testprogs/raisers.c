/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Four threads send numbered signals to themselves, until stdin ends. Each must have arrived when
 * the call that sends it returns.
 */
#include <pthread.h>

#include "testprog.h"

enum { RAISERS = 4 };
static volatile int stop;
static __thread volatile int arrived;

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (info->si_value.sival_int != arrived)
		FAIL("signal %d came where %d was due", info->si_value.sival_int, arrived);
	arrived++;
}

static void *raiser(void *arg)
{
	for (int i = 0; !stop; i++) {
		if (pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){ .sival_int = i }) !=
		    0)
			FAIL("signal %d could not be sent", i);
		if (arrived != i + 1)
			FAIL("signal %d: lost", i);
	}
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	pthread_t threads[RAISERS];

	die_with_parent();
	sigaction(SIGRTMIN, &action, NULL);
	for (int i = 0; i < RAISERS; i++)
		if (pthread_create(&threads[i], NULL, raiser, NULL) != 0)
			FAIL("no thread");
	ready();
	block();
	stop = 1;
	for (int i = 0; i < RAISERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
