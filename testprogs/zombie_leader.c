/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The first thread has exited; the process lives on in the others. */
#include <pthread.h>

#include "testprog.h"

static NOINLINE void *orphan(void *arg)
{
	pause(); /* MARK: orphan */
	FAIL("pause returned");
	return arg;
}

static NOINLINE void *keeper(void *arg)
{
	while (thread_state(getpid(), getpid()) != 'Z')
		usleep(1000);
	ready();
	block(); /* MARK: keeper */
	_exit(0);
	return arg;
}

int main(void)
{
	pthread_t thread;

	die_with_parent();
	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, i == 2 ? keeper : orphan, NULL) != 0)
			FAIL("no thread");
	pthread_exit(NULL);
}
