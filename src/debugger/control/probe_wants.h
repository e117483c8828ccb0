/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_wants: which probes there are to be, by wishes, by what the runtimes offer, and by what has
 * been seen. Pure.
 */
#ifndef DEBUGGER_PROBE_WANTS_H
#define DEBUGGER_PROBE_WANTS_H

#include "debugger/control/probe_parts.h"

/* Marks those that are wanted, and adds what is new. false: out of memory. */
bool probe_wants_mark(struct probes *p);

#endif
