/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_inside: the functions of OpenMP runtimes, and code of constructs, that threads are in: of a
 * process that nobody has watched so far. From raw stacks.
 */
#ifndef DEBUGGER_PROBE_INSIDE_H
#define DEBUGGER_PROBE_INSIDE_H

#include "debugger/session.h"
#include "ompd/picture/runtime_ops.h"

struct inside_call {
	pid_t lwp;
	taddr function; /* its first instruction                              */
	taddr back;     /* what it returns to, and the stack pointer there       */
	taddr sp;
	bool code; /* that a runtime was given: of what ends with that event           */
	enum runtime_event end;
};

struct inside_calls {
	struct inside_call *items; /* owned */
	size_t len, cap;
};

/* Adds them to ret, which is the caller's. The target stands. Errors only for lack of memory. */
MUST_CHECK struct error *probe_inside_find(const struct session *s, struct inside_calls *ret);

#endif
