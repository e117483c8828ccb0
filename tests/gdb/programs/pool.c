/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A pool of threads that take jobs from a queue, as real code has it. */
#include <pthread.h>
#include <stdlib.h>
#define WORKERS 4
#define JOBS    24

struct job {
	int number;
	struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct job *queue;
static int closed, total, by_kind[3];

static int classify(int number)
{
	return number % 3; /* MARK: classify */
}

static void execute(const struct job *job)
{
	int kind = classify(job->number); /* MARK: execute */

	pthread_mutex_lock(&lock);
	by_kind[kind]++;
	total += job->number; /* MARK: add */
	pthread_mutex_unlock(&lock);
}

static struct job *take(void)
{
	struct job *job;

	pthread_mutex_lock(&lock);
	while (!queue && !closed)
		pthread_cond_wait(&filled, &lock); /* MARK: idle */
	job = queue;
	if (job)
		queue = job->next; /* MARK: taken */
	pthread_mutex_unlock(&lock);
	return job;
}

static void *worker(void *argument)
{
	struct job *job;

	while ((job = take())) {
		execute(job); /* MARK: work */
		free(job);
	}
	return argument; /* MARK: worker_end */
}

static void put(int number)
{
	struct job *job = malloc(sizeof(*job)); /* MARK: put */

	job->number = number;
	pthread_mutex_lock(&lock);
	job->next = queue;
	queue = job;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t workers[WORKERS];
	int i;

	for (i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], 0, worker, 0);
	for (i = 1; i <= JOBS; i++)
		put(i); /* MARK: call */
	pthread_mutex_lock(&lock);
	closed = 1; /* MARK: close */
	pthread_cond_broadcast(&filled);
	pthread_mutex_unlock(&lock);
	for (i = 0; i < WORKERS; i++)
		pthread_join(workers[i], 0);
	return total == JOBS * (JOBS + 1) / 2 && by_kind[0] == 8 ? 0 : 1; /* MARK: last */
}
