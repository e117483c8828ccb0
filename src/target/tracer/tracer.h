/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tracer: a process of its own that traces a program for ompdb, and nothing else.
 *
 * It holds ptrace(2) and what is planted in the program: no symbols, no OMPD library, no terminal.
 * It is ompdb's own file, executed anew, so that nothing of ompdb's is in it; traced.h is the
 * other end. When ompdb ends, in whatever way, its socket ends: then the tracer takes out all that
 * it has planted, lets every thread go on as if nothing had been, or kills what it has started, and
 * ends.
 */
#ifndef TARGET_TRACER_H
#define TARGET_TRACER_H

#include <stdbool.h>

/* This process was started to be a tracer: argv[0] of main(). */
bool tracer_is_meant(const char *name);

/* Does the tracer's work; logs: argv[1], what it logs, or NULL. Returns the exit status. */
int tracer_main(const char *logs);

#endif
