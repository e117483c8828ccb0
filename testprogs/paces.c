/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads that tell who they are and then sleep, spin, and nap again and again. For the first byte
 * of stdin one ends, one begins, and main() goes on to the next place.
 */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "testprog.h"

static int silent[2];
static sem_t told, quit;
static volatile int stop;

static void tell(const char *name)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "%s %d\n", name, gettid());
	if (write(1, line, len) != len)
		FAIL("stdout does not take a line");
	sem_post(&told);
}

static void *reader(void *arg)
{
	char c;
	tell("reader");
	ssize_t n = read(silent[0], &c, 1);
	FAIL("read returned %zd", n);
	return arg;
}

static void *spinner(void *arg)
{
	tell("spinner");
	while (!stop)
		;
	return arg;
}

static void *napper(void *arg)
{
	tell("napper");
	while (!stop)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return arg;
}

static void *quitter(void *arg)
{
	tell("quitter");
	sem_wait(&quit);
	return arg;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		FAIL("no thread");
	sem_wait(&told);
	return thread;
}

static NOINLINE void first_place(void)
{
	char c;
	if (read(0, &c, 1) != 1)
		_exit(0);
	KEEP_FRAME();
}

static NOINLINE void second_place(void)
{
	block();
	KEEP_FRAME();
}

int main(void)
{
	die_with_parent();
	sem_init(&told, 0, 0);
	sem_init(&quit, 0, 0);
	if (pipe(silent) < 0)
		FAIL("no pipe");
	pthread_t quits = start(quitter);
	start(reader);
	wait_until_others_sleep();
	pthread_t spins = start(spinner), naps = start(napper);
	ready();
	first_place();
	sem_post(&quit);
	pthread_join(quits, NULL);
	start(reader);
	ready();
	second_place();
	stop = 1;
	pthread_join(spins, NULL);
	pthread_join(naps, NULL);
	return 0;
}
