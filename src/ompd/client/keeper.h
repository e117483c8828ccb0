/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Keeper: a child process, and a thread of ours that waits until it has ended.
 *
 * The kernel tells a process that its parent is dead (PR_SET_PDEATHSIG) when the thread ends that
 * made it, and a thread that only visits a target (visit.h) soon does. The keeper ends neither
 * before the child nor after ompdb.
 */
#ifndef OMPD_KEEPER_H
#define OMPD_KEEPER_H

#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>

struct keeper {
	pid_t pid; /* 0: there is no child */

	/* private */
	pthread_t thread;
	sem_t forked;
	void (*run)(void *context, pid_t parent);
	void *context;
	int errnum;
};

/* Calls run() in a child. It must not return. Returns 0, or an errno: there is no child. */
int keeper_start(struct keeper *k, void (*run)(void *context, pid_t parent), void *context);

/* Kills the child, if it lives. Returns its status as of waitpid(2), which may be how it had ended.
 */
int keeper_end(struct keeper *k);

#endif
