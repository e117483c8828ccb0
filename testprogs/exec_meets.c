/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exec_meets: while another thread is in execve(2), the leader comes to meet(). Ready when it is
 * the new program.
 */
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "testprog.h"

static volatile int calls_now;

/* The kernel copies all arguments before it ends the other threads: this takes it longer than the
 * leader needs. */
static void *replacer(void *arg)
{
	enum { LEN = 100000, N = 55 }; /* it takes 6 MB */
	static char words[LEN];
	struct rlimit stack;
	char name[] = "exec_meets", *args[N + 2] = { name };

	getrlimit(RLIMIT_STACK, &stack);
	stack.rlim_cur = 4 * 8 << 20;
	setrlimit(RLIMIT_STACK, &stack);
	memset(words, 'x', LEN - 1);
	for (int i = 1; i <= N; i++)
		args[i] = words;
	calls_now = 1;
	execv("/proc/self/exe", args);
	FAIL("cannot exec");
	return arg;
}

__attribute__((noinline)) void meet(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	die_with_parent();
	if (argc > 1) {
		ready();
		block();
		return 0;
	}
	if (pthread_create(&thread, NULL, replacer, NULL) != 0)
		FAIL("no thread");
	while (!calls_now)
		;
	for (;;)
		meet();
}
