/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tracees: the threads of a live process as ptrace(2) sees them, and the processes that they made
 * and that are still ours: who there is, and what belongs to all of them. The threads are the
 * target's. tracee.h says what happens to one; seize.h attaches to them, halt.h stops them,
 * run.h resumes them and waits, let_go.h ends it.
 *
 * A child is a process that a thread made. One that has its own memory is let go as soon as its
 * maker is resumed. One that shares the memory (vfork, CLONE_VM) stays ours, and goes on
 * silently, until it runs another program or ends: it may come upon any site.
 */
#ifndef TARGET_TRACEES_H
#define TARGET_TRACEES_H

#include "target/process/copies.h"
#include "target/process/events.h"
#include "target/process/kept_registers.h"
#include "target/process/kept_signals.h"
#include "target/process/points.h"
#include "target/process/site.h"
#include "target/process/target.h"

struct tracees {
	struct target *target; /* borrowed; whose threads they are                   */
	struct thread_list children;
	struct events events;
	struct kept_signals kept;
	struct kept_registers before; /* what threads get back when they are let go   */
	struct sites sites;
	struct points points;
	struct notes notes;
	struct absences absences;
	struct copies copies;
	struct debug_registers debug;
	uint64_t passed;         /* signals that are not told: bit 1 << (number - 1) */
	bool no_shadows;         /* the kernel knows no shadow stacks */
	struct lwp_list refused; /* owned; dying threads that could not be attached      */
	struct call_set calls;   /* system calls that are told                           */
	size_t nstepping;        /* threads in THREAD_STEPPING                           */
	size_t hints;            /* that were followed since all were looked at          */
	long swept_us;           /* when each of them was asked, if there are many       */
	bool exit_kill;          /* the kernel kills them when ompdb dies                */
	bool new_program;        /* set by an exec; live.c looks and clears it           */
	bool some_gone;          /* a thread has ended since unknown ones were looked for */
	bool end_told;           /* of the process                                       */
};

/* How long to wait for threads that were told to stop or to die, in microseconds. */
enum {
	PATIENCE_D = 300 * 1000,     /* while it is in state D                       */
	PATIENCE = 10 * 1000 * 1000, /* for any other: it may have to get a CPU first */
	LOOK_INTERVAL = 50 * 1000,   /* between looks at what holds it up             */
	SPIN = 50,                   /* poll before sleeping: a wake-up costs as much  */
};

/* Frees what is not the threads'. */
void tracees_fini(struct tracees *ts);

/* Threads first, then children: by number, since reports add to both. */
size_t tracees_len(const struct tracees *ts);
struct thread *tracees_at(const struct tracees *ts, size_t i);

/* How many threads of the target are in a state. */
size_t tracees_count(const struct tracees *ts, enum thread_state state);

/* The thread or child with that LWP; NULL: there is none that is ours. */
struct thread *tracees_find(const struct tracees *ts, pid_t lwp);

/* Frees the children that are gone, and the target's threads. */
void tracees_drop_gone(struct tracees *ts);

/* Gives away a child that stands, as the first thread of another target. */
MUST_CHECK struct error *tracees_give(struct thread *child, struct tracees *to);

/*
 * The general registers of a thread that stands, borrowed; GONE: it has been killed. What is
 * changed in them, and marked in general_changed, goes to the kernel before the thread goes on, or
 * earlier.
 */
MUST_CHECK struct error *tracees_general(struct tracees *ts, struct thread *th,
					 const uint8_t **ret);
/* A thread that has arrived at a site is sent elsewhere, with those general registers. If it comes
 * back with what it has now, it has never been away; unless its stack shrinks with that: whoever
 * comes to where a called function has returned to has not been there before. */
MUST_CHECK struct error *tracees_leave_site(struct tracees *ts, struct thread *th,
					    const uint8_t *general);
MUST_CHECK struct error *tracees_flush(struct tracees *ts, struct thread *th);

/* Asleep for longer than an instruction takes: only a system call does that; or dead in one. */
bool tracees_sleeps(const struct thread *th, long waited_us);

/* Dying threads answer ESRCH, and their end is collected later: NULL for that error. Takes err. */
MUST_CHECK struct error *tracees_unless_gone(struct error *err);

#endif
