/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Faults: the handler mends what was wrong, so that the instruction is executed again. */
#include <signal.h>
#include <string.h>

static int good = 5;
static int *volatile pointer;
static volatile int faults;

static void handler(int number)
{
	faults++; /* MARK: handler */
	pointer = number == SIGSEGV ? &good : 0;
}

static int read_it(void)
{
	int *p;

	for (;;) {
		p = pointer; /* MARK: load */
		if (p)
			return *p; /* MARK: fine */
		raise(SIGSEGV);    /* MARK: fault */
	}
}

static void write_null(void)
{
	*(volatile int *)16 = 1; /* MARK: write */
}

int main(int argc, char **argv)
{
	struct sigaction action;
	int got;

	(void)argv;
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(SIGSEGV, &action, 0);
	got = read_it(); /* MARK: call */
	signal(SIGSEGV, SIG_DFL);
	if (argc == 1)
		write_null(); /* MARK: deadly */
	return got + faults;  /* MARK: last */
}
