/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Called: functions of the program that the user has called and that have not returned yet, the
 * last one at the end. Each has made a frame of the debugger's: what it returns to is a place that
 * the thread has long left, where a point tells its return; behind that frame the thread is as it
 * was (struct unwind_break).
 */
#ifndef DEBUGGER_CALLED_H
#define DEBUGGER_CALLED_H

#include "debugger/control/call_sleep.h"
#include "debugger/values/thread_errno.h"

struct called {
	unsigned int point; /* of the target, at its return                         */
	pid_t lwp;
	taddr at, sp;               /* where it returns to, and the stack pointer then       */
	struct register_sets saved; /* owned: what the thread was                            */
	struct call_sleep sleep;    /* what the kernel goes on with                          */
	struct thread_errno number; /* the C library's errno                                 */
	int signal;                 /* that it was about to be given                         */
};

struct called_list {
	struct called *items; /* owned, and what they own */
	size_t len, cap;
};

/* The target is gone. */
void called_forget(struct called_list *l);

struct called *called_find(const struct called_list *l, unsigned int point);

/* Notes one, and sets its point; takes over what it owns, in any case. All threads stand. */
MUST_CHECK struct error *called_add(struct called_list *l, struct session *s, struct called *one);

/* The thread is as it was before the call; that, and those it has made since, are forgotten. */
MUST_CHECK struct error *called_undo(struct called_list *l, struct session *s, struct called *one);

#endif
