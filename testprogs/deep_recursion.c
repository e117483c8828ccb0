/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* deep_recursion [DEPTH]: blocks below 131,072 calls of one function, unless told another number.
 */
#include <pthread.h>

#include "testprog.h"

static NOINLINE long recurse(long depth)
{
	if (depth == 0) {
		ready();
		block(); /* MARK: stuck */
		return 0;
	}
	long r = recurse(depth - 1); /* MARK: recurse */
	KEEP_FRAME();
	return r + 1;
}

static void *start(void *arg)
{
	return (void *)recurse((long)arg);
}

int main(int argc, char **argv)
{
	long depth = argc > 1 ? atol(argv[1]) : 131072;
	pthread_attr_t large;
	pthread_t thread;
	void *counted;

	die_with_parent();
	pthread_attr_init(&large);
	pthread_attr_setstacksize(&large, (1 << 20) + (size_t)depth * 256);
	if (pthread_create(&thread, &large, start, (void *)depth) != 0)
		FAIL("no thread");
	pthread_join(thread, &counted);
	return (long)counted == depth ? 0 : 1;
}
