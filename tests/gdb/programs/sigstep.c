/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals that arrive while one steps: the handler runs, or is stepped into, the step goes on. */
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

static volatile int handled, other;

static void on_usr1(int number)
{
	(void)number;
	handled++; /* MARK: usr1 */
}

static void on_usr2(int number)
{
	(void)number;
	other++; /* MARK: usr2 */
}

static void both(void)
{
	sigset_t two, old;

	sigemptyset(&two);
	sigaddset(&two, SIGUSR1);
	sigaddset(&two, SIGUSR2);
	sigprocmask(SIG_BLOCK, &two, &old);
	kill(getpid(), SIGUSR1);           /* MARK: kill1 */
	kill(getpid(), SIGUSR2);           /* MARK: kill2 */
	sigprocmask(SIG_SETMASK, &old, 0); /* MARK: both */
}

int main(void)
{
	int i;

	signal(SIGUSR1, on_usr1);
	signal(SIGUSR2, on_usr2);
	for (i = 0; i < 3; i++) {
		other = 0;      /* MARK: body */
		raise(SIGUSR1); /* MARK: raise */
	}
	both();                      /* MARK: call_both */
	return handled * 10 + other; /* MARK: last */
}
