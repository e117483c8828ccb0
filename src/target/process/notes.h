/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Notes: who has entered which functions and will return from them, and with which arguments.
 *
 * A thread at a point that notes (point.h) has just been called. What it returns to is known, and
 * what its stack pointer will be then: by these a point there tells who returns from who comes
 * along by another way. Frames that were left without a return leave notes, too: these are dropped
 * as soon as the thread is seen further out. Pure.
 */
#ifndef TARGET_NOTES_H
#define TARGET_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "target/cpu/arch.h"

struct note {
	pid_t lwp;
	taddr function;                     /* its first instruction                     */
	taddr sp;                           /* the stack pointer where it has returned   */
	bool blank;                         /* nobody has seen its arguments             */
	uint64_t arguments[ARCH_ARGUMENTS]; /* in registers, when it was called          */
};

struct notes {
	struct note *items; /* owned */
	size_t len, cap;
};

void notes_fini(struct notes *n);

/* Of one call there is one note. Those that the thread must have left are dropped. */
MUST_CHECK struct error *notes_add(struct notes *n, const struct note *note);

/* A note of one that has been in there for longer: says nothing of other calls. */
MUST_CHECK struct error *notes_put(struct notes *n, const struct note *note);

/* The note of a thread that returns from a function to where its stack pointer is that; NULL. */
const struct note *notes_find(const struct notes *n, pid_t lwp, taddr function, taddr sp);

/* A thread whose stack pointer is that has left all that it was in further down. */
void notes_end(struct notes *n, pid_t lwp, taddr sp);

/* Forgets a thread; with 0 all. */
void notes_drop(struct notes *n, pid_t lwp);

#endif
