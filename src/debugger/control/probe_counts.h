/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_counts: what wishes that count have counted, at points where the program is traced, and at
 * those that were there before.
 */
#ifndef DEBUGGER_PROBE_COUNTS_H
#define DEBUGGER_PROBE_COUNTS_H

#include "debugger/control/probe_parts.h"
#include "debugger/session.h"

/* Adds one to ret: to the row of the same event, construct and thread, if there is one. */
MUST_CHECK struct error *probe_counts_add(struct probe_counts *ret, const struct probe_count *new);

/* Adds what has been counted at the point of a probe; nothing, if that does not count. */
MUST_CHECK struct error *probe_counts_read(struct probe_counts *ret, struct session *s,
					   const struct probe *at);

/* Takes out rows of which nothing is left: a part of a task may be about to end that is not
 * counted, and had been taken off already. */
void probe_counts_drop_none(struct probe_counts *l);

/* Marks rows of constructs that are not mapped any more; whether there is one that was not yet. */
bool probe_counts_mark_gone(struct probe_counts *l, const struct session *s);

#endif
