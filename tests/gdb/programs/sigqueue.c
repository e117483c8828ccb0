/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals that wait: three of one kind with values, queued while blocked, come one by one. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile int count, sum;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	count++; /* MARK: handler */
	sum += info->si_value.sival_int;
}

int main(void)
{
	struct sigaction action;
	union sigval value;
	sigset_t blocked, old;
	int i;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGRTMIN, &action, 0);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	for (i = 1; i <= 3; i++) {
		value.sival_int = i;
		sigqueue(getpid(), SIGRTMIN, value); /* MARK: queue */
	}
	sigprocmask(SIG_SETMASK, &old, 0); /* MARK: unblock */
	return count * 10 + sum;           /* MARK: last */
}
