/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_busy: eight threads come to work() again and again, make system calls between, and send
 * signals to themselves, until stdin ends. Each checks what it has computed, that each of its
 * signals came, and that no other one did.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "testprog.h"

enum { THREADS = 8, ROUND = 256 };

struct worker {
	pthread_t thread;
	unsigned long calls, sum, sent;
	volatile unsigned long came;
};

static struct worker workers[THREADS];
static _Thread_local struct worker *me;
static volatile int over;
volatile unsigned long watched; /* written by the first of them alone */

NOINLINE unsigned long work(unsigned long n)
{
	unsigned long twice = n * 2; /* MARK: work */
	KEEP_FRAME();
	return twice + 1;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	if (info->si_pid != getpid())
		FAIL("a signal of process %d", (int)info->si_pid);
	me->came++;
}

static void *run(void *arg)
{
	struct timespec moment = { 0, 1000 };

	me = arg;
	while (!over) {
		for (int i = 0; i < ROUND; i++)
			me->sum += work(me->calls++);
		if (me == workers)
			watched = me->calls;
		pthread_kill(pthread_self(), SIGUSR1);
		me->sent++;
		if (nanosleep(&moment, NULL) != 0 && errno != EINTR)
			FAIL("nanosleep: %s", strerror(errno));
	}
	if (me->sum != me->calls * me->calls)
		FAIL("%lu calls made %lu", me->calls, me->sum);
	if (me->came != me->sent)
		FAIL("of %lu signals came %lu", me->sent, me->came);
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	die_with_parent();
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&workers[i].thread, NULL, run, &workers[i]))
			FAIL("no thread");
	ready();
	block();
	over = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	if (watched != workers[0].calls)
		FAIL("watched is %lu of %lu", watched, workers[0].calls);
	return 0;
}
