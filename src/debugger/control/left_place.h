/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Left_place: where in the user's code a thread stands that has jumped on to the OpenMP runtime, so
 * that this code has no frame (ompd/left.h): at the barrier that a region ends with, optimised.
 */
#ifndef DEBUGGER_LEFT_PLACE_H
#define DEBUGGER_LEFT_PLACE_H

#include "debugger/control/stop_report.h"
#include "debugger/session.h"
#include "ompd/outlined.h"

/*
 * The target stands; th is in the runtime. ended: the code of its region has: where that is. pc 0:
 * it has not jumped there, or nobody can tell whence; line 0: by which of several jumps. Borrowed
 * until the files are closed. Errors as snapshot_take().
 */
MUST_CHECK struct error *left_place_find(struct session *s, const struct thread *th, bool ended,
					 struct source_place *ret);

/* What a stop line shows of it. */
MUST_CHECK struct error *left_place_report(struct session *s, const struct source_place *at,
					   struct report_place *ret);

#endif
