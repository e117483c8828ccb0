/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Raises every signal that has a number of its own, each with the same handler. */
#include <signal.h>
#include <string.h>

static volatile int seen;

static void handler(int number)
{
	seen = number; /* MARK: handler */
}

static const int signals[] = {
	SIGHUP,  SIGQUIT, SIGILL,  SIGABRT,  SIGBUS,    SIGFPE,  SIGUSR1, SIGSEGV, SIGUSR2,
	SIGPIPE, SIGALRM, SIGTERM, SIGCHLD,  SIGCONT,   SIGTSTP, SIGTTIN, SIGTTOU, SIGURG,
	SIGXCPU, SIGXFSZ, SIGPROF, SIGWINCH, SIGVTALRM, SIGIO,   SIGPWR,  SIGSYS,
};

int main(void)
{
	struct sigaction action;
	unsigned int i;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaction(signals[i], &action, 0);
		raise(signals[i]); /* MARK: raise */
		if (seen != signals[i])
			return 1;
	}
	return 0; /* MARK: last */
}
