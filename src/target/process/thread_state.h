/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Thread_state: what may happen next to a thread of a live process, as a table.
 *
 * A thread is in one state. What the kernel reports of it and what ompdb wants of it are inputs;
 * each leads to a state, to something that is asked of the kernel, and perhaps to an event for
 * the caller of target_wait(). Pure: nothing here talks to the kernel. The essay in target.h says
 * what the states mean together.
 */
#ifndef TARGET_THREAD_STATE_H
#define TARGET_THREAD_STATE_H

#include "target/process/stop.h"

enum thread_state {
	/* It stands still, and its registers can be read. */
	THREAD_STOPPED, /* nothing is left to be told: it may be resumed             */
	THREAD_PENDING, /* what it reported waits in the queue, and it waits for that */
	THREAD_NEW,     /* at its first instruction: it waits until its making is told */

	/* It goes on. */
	THREAD_RUNNING,   /* until something happens                                 */
	THREAD_STEPPING,  /* for one instruction, of which it then tells             */
	THREAD_PASSING,   /* for one instruction, to get over a site; silently       */
	THREAD_LISTENING, /* as far as job control lets it; CONT would break that    */

	/* Its stop is due. */
	THREAD_STARTING, /* attached by the kernel, not yet seen                      */
	THREAD_STOPPING, /* an interrupt is on its way                              */
	THREAD_STUCK,    /* the same, given up: it sleeps where no signal reaches it */
	THREAD_LEAVING,  /* it is detached as soon as it stops                       */

	/* It has ended. */
	THREAD_ZOMBIE, /* the leader, while other threads live on                  */
	THREAD_ENDED,  /* the leader, with the process: that waits in the queue    */
	THREAD_GONE,   /* reaped, replaced by an exec, or detached                 */
};
enum { THREAD_STATES = THREAD_GONE + 1 };

enum thread_input {
	/* The kernel reports. */
	REPORT_INTERRUPTED, /* our interrupt, or a first stop                                 */
	REPORT_GROUP,       /* stopped by job control                                         */
	REPORT_GROUP_OVER,  /* job control lets it go on; to most states, an interrupt        */
	REPORT_STEPPED,     /* one instruction is done                                        */
	REPORT_SIGNAL,      /* a signal that can as well be delivered after a step            */
	REPORT_PASSED,      /* the same, and it is not told but delivered at once              */
	REPORT_EVENT,       /* everything else that is to be told                             */
	REPORT_END,         /* of this thread                                                 */
	REPORT_PROCESS_END, /* of the leader                                                  */
	REPORT_LOST,        /* it is no tracee of ours any longer                             */

	/* ompdb wants. */
	WANT_STOP,     /* who steps is about to stop by itself                                */
	WANT_STOP_NOW, /* who steps sleeps: its step is given up                              */
	WANT_CONTINUE,
	WANT_LISTEN, /* to go on from a group-stop                                           */
	WANT_STEP,
	WANT_PASS,
	WANT_RELEASE, /* to let it go its own way                                             */

	/* ompdb has seen. */
	SEEN_TOLD,    /* the caller knows its event, or of its making                          */
	SEEN_STUCK,   /* it does not stop within limits                                        */
	SEEN_ZOMBIE,  /* it does not stop: it is dead                                          */
	SEEN_ASLEEP,  /* passing a site, it sleeps in a system call: behind the site            */
	SEEN_KILLED,  /* SIGKILL is sent: where it stands, its end is due                      */
	SEEN_STEPPED, /* its instruction was done for it: it stands behind it                  */
};
enum { THREAD_INPUTS = SEEN_STEPPED + 1 };

/* What is asked of the kernel. */
enum thread_ask {
	ASK_NOTHING,
	ASK_INTERRUPT,
	ASK_CONT,
	ASK_STEP,
	ASK_HOLD, /* keep the signal for after the step, and step again */
	ASK_LISTEN,
	ASK_DETACH,
};

struct thread_move {
	enum thread_state to;
	enum thread_ask ask;
	bool tell; /* what was reported is an event */
};

/* What follows from an input; what a state has no answer to changes nothing. */
struct thread_move thread_move(enum thread_state from, enum thread_input input);

/* The input that a report is. */
enum thread_input thread_input_of(const struct stop *stop, bool is_leader);

/* It stands still: registers can be read, and it may be told to go on. */
bool thread_state_stands(enum thread_state s);
/* It will stop without being told to. */
bool thread_state_is_due(enum thread_state s);
/* It executes one instruction. */
bool thread_state_is_step(enum thread_state s);
/* Nothing more comes from it. */
bool thread_state_is_over(enum thread_state s);

/* "stopped", "stepping": for logs and tests. */
const char *thread_state_name(enum thread_state s);

#endif
