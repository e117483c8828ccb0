/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Interrupt: the user wants what is going on to end: SIGINT, as by Ctrl-C.
 *
 * A flag, which long work asks now and then, and a descriptor, which whoever waits polls for
 * reading. Both stay until somebody takes them.
 */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

/* Catches SIGINT from now on. Without it nothing is ever pending, and SIGINT does what it does. */
void interrupt_init(void);

/* In a process that was forked: its interrupts are its own, and nobody is asked. */
void interrupt_renew(void);

/*
 * From now on one that comes within a second of another that nobody has taken asks this on
 * standard error; an answer that begins with y ends ompdb at once, with status 130. That is no
 * way to lose a program: the tracer lets go of it. NULL: nobody is asked. Borrowed.
 */
void interrupt_offer_end(const char *question);

/* While somebody waits for what is typed, and hears of each: nobody is asked. */
void interrupt_listen(bool somebody);

bool interrupt_is_pending(void);

/* Whether one was pending; it is not any more. */
bool interrupt_take(void);

/* Readable while one is pending; -1: interrupt_init() was not called. */
int interrupt_fd(void);

#endif
