/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * live_queue N: gets signals from outside, SIGRTMIN with the values 0, 1, 2..., in that order and
 * each once. When stdin ends there must have been N.
 */
#include "testprog.h"

static volatile int next;

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (info->si_code != SI_QUEUE || info->si_value.sival_int != next)
		FAIL("value %d came where %d was due", info->si_value.sival_int, next);
	next++;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART };
	int due = argc > 1 ? atoi(argv[1]) : 0;

	die_with_parent();
	sigaction(SIGRTMIN, &action, NULL);
	ready();
	block();
	if (next != due)
		FAIL("%d signals came, not %d", next, due);
	return 0;
}
