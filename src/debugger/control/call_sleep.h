/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_sleep: a thread that sleeps in the kernel for a limited time when it is made to call a
 * function.
 *
 * The kernel notes once for each thread how such a system call (nanosleep, poll, futex...) goes on
 * (ERESTART_RESTARTBLOCK). A function that sleeps itself writes over that, and the call before it
 * would return EINTR, which no program expects that handles no signals. Then it is made once more
 * with its own arguments: it takes longer than it should, which all of them may.
 */
#ifndef DEBUGGER_CALL_SLEEP_H
#define DEBUGGER_CALL_SLEEP_H

#include "debugger/session.h"

struct call_sleep {
	bool sleeps;       /* the kernel would go on with its system call */
	uint64_t number;   /* of that                                     */
	uint64_t switches; /* how often the thread has slept by then      */
};

/* What it is in, before its registers are changed. All threads stand. */
struct call_sleep call_sleep_find(struct session *s, struct thread *th);

/* "general": the registers that the thread is given back. */
void call_sleep_settle(const struct call_sleep *sleep, const struct target *t, pid_t lwp,
		       uint8_t *general);

#endif
