/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Crash: how a program has ended by a signal, or is about to: the one that a core file was written
 * for, that has stopped a thread under the debugger, or in whose handler a thread stands.
 *
 * Signals that somebody has sent from outside are none: kill -ABRT is how cores of programs that
 * hang are made.
 */
#ifndef OMPD_CRASH_H
#define OMPD_CRASH_H

#include "target/cpu/arch.h"

enum crash_cause {
	CRASH_NOT,
	CRASH_NULL,      /* an address near 0 was used                                  */
	CRASH_STACK,     /* the thread's stack is full                                  */
	CRASH_UNMAPPED,  /* there is no memory                                          */
	CRASH_PROTECTED, /* there is, but not for that: read-only, or without any access  */
	CRASH_WILD,      /* an address that no memory can have; the kernel does not say it */
	CRASH_ALIGNMENT,
	CRASH_TRUNCATED, /* beyond the end of a mapped file, or broken memory            */
	CRASH_DIVISION,  /* of an integer, by zero                                      */
	CRASH_ARITHMETIC,
	CRASH_INSTRUCTION,
	CRASH_FORBIDDEN, /* a system call, by seccomp                                    */
	CRASH_ABORT,
	CRASH_EXCEPTION, /* of C++, that nobody has caught                              */
	CRASH_RAISED,    /* the thread has sent the signal to itself                    */
	NUM_CRASH_CAUSES,
};

struct crash_traits {
	const char *name; /* for JSON: "null-pointer" */
	const char *text; /* in a sentence, after a colon: "it used a null pointer"        */
	bool address;     /* is part of that                                             */
};

/* Those of a cause; never NULL. */
const struct crash_traits *crash_traits(enum crash_cause cause);

/* The name of a signal by which programs crash: "SIGSEGV"; NULL: it is none. */
const char *crash_signal(int number);

/*
 * What the kernel's siginfo_t says: number, code and address (sigaction(2)). NULL, UNMAPPED and
 * ABORT are what else is looked at may make STACK, PROTECTED, EXCEPTION. NOT: it was sent.
 */
enum crash_cause crash_by_siginfo(const void *info, size_t len, int pid, int *ret_signal,
				  taddr *ret_address);

#endif
