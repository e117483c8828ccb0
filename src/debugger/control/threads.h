/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads: the numbers by which users call the threads of a process, and what they want of them.
 * A number is never given to another thread, until the program is started anew.
 */
#ifndef DEBUGGER_THREADS_H
#define DEBUGGER_THREADS_H

#include "ompd/picture/picture.h"
#include "target/process/target.h"

struct numbered_thread {
	int number; /* from 1 on                                                        */
	pid_t lwp;
	char *name;  /* owned; given by the user; NULL: none                             */
	bool frozen; /* the user's wish: it stays where it is when the program goes on   */
	bool ended;
};

struct threads {
	VEC(struct numbered_thread) items; /* owned, and what they point to; by number */
};
void threads_fini(struct threads *t);

/* Numbers those that have no number and whose making has been told, and marks those that are gone.
 */
MUST_CHECK struct error *threads_update(struct threads *t, const struct target *target);

/* One has been made; it is told once. */
MUST_CHECK struct error *threads_add(struct threads *t, pid_t lwp);

/* An exec has made thread "was" the leader, and ended all others. */
void threads_exec(struct threads *t, pid_t was, pid_t leader);

/* Of those that live; NULL: none. */
struct numbered_thread *threads_by_number(const struct threads *t, int number);
struct numbered_thread *threads_by_lwp(const struct threads *t, pid_t lwp);

/* Notes which threads of a picture of the process are frozen. */
void threads_mark_held(const struct threads *t, struct picture *p);

/* It has, or has had, more than one. */
bool threads_are_many(const struct threads *t);

#endif
