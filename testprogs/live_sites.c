/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_sites HOW N: comes N times to site(): in four threads at once (threads); before and in a
 * child made by fork, vfork or clone(CLONE_VM) (fork, vfork, share); before it becomes a new
 * program (exec); with a SIGTRAP of its own besides (own); with signals all the time (signals); or
 * until stdin ends (loop). It counts and checks that all went well.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "testprog.h"

enum { THREADS = 4, STATUS = 5 };
static long count;
static volatile long trapped, ticks;

NOINLINE void site(void)
{
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED); /* MARK: site */
	KEEP_FRAME();
}

NOINLINE void own_trap(void)
{
	__asm__ volatile("own_int3: int3" ::: "memory");
	raise(SIGTRAP);
}

static void on_trap(int signal)
{
	(void)signal;
	trapped++;
}

static void on_tick(int signal)
{
	(void)signal;
	ticks++;
}

static int child(void *arg)
{
	site();
	/* Its handler would keep it alive. */
	_exit(arg && !trapped ? STATUS : 1);
}

static void make(const char *how)
{
	static char stack[1 << 16] __attribute__((aligned(16)));
	pid_t pid;
	int status;

	if (strcmp(how, "share") == 0)
		pid = clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, stack);
	else if ((pid = strcmp(how, "vfork") == 0 ? vfork() : fork()) == 0)
		child(stack);
	if (waitpid(pid, &status, __WALL) != pid || status != STATUS << 8)
		FAIL("a child ended with status %x", (unsigned int)status);
}

static void *thread(void *arg)
{
	for (long i = (long)arg; i > 0; i--)
		site();
	return NULL;
}

static void run_threads(long n)
{
	pthread_t made[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&made[i], NULL, thread, (void *)n))
			FAIL("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(made[i], NULL);
}

static void run(const char *how, long n)
{
	for (long i = 0; i < n; i++) {
		site();
		if (strcmp(how, "own") == 0)
			own_trap();
		else if (strcmp(how, "signals") != 0)
			make(how);
	}
}

static void loop(void)
{
	fd_set set;
	struct timeval no_time = { 0, 0 };

	ready();
	do {
		site();
		FD_ZERO(&set);
		FD_SET(0, &set);
	} while (select(1, &set, NULL, NULL, &no_time) == 0);
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *how = argv[1];
	long n = argc > 2 ? atol(argv[2]) : 1;
	char left[32];

	die_with_parent();
	signal(SIGTRAP, on_trap);
	signal(SIGALRM, on_tick);
	snprintf(left, sizeof(left), "%ld", n - 1);
	if (strcmp(how, "loop") == 0)
		loop();
	if (strcmp(how, "exec") == 0 && n > 0) {
		site();
		execl("/proc/self/exe", argv[0], how, left, NULL);
	}
	if (strcmp(how, "signals") == 0)
		setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 300 }, { 0, 300 } }, NULL);
	if (strcmp(how, "threads") == 0)
		run_threads(n);
	else
		run(how, n);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	long shared = strcmp(how, "vfork") == 0 || strcmp(how, "share") == 0 ? n : 0;
	long expected = strcmp(how, "threads") == 0 ? THREADS * n : n + shared;
	if (count != expected)
		FAIL("%ld of %ld", count, expected);
	if (trapped != (strcmp(how, "own") == 0 ? 2 * n : 0))
		FAIL("%ld traps", trapped);
	ready();
	block();
	return 0;
}
