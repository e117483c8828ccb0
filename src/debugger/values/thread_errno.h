/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread_errno: what a thread has in errno while it calls a function for the user: the program may
 * be about to look at it.
 */
#ifndef DEBUGGER_THREAD_ERRNO_H
#define DEBUGGER_THREAD_ERRNO_H

#include "debugger/session.h"

struct thread_errno {
	taddr at; /* 0: not known, as in programs without the C library's symbols */
	uint32_t value;
};

/* Of a thread that stands. */
struct thread_errno thread_errno_find(struct session *s, struct thread *th);

/* What it is now; false: it cannot be read. */
bool thread_errno_now(const struct thread_errno *e, struct target *t, uint32_t *ret);

/* As it was. A value that cannot be put back is left: nobody is told. */
void thread_errno_put_back(const struct thread_errno *e, struct target *t);

#endif
