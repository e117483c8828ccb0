/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events: what the caller of target_wait() has still to be told, in the order in which it was
 * noticed; the end of the process goes last, the outcome of a step first.
 */
#ifndef TARGET_EVENTS_H
#define TARGET_EVENTS_H

#include "target/process/target.h"

/* Thousands of threads may come at once, and are told one by one: none of them moves for that. */
struct events {
	struct event *items; /* owned; the threads are borrowed      */
	size_t len, cap;
	size_t first; /* of those that are left; what is before is gone */
};

void events_fini(struct events *e);

/* Adds what a thread has to tell in its place: one of each thread. false: out of memory. */
bool events_add(struct events *e, struct thread *th);

/* How many are left. */
size_t events_count(const struct events *e);

/* The next one to be told, borrowed until the queue changes; NULL: there is none. */
const struct event *events_first(const struct events *e);

/* Takes a thread's event out: it has been told, or is of no interest any longer. */
void events_drop(struct events *e, const struct thread *th);

#endif
