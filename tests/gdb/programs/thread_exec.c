/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thread that is not the first one becomes another program. */
#include <pthread.h>
#include <unistd.h>

static void *become(void *argument)
{
	execl("./ended", "ended", "8", (char *)0); /* MARK: exec */
	return argument;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, become, 0); /* MARK: create */
	pthread_join(thread, 0);               /* MARK: join */
	return 99;
}
