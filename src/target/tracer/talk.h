/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Talk: how a traced target (traced.h) asks its tracer, and what it learns by that.
 *
 * Every answer brings news of the program first, which are entered into the target here.
 */
#ifndef TARGET_TALK_H
#define TARGET_TALK_H

#include "target/process/identity.h"
#include "target/process/live_files.h"
#include "target/tracer/protocol.h"
#include "target/tracer/roll.h"
#include "target/tracer/spawn.h"

/* An event that came, and has not been told to the caller. */
struct told_event {
	struct event event;
	pid_t lwp;           /* its thread              */
	struct error *error; /* owned; told in its place */
};

struct traced {
	struct target base;
	struct live_files files; /* its memory was handed over                              */
	struct identity identity;
	struct roll roll;
	struct patch_list patches;
	uid_t uids[4]; /* when it was opened: set-user-ID programs change them              */
	struct spawned
		*tracer; /* owned, together with the targets of its children; NULL: it is gone */
	int socket;
	bool launched;
	bool debug_registers; /* a point was set that needs one */
	bool passes;          /* it has been told which signals are passed untold: those   */
	uint64_t passed;
	uint32_t heard; /* events                                                           */
	bool waits;     /* the tracer was asked to wait, and has not told what ends that    */
	bool quiet;     /* it has said that there is nothing to tell: once, a wait without
			   time need not ask */
	bool stopped;   /* with the last event: the next target_stop_all() is free          */
	struct {
		struct told_event *items; /* owned */
		size_t len, cap;
	} told;
	unsigned int general_asked; /* since threads have run: how many sets               */
};

/*
 * Begins a question, to which the caller adds parameters; asks it, and has the answer in place of
 * it: *ret is what it says besides, borrowed from it. GONE: the tracer is.
 */
struct message talk_question(struct traced *tr, enum protocol_kind kind);
MUST_CHECK struct error *talk_ask(struct traced *tr, struct message *m, struct cursor *ret);

/* A question that has numbers for parameters, and no results. */
MUST_CHECK struct error *talk_ask_numbers(struct traced *tr, enum protocol_kind kind, size_t n,
					  const uint64_t *numbers);
#define TALK(tr, kind, ...)                                                                        \
	talk_ask_numbers(tr, kind, sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t),         \
			 (uint64_t[]){ __VA_ARGS__ })

/*
 * Asks the tracer to wait, and with "now" set to say at once if there is nothing to tell; hears
 * what it tells then: it is in "told" if it was an event.
 */
MUST_CHECK struct error *talk_begin_wait(struct traced *tr, bool now);
MUST_CHECK struct error *talk_hear_event(struct traced *tr);

/* As the op of the target; of general ones the first is asked for alone, then all there are. */
MUST_CHECK struct error *talk_get_regset(struct traced *tr, struct thread *th, enum regset set,
					 void *ret, size_t *len);

/* Sets of general registers with their threads in front, up to a 0. */
void talk_take_general(struct traced *tr, struct cursor *in);

/* Registers that are known are those of the time before. */
void talk_forget_registers(struct traced *tr);

/* What has not been told is of no interest any longer. */
void talk_drop_events(struct traced *tr);

/* A thread whose files in /proc tell about the process, not a leader that has exited; 0: none. */
pid_t talk_living_thread(const struct traced *tr);

/* Ends the tracer, and waits for that. */
void talk_end(struct traced *tr);

#endif
