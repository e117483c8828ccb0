/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Kept_signals: what threads were about to receive in the middle of a step, until the step is over.
 *
 * They are sent again then, and are told and delivered as if they had just come. What the handler
 * is told of a signal stays the same.
 */
#ifndef TARGET_KEPT_SIGNALS_H
#define TARGET_KEPT_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"

struct kept_signal {
	siginfo_t info;
	pid_t lwp;
	bool sent; /* again, with a siginfo that is to be put right */
};

struct kept_signals {
	struct kept_signal *items; /* owned */
	size_t len, cap;
};

void kept_signals_fini(struct kept_signals *k);

/* Keeps the signal that a stopped thread is about to receive. */
MUST_CHECK struct error *kept_signals_add(struct kept_signals *k, pid_t lwp);

/* Sends a thread of process pid what was kept from it. */
void kept_signals_send(struct kept_signals *k, pid_t pid, pid_t lwp);

/* What was sent to a stopped thread again comes as soon as it goes on. */
bool kept_signals_are_due(const struct kept_signals *k, pid_t lwp);

/* A thread is about to receive a signal: puts its siginfo right, if it was sent again. */
void kept_signals_restore(struct kept_signals *k, pid_t lwp, int signal);

/* Forgets a thread that is gone. */
void kept_signals_drop(struct kept_signals *k, pid_t lwp);

#endif
