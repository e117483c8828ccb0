/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads in system calls that the kernel restarts after a stop: none may return before the end. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>

#include "testprog.h"

static int silent[2];
static sem_t never;

static void in_read(void)
{
	char c;
	ssize_t n = read(silent[0], &c, 1);
	(void)n;
}

static void in_poll(void)
{
	poll(&(struct pollfd){ .fd = silent[0], .events = POLLIN }, 1, 3600 * 1000);
}

static void in_futex(void)
{
	sem_wait(&never);
}

static void in_nanosleep(void)
{
	nanosleep(&(struct timespec){ .tv_sec = 3600 }, NULL);
}

static void in_wait(void)
{
	wait(NULL);
}

static const struct call {
	const char *name;
	void (*run)(void);
} calls[] = {
	{ "read", in_read },           { "poll", in_poll }, { "futex", in_futex },
	{ "nanosleep", in_nanosleep }, { "wait", in_wait },
};

static void *caller(void *arg)
{
	const struct call *call = arg;
	call->run();
	FAIL("%s was interrupted", call->name);
	return arg;
}

int main(void)
{
	pthread_t thread;

	die_with_parent();
	sem_init(&never, 0, 0);
	if (pipe(silent) < 0)
		FAIL("no pipe");
	pid_t child = fork();
	if (child == 0) {
		die_with_parent();
		for (;;)
			pause();
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (pthread_create(&thread, NULL, caller, (void *)&calls[i]) != 0)
			FAIL("no thread");
	/* Before it has slept it might not die with us yet. */
	while (thread_state(child, child) != 'S')
		usleep(1000);
	wait_until_others_sleep();
	ready();
	block();
	return 0;
}
