/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* called_locks: functions to be called from a prompt that never return: one needs a lock that the
 * second thread holds, one ends its thread, one the process, one waits in vain for nobody. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static volatile int never;

__attribute__((noinline)) int take(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return 7;
}

__attribute__((noinline)) int leave(int status)
{
	if (status)
		pthread_exit(NULL);
	return 1;
}

__attribute__((noinline)) int quit(int status)
{
	exit(status);
}

__attribute__((noinline)) int two(void)
{
	return 2;
}

static void *hold(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_barrier_wait(&both);
	pause();
	return arg;
}

__attribute__((noinline)) void stop(void)
{
	__asm__ volatile("" ::: "memory"); /* MARK: stop */
}

int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, hold, NULL);
	pthread_barrier_wait(&both);
	stop();
	return never ? take() + leave(two()) + quit(0) : 0;
}
