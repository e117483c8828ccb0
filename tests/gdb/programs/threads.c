/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One thread after another: each stop has only one place where it can be. */
#include <pthread.h>

static int total;

static void *work(void *argument)
{
	int number = *(int *)argument; /* MARK: work */

	total += number; /* MARK: add */
	return argument; /* MARK: work_end */
}

int main(void)
{
	pthread_t thread;
	int i;

	for (i = 1; i <= 3; i++) {
		pthread_create(&thread, 0, work, &i); /* MARK: create */
		pthread_join(thread, 0);              /* MARK: join */
	}
	return total; /* MARK: last */
}
