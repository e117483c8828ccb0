/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One thread sends numbered signals to another, one after the other, until stdin ends. Each
 * must arrive exactly once.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "testprog.h"

static pthread_t receiver;
static sem_t received;
static volatile int next, stop;

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (info->si_value.sival_int != next)
		FAIL("signal %d came where %d was due", info->si_value.sival_int, next);
	next++;
	sem_post(&received);
}

static void *receive(void *arg)
{
	volatile unsigned long work = 0;
	while (!stop)
		work++; /* MARK: work */
	return arg;
}

static void *send_signals(void *arg)
{
	for (int i = 0; !stop; i++) {
		union sigval number = { .sival_int = i };
		struct timespec limit;
		clock_gettime(CLOCK_REALTIME, &limit);
		limit.tv_sec += 30;
		if (pthread_sigqueue(receiver, SIGRTMIN, number) != 0)
			FAIL("signal %d could not be sent", i);
		if (sem_timedwait(&received, &limit) != 0)
			FAIL("signal %d: %s", i, errno == ETIMEDOUT ? "lost" : "wait broke");
		if (i == 0)
			ready();
	}
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	pthread_t sender;

	die_with_parent();
	sem_init(&received, 0, 0);
	sigaction(SIGRTMIN, &action, NULL);
	if (pthread_create(&receiver, NULL, receive, NULL) != 0 ||
	    pthread_create(&sender, NULL, send_signals, NULL) != 0)
		FAIL("no thread");
	block();
	stop = 1;
	pthread_join(sender, NULL);
	pthread_join(receiver, NULL);
	return 0;
}
