/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Run: resuming the threads of a live process, and waiting for what they tell. The essay in
 * target.h explains it.
 */
#ifndef TARGET_RUN_H
#define TARGET_RUN_H

#include "target/process/tracee.h"

/* As the functions of the same name in target.h. */
MUST_CHECK struct error *run_resume(struct tracees *ts, struct thread *th, enum resume_how how);
MUST_CHECK struct error *run_step_ranges(struct tracees *ts, const struct range_step *steps,
					 size_t n);
MUST_CHECK struct error *run_wait(struct tracees *ts, long timeout_us, struct event *ret);

/* As live_may_tell(). */
bool run_may_tell(const struct tracees *ts);

/* After an exec: lets go who still shares the memory that it replaced, and forgets the sites. */
MUST_CHECK struct error *run_follow_exec(struct tracees *ts);

#endif
