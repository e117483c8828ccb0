/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/visit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "target/process/ptrace.h"

struct call {
	visit_function *function;
	void *context; /* borrowed */
	struct error *err;
	pid_t lwp;
};

static void *run(void *arg)
{
	struct call *c = arg;

	c->lwp = gettid();
	c->err = c->function(c->context);
	return NULL;
}

/* What the signal of ptrace_guard_begin() looks at is the visiting thread's. */
static int run_in_thread(struct call *c)
{
	pthread_t thread;
	sigset_t alarm, before;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, &before);
	int errnum = pthread_create(&thread, NULL, run, c);
	if (!errnum)
		errnum = pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return errnum;
}

struct error *visit(visit_function *function, void *context)
{
	struct call c = { .function = function, .context = context };
	int errnum = run_in_thread(&c);

	if (errnum)
		return error_os(errnum, "making a thread");
	/* It is joined before the kernel lets go, and has no number any longer behind that. */
	while (ptrace_is_thread(getpid(), c.lwp))
		sched_yield();
	return c.err;
}
