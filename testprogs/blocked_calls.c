/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads in system calls which the kernel restarts after a stop: none may see EINTR. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "testprog.h"

static int data[2], silent[2];
static sem_t go;
static pid_t child;

static void *in_read(void *arg)
{
	char c;
	return read(data[0], &c, 1) == 1 ? NULL : arg;
}

static void *in_poll(void *arg)
{
	struct pollfd fd = { .fd = silent[0], .events = POLLIN };
	return poll(&fd, 1, 3600 * 1000) == 1 ? NULL : arg;
}

static void *in_futex(void *arg)
{
	return sem_wait(&go) == 0 ? NULL : arg;
}

static void *in_nanosleep(void *arg)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_sec += 1;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == 0)
		if (poll(&(struct pollfd){ .fd = silent[0], .events = POLLIN }, 1, 0) == 1)
			return NULL;
		else
			at.tv_sec += 1;
	return arg;
}

static void *in_wait(void *arg)
{
	return waitpid(child, NULL, 0) == child ? NULL : arg;
}

int main(void)
{
	void *(*const calls[])(void *) = { in_read, in_poll, in_futex, in_nanosleep, in_wait };
	enum { CALLS = sizeof(calls) / sizeof(*calls) };
	static const char *const names[CALLS] = { "read", "poll", "futex", "nanosleep", "wait" };
	pthread_t threads[CALLS];
	void *broken;

	die_with_parent();
	sem_init(&go, 0, 0);
	if (pipe(data) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, silent) < 0)
		FAIL("no pipe");
	child = fork();
	if (child == 0) {
		block();
		_exit(0);
	}
	for (size_t i = 0; i < CALLS; i++)
		pthread_create(&threads[i], NULL, calls[i], (void *)names[i]);
	wait_until_others_sleep();
	ready();
	block();
	if (write(data[1], "x", 1) != 1 || write(silent[1], "x", 1) != 1 || sem_post(&go) != 0)
		FAIL("cannot wake the threads");
	for (size_t i = 0; i < CALLS; i++)
		if (pthread_join(threads[i], &broken) != 0 || broken)
			FAIL("%s was interrupted", (const char *)broken);
	return 0;
}
