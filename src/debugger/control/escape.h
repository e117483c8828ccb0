/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Escape: frames that are left without a return: by an exception, by longjmp().
 *
 * A handler begins with __cxa_begin_catch() (Itanium C++ ABI, "Catching exceptions"): the stack
 * pointer tells whose. longjmp() is told where it leads by its buffer: what the C library keeps
 * there is in a table in escape.c.
 */
#ifndef DEBUGGER_ESCAPE_H
#define DEBUGGER_ESCAPE_H

#include "debugger/control/plan.h"

/* From now on the plan is told when the frames below its limit are left. */
MUST_CHECK struct error *escape_watch(struct plan *p, const struct plan_context *c);

/*
 * The plan's thread runs on to where raw frame k (not the innermost) goes on, which has that role;
 * what else may leave those below is watched.
 */
MUST_CHECK struct error *escape_run_to_frame(struct plan *p, const struct plan_context *c, size_t k,
					     enum point_role role);

/* The thread is at ROLE_CATCH or ROLE_JUMP: follows it, to LANDING or JUMPED if it concerns the
 * plan. */
MUST_CHECK struct error *escape_follow(struct plan *p, const struct plan_context *c,
				       enum point_role role);

#endif
