/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait: what each thread waits for. In a runtime, the entry tells that the thread is in, and the
 * address that it sleeps for or polls; outside, the system call and the library function around it.
 *
 * The states that OMPD libraries give are often wrong (libompd says "work" for taskwait, and "lock"
 * for a critical construct) and are not used.
 */
#ifndef OMPD_WAIT_H
#define OMPD_WAIT_H

#include "ompd/client/walk_state.h"

/* The user's frames of a thread, from one on to before another one. */
struct sites wait_sites(const struct walk *w, int thread, size_t from, size_t end);

/* Sets the waits of all threads; borders must be found. */
void wait_find(struct walk *w);

#endif
