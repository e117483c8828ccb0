/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tracee: what the kernel reports of one of the tracees, and what it is asked. This changes their
 * state, as thread_state.h says, and nobody else does.
 */
#ifndef TARGET_TRACEE_H
#define TARGET_TRACEE_H

#include "target/process/tracees.h"

/* The one place where a state changes: asks the kernel for what follows, queues what is to tell. */
MUST_CHECK struct error *tracee_move(struct tracees *ts, struct thread *th,
				     enum thread_input input);

/* A thread that the kernel has attached: its first stop is due. */
MUST_CHECK struct error *tracee_adopt(struct tracees *ts, pid_t lwp);

/* Collects the report of one of them, if there is one; every report there is. */
MUST_CHECK struct error *tracee_collect(struct tracees *ts, struct thread *th);
/* As tracee_collect(), of one that is said to have reported: sooner, if it has come to a trap. */
MUST_CHECK struct error *tracee_collect_hinted(struct tracees *ts, struct thread *th);
MUST_CHECK struct error *tracee_sweep(struct tracees *ts);

#endif
