/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Thread-local variables: each thread sees its own. */
#include <pthread.h>

static __thread int own = 5;
static int result;

static void change(int by)
{
	own += by;     /* MARK: change */
	result += own; /* MARK: changed */
}

static void *work(void *argument)
{
	change((int)(long)argument); /* MARK: work */
	return 0;
}

int main(void)
{
	pthread_t thread;
	long i;

	for (i = 1; i < 4; i++) {
		pthread_create(&thread, 0, work, (void *)(10 * i));
		pthread_join(thread, 0);
	}
	change(1);           /* MARK: main_change */
	return result & 127; /* MARK: last */
}
