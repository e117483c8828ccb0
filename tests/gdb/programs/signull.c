/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A call through a pointer to nowhere: the fault's frame has no code; the handler jumps out. */
#include <setjmp.h>
#include <signal.h>
#include <string.h>

static sigjmp_buf back;
static volatile int calls;

static void handler(int number)
{
	calls += number; /* MARK: handler */
	siglongjmp(back, 1);
}

static void call_nowhere(void (*function)(void))
{
	function(); /* MARK: call */
	calls = 0;
}

int main(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(SIGSEGV, &action, 0);
	if (sigsetjmp(back, 1) == 0) /* MARK: sigsetjmp */
		call_nowhere(0);     /* MARK: caller */
	return calls;                /* MARK: last */
}
