/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wait_mark: whether a thread waits for others for good, as far as it is concerned: by looks at it,
 * and never by how long they are apart.
 */
#ifndef DEBUGGER_WAIT_MARK_H
#define DEBUGGER_WAIT_MARK_H

#include "debugger/progress.h"

/* What a thread that spins had done by the last look; all 0: there was none. */
struct wait_mark {
	uint64_t footprint, cpu_ns;
};

/* In the runtime, or for another thread: the world outside, and time, come by themselves. */
bool wait_is_blocked(const struct picture_thread *th);

/*
 * The same, and it cannot be about to go on: it sleeps for what has not come, or has spun for it
 * since the last look, on a processor. Who has got none for a while is no different from before.
 */
bool wait_mark_holds(struct wait_mark *mark, const struct target *t,
		     const struct picture_thread *th);

/* Of threads by LWP. */
struct wait_marks {
	struct wait_mark_of {
		pid_t lwp;
		struct wait_mark mark;
	} * items; /* owned */
	size_t len, cap;
};
void wait_marks_fini(struct wait_marks *l);
/* wait_mark_holds() of its mark. */
bool wait_marks_hold(struct wait_marks *l, const struct target *t, const struct picture_thread *th);
/*
 * The same of all threads of a picture, as why_verdict_find() wants it: those whose mark does not
 * hold, and that do not sleep, may have moved.
 */
MUST_CHECK struct error *wait_marks_pace(struct wait_marks *l, const struct target *t,
					 const struct picture *p, struct progress *ret);

/* On a processor, or about to be: no system call is interrupted by looking at it. */
bool wait_is_busy(const struct target *t, pid_t lwp);
bool wait_sleeps_in_futex(const struct target *t, pid_t lwp);

#endif
