/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * d_state leader|other [N]: of N threads that one is in state D (vfork(2)), for the first byte of
 * stdin to let it out. Then it tells how many microseconds it took to notice.
 */
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>

#include "testprog.h"

/* The child of vfork(2) has the same memory. */
static volatile long let_out;
static sem_t out;

static long now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void wait_for_byte(pid_t pid, pid_t lwp)
{
	char c;
	while (thread_state(pid, lwp) != 'D')
		usleep(1000);
	ready();
	if (read(0, &c, 1) < 0)
		_exit(1);
	let_out = now_us();
	_exit(5);
}

static NOINLINE void be_in_state_d(void)
{
	pid_t pid = getpid(), lwp = gettid();
	pid_t child = vfork(); /* MARK: vfork */
	int status;

	if (child == 0)
		wait_for_byte(pid, lwp);
	dprintf(1, "back %ld\n", now_us() - let_out);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
		FAIL("the child did not end as told");
	sem_post(&out);
}

static void *other(void *arg)
{
	if (arg)
		be_in_state_d();
	pause(); /* MARK: pause */
	FAIL("pause returned");
	return arg;
}

int main(int argc, char **argv)
{
	int leader = argc > 1 && !strcmp(argv[1], "leader"), n = argc > 2 ? atoi(argv[2]) : 4;
	pthread_attr_t small;
	pthread_t thread;

	die_with_parent();
	sem_init(&out, 0, 0);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 4 * (size_t)PTHREAD_STACK_MIN);
	for (int i = 1; i < n; i++) {
		if (i == n - 1)
			wait_until_others_sleep();
		if (pthread_create(&thread, &small, other, i == n - 1 && !leader ? argv : NULL))
			FAIL("no thread %d", i);
	}
	if (leader)
		be_in_state_d();
	else
		sem_wait(&out);
	block();
	return 0;
}
