/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/keeper.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child stays a zombie, so that its number is no other's when it is killed. */
static void *keep(void *context)
{
	struct keeper *k = context;
	pid_t parent = getpid(), child = fork();
	siginfo_t info;

	if (child == 0)
		k->run(k->context, parent);
	k->errnum = child < 0 ? errno : 0;
	k->pid = child < 0 ? 0 : child;
	sem_post(&k->forked);
	if (child > 0)
		TEMP_FAILURE_RETRY(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	return NULL;
}

int keeper_start(struct keeper *k, void (*run)(void *context, pid_t parent), void *context)
{
	sigset_t all, before;

	*k = (struct keeper){ .run = run, .context = context };
	sem_init(&k->forked, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for other threads */
	int errnum = pthread_create(&k->thread, NULL, keep, k);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum)
		return errnum;
	TEMP_FAILURE_RETRY(sem_wait(&k->forked));
	if (!k->pid)
		pthread_join(k->thread, NULL);
	return k->errnum;
}

int keeper_end(struct keeper *k)
{
	int status = 0;

	kill(k->pid, SIGKILL);
	pthread_join(k->thread, NULL);
	TEMP_FAILURE_RETRY(waitpid(k->pid, &status, 0));
	sem_destroy(&k->forked);
	k->pid = 0;
	return status;
}
