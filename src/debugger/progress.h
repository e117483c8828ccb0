/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Progress: what changes in a process from one look at it to the next.
 *
 *   progress_new()
 *   target_visit(): snapshot_take(), progress_add()    first look
 *   progress_begin()                                   the process runs undisturbed
 *   ...
 *   progress_end()
 *   target_visit(): snapshot_take(), progress_add()    second look, and so on
 *
 * A thread stands still if its stack, what it waits for and the runtime's counters are the same in
 * all looks, and if it has used no CPU time between them unless it polls in one and the same wait.
 *
 * Of a thread that waits the stack counts from the user's frame that called the runtime or libc
 * outwards: inside them it may poll. What one of two looks could not tell counts as the same. Of
 * one that is in a call of MPI's the kernel counts how often it returns from that between two
 * looks: one that passes messages to and fro without end looks the same each time.
 */
#ifndef DEBUGGER_PROGRESS_H
#define DEBUGGER_PROGRESS_H

#include "debugger/snapshot.h"

struct progress_thread {
	pid_t lwp;
	bool moved; /* its stack, its wait, or a counter of its team is another one; it has left a
		       call of MPI's; or it is new                                         */
	bool uncounted; /* it may have left that call, and come back unseen                  */
	bool unchanged; /* what it looks at until that changes was the same in two looks      */
	double load;    /* CPU time in the time watched: 0 to 1, not counting inexact clocks;
			   negative: unknown                                               */
};

struct progress {
	bool stands; /* the program stands still at ompdb's prompt: there is one moment alone */
	unsigned int looks;
	double seconds;    /* from the first look to the last                             */
	long barriers;     /* that teams have passed from the first look to the last, in all;
			      -1: unknown                                                    */
	unsigned int cpus; /* that any of its threads may use; 0: unknown                     */
	bool halted;       /* between looks job control had stopped the process (state T)       */
	bool handlers;     /* of signals that timers or other processes send: there are some      */
	VEC(struct progress_thread) threads; /* of the last look, in its order              */
};

/* How thread i of the last look went on; NULL: not known, or it was the only look. */
static inline const struct progress_thread *progress_thread(const struct progress *p, int i)
{
	return p->looks > 1 && (size_t)i < p->threads.len ? &p->threads.items[i] : NULL;
}

struct progress_meter;

struct progress_meter *progress_new(void); /* NULL: out of memory */
void progress_free(struct progress_meter *m);
CLEANUP(progress, struct progress_meter)
#define AUTO_PROGRESS_METER AUTO(progress_cleanup) struct progress_meter

/* Of a look, the picture and the raw stack of each of its threads. Errors only for lack of memory.
 */
MUST_CHECK struct error *progress_add(struct progress_meter *m, const struct picture *p,
				      const struct unwind_stack *raw);

/*
 * Read the CPU time of the threads of the last look, while ompdb does not hold the process stopped.
 * pid 0, a core file, does nothing. What cannot be read stays unknown. The first waits, for a
 * moment at most, until threads that slept when they were stopped have gone back to sleep: what
 * they do for that is no progress.
 */
void progress_begin(struct progress_meter *m, pid_t pid);
void progress_end(struct progress_meter *m, pid_t pid);

/*
 * Some thread spins, and has stood still so far, but had no time to show that it does: look again.
 */
bool progress_is_open(const struct progress_meter *m);

MUST_CHECK struct error *progress_get(const struct progress_meter *m, struct progress *ret);
void progress_fini(struct progress *p);
#define AUTO_PROGRESS AUTO(progress_fini) struct progress

#endif
