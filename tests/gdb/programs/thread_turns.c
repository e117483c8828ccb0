/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two threads that take turns, so that the order of all they do is fixed. */
#include <pthread.h>
#include <semaphore.h>

static sem_t turns[2];
static int log_sum;
int shared;

static void turn(int who, int round)
{
	shared = 10 * round + who; /* MARK: turn */
	log_sum += shared;         /* MARK: turn_end */
}

static void *work(void *argument)
{
	int who = (int)(long)argument, round; /* MARK: work */

	for (round = 0; round < 3; round++) {
		sem_wait(&turns[who]);     /* MARK: wait */
		turn(who, round);          /* MARK: call */
		sem_post(&turns[1 - who]); /* MARK: post */
	}
	return 0; /* MARK: work_end */
}

int main(void)
{
	pthread_t threads[2];
	long i;

	sem_init(&turns[0], 0, 0);
	sem_init(&turns[1], 0, 0);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, work, (void *)i); /* MARK: create */
	sem_post(&turns[0]);                                     /* MARK: begin */
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], 0); /* MARK: join */
	return log_sum;                      /* MARK: last */
}
