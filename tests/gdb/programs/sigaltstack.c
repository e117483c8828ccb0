/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A handler on a stack of its own, the frames below it on the usual one; and a handler in it. */
#include <signal.h>
#include <string.h>

static char stack[65536];
static volatile int depth, done;

static void inner(int number)
{
	done += number; /* MARK: inner */
}

static void outer(int number)
{
	depth++; /* MARK: outer */
	done += number;
	raise(SIGUSR2); /* MARK: raise_inner */
	depth--;        /* MARK: outer_end */
}

static void catch_signal(int number, void (*handler)(int))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_ONSTACK;
	sigaction(number, &action, 0);
}

int main(void)
{
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&alternate, 0);
	catch_signal(SIGUSR1, outer);
	catch_signal(SIGUSR2, inner);
	raise(SIGUSR1);                                         /* MARK: raise */
	return done == SIGUSR1 + SIGUSR2 && depth == 0 ? 0 : 1; /* MARK: last */
}
