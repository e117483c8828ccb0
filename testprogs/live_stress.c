/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_stress THREADS ROUNDS SEED: threads come to f0() to f3(), make threads and processes, send
 * signals to themselves, whose handler comes to f0(), and sleep, all by chance; it says how often
 * the process came to each function, and checks that nothing was lost.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

#include "testprog.h"

enum { THREADS = 64, STATUS = 5 };
static long counts[4], sent, came, rounds;

#define FUNCTION(k)                                                                                \
	NOINLINE long f##k(long n)                                                                 \
	{                                                                                          \
		long sum = 0;                                                                      \
		__atomic_add_fetch(&counts[k], 1, __ATOMIC_RELAXED);                               \
		for (volatile long i = 0; i < n; i++)                                              \
			sum += i;                                                                  \
		return sum;                                                                        \
	}
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)

static void check(long is, long wanted)
{
	if (is != wanted)
		FAIL("%ld instead of %ld", is, wanted);
}

static void on_signal(int signal)
{
	(void)signal;
	__atomic_add_fetch(&came, 1, __ATOMIC_RELAXED);
	f0(1);
}

static void *leaf(void *arg)
{
	check(f1(3), 3);
	return arg;
}

static void make_thread(void)
{
	pthread_t made;

	if (pthread_create(&made, NULL, leaf, NULL) || pthread_join(made, NULL))
		FAIL("no thread");
}

static void await(pid_t pid)
{
	int status = -1;

	if (waitpid(pid, &status, 0) != pid)
		FAIL("waiting: %s", strerror(errno));
	check(status, STATUS << 8);
}

static void make_process(int shares)
{
	pid_t pid = shares ? vfork() : fork();

	if (pid == 0) {
		if (!shares)
			f0(1); /* in its own memory: not counted */
		_exit(STATUS);
	}
	await(pid);
}

static void act(unsigned int choice, int rarely)
{
	struct timespec moment = { 0, 20000 };

	if (choice < 3)
		check(f1(5), 10);
	else if (choice == 3)
		check(f2(2), 1);
	else if (choice == 4)
		check(f3(2), 1);
	else if (choice == 5)
		make_thread();
	else if (choice < 8) {
		__atomic_add_fetch(&sent, 1, __ATOMIC_RELAXED);
		pthread_kill(pthread_self(), SIGUSR1);
	} else if (choice == 8)
		nanosleep(&moment, NULL);
	else if (choice < 11 && rarely)
		make_process(choice == 10);
}

static void *run(void *arg)
{
	unsigned int seed = (unsigned int)(long)arg;

	for (long n = 0; n < rounds; n++) {
		unsigned int chance = (unsigned int)rand_r(&seed);
		check(f0(4), 6);
		act(chance % 16, chance / 16 % 4 == 0);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	pthread_t made[THREADS];
	int threads = argc > 3 ? atoi(argv[1]) : 1;

	die_with_parent();
	sigaction(SIGUSR1, &action, NULL);
	rounds = argc > 3 ? atol(argv[2]) : 1;
	for (int i = 0; i < threads && i < THREADS; i++)
		if (pthread_create(&made[i], NULL, run, (void *)(atol(argv[3]) + i)))
			FAIL("no thread");
	for (int i = 0; i < threads && i < THREADS; i++)
		pthread_join(made[i], NULL);
	check(came, sent);
	printf("f0 %ld f1 %ld f2 %ld f3 %ld counted\n", counts[0], counts[1], counts[2], counts[3]);
	fflush(stdout);
	ready();
	block();
	return 0;
}
