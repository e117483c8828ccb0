/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names that would harm a terminal or break JSON if they were printed as they are. */
#include <pthread.h>

#include "testprog.h"

static const char *const names[] = { "t\033[31mX\033[0m\"\n", "\x9b\xff\xc0\\\"}]", "", "\t\r\a" };
enum { NAMES = sizeof(names) / sizeof(*names) };

static void *named(void *arg)
{
	prctl(PR_SET_NAME, arg);
	pause();
	FAIL("pause returned");
	return arg;
}

int main(void)
{
	pthread_t thread;

	die_with_parent();
	for (int i = 0; i < NAMES; i++)
		if (pthread_create(&thread, NULL, named, (void *)names[i]) != 0)
			FAIL("no thread");
	wait_until_others_sleep();
	ready();
	block();
	return 0;
}
