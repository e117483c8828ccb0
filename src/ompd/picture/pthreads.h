/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pthreads: which thread of the target has which pthread id.
 *
 * With glibc on x86-64 a pthread_t is the thread pointer (nptl/descr.h: struct pthread begins with
 * the TCB, which begins with its own address), so registers tell it.
 */
#ifndef OMPD_PTHREADS_H
#define OMPD_PTHREADS_H

#include "ompd/picture/by_address.h"
#include "target/process/target.h"

struct pthreads {
	struct target *target;    /* borrowed                                  */
	taddr *ids;               /* owned; by index of the thread; 0: unknown */
	struct by_address by_ids; /* indices of threads                        */
};

/*
 * Reads the registers of all stopped threads; or of one, and of the first. Errors only for lack of
 * memory.
 */
MUST_CHECK struct error *pthreads_read(struct target *t, const struct thread *only,
				       struct pthreads *ret);
void pthreads_fini(struct pthreads *p);

/* Index of the thread with that id; -1: none. */
int pthreads_find(const struct pthreads *p, taddr id);

/* The LWP that holds a mutex (pthread_mutex_t) at an address, which may be 0. 0: none, or unknown.
 */
pid_t pthreads_mutex_owner(struct target *t, taddr mutex);

/*
 * Who joins a thread sleeps until the kernel clears the word that has its number
 * (CLONE_CHILD_CLEARTID in clone(2)). Index of the thread whose word that is; -1: none.
 */
int pthreads_joined(const struct pthreads *p, taddr word);

#endif
