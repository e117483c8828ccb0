/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * omp_outside SCENARIO: thread 1 is blocked in something that is not OpenMP's until thread 0,
 * which stays, releases it; thread 2 waits for both at a barrier.
 */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>

#include "testprog_omp.h"

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_t sleeper;
static int locked, released;

static NOINLINE void in_poll(void)
{
	struct pollfd end = { .fd = 0, .events = POLLIN, .revents = 0 };
	if (poll(&end, 1, -1) != 1) /* MARK: poll */
		FAIL("poll was interrupted");
	KEEP_FRAME();
}

static NOINLINE void in_read(void)
{
	block(); /* MARK: read */
	KEEP_FRAME();
}

static NOINLINE void in_semaphore(void)
{
	if (sem_wait(&semaphore) != 0) /* MARK: semaphore */
		FAIL("sem_wait was interrupted");
	KEEP_FRAME();
}

static NOINLINE void in_mutex(void)
{
	pthread_mutex_lock(&mutex); /* MARK: mutex */
	pthread_mutex_unlock(&mutex);
	KEEP_FRAME();
}

static NOINLINE void in_condition(void)
{
	pthread_mutex_lock(&mutex);
	while (!released)
		pthread_cond_wait(&condition, &mutex); /* MARK: condition */
	pthread_mutex_unlock(&mutex);
	KEEP_FRAME();
}

static NOINLINE void in_sleep(void)
{
	if (sleep(3600) == 0) /* MARK: sleep */
		FAIL("has slept for an hour");
	KEEP_FRAME();
}

static void (*get_blocked)(void);

static NOINLINE void release(void)
{
	released = 1;
	sem_post(&semaphore);
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&condition);
	if (get_blocked == in_sleep)
		pthread_kill(sleeper, SIGUSR1);
}

static NOINLINE void work(void)
{
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		if (get_blocked == in_condition)
			pthread_mutex_unlock(&mutex);
		__atomic_store_n(&locked, 1, __ATOMIC_SEQ_CST);
		stay(3); /* MARK: releases */
		if (get_blocked == in_condition)
			pthread_mutex_lock(&mutex);
		release();
	} else if (omp_get_thread_num() == 1) {
		sleeper = pthread_self();
		while (!__atomic_load_n(&locked, __ATOMIC_SEQ_CST))
			sched_yield();
		tell("blocked");
		get_blocked(); /* MARK: blocked */
	} else {
		tell("waits");
	}
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

static void on_signal(int signal)
{
	(void)signal;
}

static const struct scenario blockers[] = {
	SCENARIO(in_read),      SCENARIO(in_poll),  SCENARIO(in_semaphore), SCENARIO(in_mutex),
	SCENARIO(in_condition), SCENARIO(in_sleep), { NULL, NULL },
};

int main(int argc, char **argv)
{
	get_blocked = scenario_of(blockers, argc, argv);
	team = 3;
	signal(SIGUSR1, on_signal);
	tell_object("semaphore", &semaphore);
	tell_object("mutex", &mutex);
	tell_object("condition", &condition);
	in_team(work); /* MARK: run */
	return released ? 0 : 1;
}
