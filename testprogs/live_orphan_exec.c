/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The first thread has exited; another one replaces the program at the first byte from stdin. */
#include <pthread.h>

#include "testprog.h"

static char **arguments;

static NOINLINE void *replacer(void *arg)
{
	char c;

	while (thread_state(getpid(), getpid()) != 'Z')
		usleep(1000);
	ready();
	if (read(0, &c, 1) != 1)
		FAIL("no byte");
	/* Not /proc/self/exe: a dead leader has none. */
	execl(arguments[0], arguments[0], "again", NULL);
	FAIL("cannot exec");
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	die_with_parent();
	arguments = argv;
	if (argc == 1) {
		if (pthread_create(&thread, NULL, replacer, NULL) != 0)
			FAIL("no thread");
		pthread_exit(NULL);
	}
	ready();
	block();
	return 0;
}
