/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arrivals: which threads of each team have come to the barrier that it is at: the last one arrives
 * before anybody leaves.
 *
 * Who was at a barrier before anybody counted is not known: the arrivals at that one do not count,
 * for those who leave it are taken back.
 */
#ifndef DEBUGGER_ARRIVALS_H
#define DEBUGGER_ARRIVALS_H

#include "debugger/session.h"

struct arrivals {
	struct {
		taddr team;
		pid_t lwp;
	} * items; /* owned */
	size_t len, cap;
	struct buf team, size;    /* owned; what the tracer would compute; of the modules... */
	unsigned long generation; /* ...that there were then, and how many                   */
	size_t nmodules;
};
void arrivals_fini(struct arrivals *a);

/* A thread comes to a barrier. *ret_all: it is the last one. UNSUPPORTED: its team is not known. */
MUST_CHECK struct error *arrivals_enter(struct arrivals *a, const struct session *s,
					struct thread *th, bool *ret_all);
/* A thread has left one. */
void arrivals_leave(struct arrivals *a, pid_t lwp);

#endif
