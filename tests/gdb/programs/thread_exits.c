/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that end in all ways: by return, by pthread_exit() of the first thread, by exit(). */
#include <pthread.h>
#include <stdlib.h>

static pthread_t first;

static void *other(void *argument)
{
	pthread_join(first, 0);  /* MARK: join_first */
	exit(argument ? 21 : 1); /* MARK: exit */
}

static void *quick(void *argument)
{
	return argument; /* MARK: quick */
}

int main(void)
{
	pthread_t thread;

	first = pthread_self();
	pthread_create(&thread, 0, quick, 0);      /* MARK: create_quick */
	pthread_join(thread, 0);                   /* MARK: join */
	pthread_create(&thread, 0, other, &first); /* MARK: create_other */
	pthread_exit(0);                           /* MARK: pthread_exit */
}
