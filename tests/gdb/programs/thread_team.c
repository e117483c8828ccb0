/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Eight threads that go through the same code at the same time, in rounds. */
#include <pthread.h>
#define THREADS 8
#define ROUNDS  20

static pthread_barrier_t barrier;
static int counts[THREADS];

static void visit(int who)
{
	counts[who]++; /* MARK: visit */
}

static void *work(void *argument)
{
	int who = (int)(long)argument, round; /* MARK: work */

	for (round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&barrier);
		visit(who); /* MARK: call */
	}
	return 0;
}

int main(void)
{
	pthread_t threads[THREADS];
	long i;
	int sum = 0;

	pthread_barrier_init(&barrier, 0, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, work, (void *)i); /* MARK: create */
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], 0); /* MARK: join */
		sum += counts[i];
	}
	return sum == THREADS * ROUNDS ? 0 : 1; /* MARK: last */
}
