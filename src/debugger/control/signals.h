/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Signals: what each of them does when the program gets it: stops it, is told, is passed on.
 *
 * As gdb's table; but a SIGTRAP that ompdb did not cause is the program's own, and is passed.
 */
#ifndef DEBUGGER_SIGNALS_H
#define DEBUGGER_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNALS_END = 65 }; /* numbers are below that */

struct signal_policy {
	bool stop, print, pass;
};

struct signals {
	struct signal_policy of[SIGNALS_END]; /* by number; 0 is none */
};
void signals_init(struct signals *s);

/* "SIGINT", "SIG34"; "SIG99" too. Never NULL: an unknown number is "?". */
const char *signals_name(int number);
/* "Interrupt". */
const char *signals_text(int number);

/* With or without "SIG", or a number from 1 to 15, as gdb has it; 0: there is none. */
int signals_find(const char *name);

/* Those that need not be told: target_pass_signals(). */
uint64_t signals_quiet(const struct signals *s);

#endif
