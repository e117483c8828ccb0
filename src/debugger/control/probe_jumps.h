/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_jumps: which functions of OpenMP runtimes end by a jump to another one, which returns to
 * their caller. Two that return to the same place need not do so: code of the program's may have
 * jumped to either.
 */
#ifndef DEBUGGER_PROBE_JUMPS_H
#define DEBUGGER_PROBE_JUMPS_H

#include "debugger/session.h"

/* Calls "found" with each place outside of the function at "from" that this can jump to. */
void probe_jumps_find(const struct session *s, taddr from, void (*found)(void *context, taddr to),
		      void *context);

#endif
