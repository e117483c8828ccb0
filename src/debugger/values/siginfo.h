/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Siginfo: $_siginfo: what the kernel says of the signal or trap that a thread was stopped by last,
 * as gdb shows it.
 */
#ifndef DEBUGGER_SIGINFO_H
#define DEBUGGER_SIGINFO_H

#include "debugger/values/value.h"

/* That of the scope's thread. UNSUPPORTED, OS: it cannot be read. */
MUST_CHECK struct error *siginfo_value(const struct scope *s, struct value *ret);

/* Sets what a part of such a value is in the process; the program gets it with the signal. */
MUST_CHECK struct error *siginfo_assign(const struct scope *s, const struct value *part,
					const struct value *from);

#endif
