/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sends itself every signal that can be caught, and says how each arrives: traced or not, the same
 * must come out.
 */
#include "testprog.h"

enum { ROUNDS = 3, TRAPS = 20 };

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == SI_QUEUE)
		printf("signal %d value %d sender %d\n", sig, info->si_value.sival_int,
		       info->si_pid == getpid());
	else
		printf("signal %d code %d\n", sig, info->si_code);
}

static void queue(int sig, int value)
{
	if (sigqueue(getpid(), sig, (union sigval){ .sival_int = value }) < 0)
		FAIL("signal %d cannot be sent", sig);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigset_t none;

	die_with_parent();
	sigemptyset(&none);
	sigfillset(&action.sa_mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		sigaction(sig, &action, NULL);
	for (int i = 0; i < ROUNDS; i++)
		for (int sig = 1; sig <= SIGRTMAX; sig++)
			if ((sig < 32 || sig >= SIGRTMIN) && sig != SIGKILL && sig != SIGSTOP)
				queue(sig, 1000 * i + sig);
	/* Pending ones come in the order of their numbers, those of one number as they were sent.
	 */
	sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
	for (int i = 0; i < 2 * ROUNDS; i++)
		queue(i % 2 ? SIGRTMIN : SIGRTMAX, i);
	queue(SIGUSR2, 1);
	queue(SIGUSR1, 2);
	queue(SIGUSR1, 3); /* is lost: one of each standard signal is kept */
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 0; i < TRAPS; i++) {
		__asm__ volatile("int3");
		raise(SIGTRAP);
	}
	fflush(stdout);
	ready();
	block();
	return 0;
}
