/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Run: stopping, resuming and waiting for the threads of a live process. The essay in target.h
 * explains it. Nothing below this line asks for one thread at a time what it can ask for all: here
 * a tracer in a process of its own may be cut off.
 */
#ifndef TARGET_RUN_H
#define TARGET_RUN_H

#include "target/process/tracee.h"

/* As the functions of the same name in target.h. */
MUST_CHECK struct error *run_stop_all(struct tracees *ts);
MUST_CHECK struct error *run_resume(struct tracees *ts, struct thread *th, enum resume_how how);
MUST_CHECK struct error *run_step_range(struct tracees *ts, struct thread *th, taddr start,
					taddr end);
MUST_CHECK struct error *run_wait(struct tracees *ts, long timeout_us, struct event *ret);

/* After an exec: lets go who still shares the memory that it replaced, and forgets the sites. */
MUST_CHECK struct error *run_follow_exec(struct tracees *ts);

/* Stops the children and lets each go its own way, without traps. */
MUST_CHECK struct error *run_release_children(struct tracees *ts);

/* For seize.c: parts of stopping them all. */
MUST_CHECK struct error *run_interrupt_threads(struct tracees *ts);
MUST_CHECK struct error *run_await_stops(struct tracees *ts);
MUST_CHECK struct error *run_adopt_ours(struct tracees *ts, pid_t lwp);
MUST_CHECK struct error *run_adopt_unknown(struct tracees *ts);

#endif
