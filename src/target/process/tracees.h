/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tracees: the threads of a live process as ptrace(2) sees them: seized, stopped, resumed, told
 * about, let go. The essay in target.h explains it; live.c turns it into a target.
 *
 * The threads themselves are the target's; this changes their state, and nobody else does.
 */
#ifndef TARGET_TRACEES_H
#define TARGET_TRACEES_H

#include "target/process/target.h"

/* A process that a thread of ours made, attached by the kernel and still standing. */
struct tracee_child {
	pid_t parent_lwp, pid;
};

struct tracees {
	struct target *target;   /* borrowed; whose threads they are                 */
	struct lwp_list refused; /* owned; dying threads that could not be attached  */
	struct {
		struct tracee_child *items; /* owned */
		size_t len, cap;
	} children;
	pid_t last_reported; /* where tracees_wait() looks on                    */
	bool exit_kill;      /* the kernel kills them when ompdb dies            */
	bool new_program;    /* set by an exec; live.c looks and clears it       */
	bool some_gone;      /* a thread has ended since unknown ones were looked for */
	bool end_told;       /* of the process                                   */
};

/* Frees what is not the threads'. */
void tracees_fini(struct tracees *ts);

/* Seizes and stops every thread of the process; finding none is no error here. */
MUST_CHECK struct error *tracees_seize_all(struct tracees *ts);

/* Seizes one thread that runs, and lets it run. */
MUST_CHECK struct error *tracees_seize_running(struct tracees *ts, pid_t lwp);

/* As the functions of the same name in target.h. */
MUST_CHECK struct error *tracees_stop_all(struct tracees *ts);
MUST_CHECK struct error *tracees_resume(struct tracees *ts, struct thread *th, enum resume_how how);
MUST_CHECK struct error *tracees_wait(struct tracees *ts, long timeout_us, struct event *ret);
MUST_CHECK struct error *tracees_detach(struct tracees *ts);
MUST_CHECK struct error *tracees_kill(struct tracees *ts);

#endif
