/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Programs: several programs that are started at once, and what they print.
 *
 * Each is the leader of a process group of its own, so what a terminal sends does not reach it, and
 * it is told to end (SIGTERM) when its parent does, however that ends.
 */
#ifndef BASE_PROGRAMS_H
#define BASE_PROGRAMS_H

#include <sys/types.h>

#include "base/buf.h"

enum program_end {
	PROGRAM_RUNS,
	PROGRAM_EXITED,      /* with "status"                                     */
	PROGRAM_KILLED,      /* by signal "status"                                */
	PROGRAM_LATE,        /* it was ended for want of time                     */
	PROGRAM_INTERRUPTED, /* because the user did not want to wait             */
	PROGRAM_TOO_MUCH,    /* because it has printed more than "most"           */
	PROGRAM_UNSTARTED,   /* there is no such program, ...: errno is "status"  */
};

struct program {
	VEC(char *) words;    /* owned; its name, and its arguments                */
	const struct buf *in; /* borrowed; what it reads; NULL: nothing               */
	struct buf out, err;  /* owned; what it has printed; of err the first 64 KB   */
	enum program_end end;
	int status;
	pid_t pid;    /* private */
	int pipes[4]; /* private */
	size_t given; /* private; of "in"                                           */
};
void program_fini(struct program *p);

/* Adds a word, a copy; the last is NULL. false: out of memory. */
bool program_add_word(struct program *p, const char *word);

struct programs_options {
	size_t at_once; /* how many run at the same time, at most           */
	size_t most;    /* bytes that one may print                      */
	size_t seconds; /* for all of them together                      */
	void (*waits)(void *context, size_t left); /* called now and then; NULL    */
	void *context;
};

/*
 * Starts them; those for which there is no room yet wait until programs_finish(). Its caller does
 * something else meanwhile, but not for long: nobody reads what they print.
 */
void programs_start(struct program *programs, size_t n, const struct programs_options *o);

/*
 * Until all have ended, or the time is over (counted from here), or an interrupt is pending
 * (base/interrupt.h), which is not taken: none runs any longer then.
 */
void programs_finish(struct program *programs, size_t n, const struct programs_options *o);

#endif
