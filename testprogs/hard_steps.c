/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A loop of five lines for ever, under a signal each millisecond, beside a thread that spins. */
#include <pthread.h>
#include <sys/time.h>

#include "testprog.h"

static volatile long handled, turns;

static void on_alarm(int signal)
{
	(void)signal;
	handled++;
}

static void *spin(void *arg)
{
	for (;;)
		turns++;
	return arg;
}

int main(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	pthread_t thread;
	volatile int a = 0;

	die_with_parent();
	signal(SIGALRM, on_alarm);
	if (pthread_create(&thread, NULL, spin, NULL) != 0)
		FAIL("no thread");
	setitimer(ITIMER_REAL, &often, NULL);
	for (;;) {
		a++;    /* MARK: first */
		a += 2; /* MARK: second */
		a += 3;
		a += 4;
		a -= 9; /* MARK: last */
	}
	return 0;
}
