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

bool interrupt_is_pending(void);

/* Whether one was pending; it is not any more. */
bool interrupt_take(void);

/* Readable while one is pending; -1: interrupt_init() was not called. */
int interrupt_fd(void);

#endif
