/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop_exits: "until" goes back with a loop, and not into it again: it runs through all code before
 * the end of its line. Compilers that move loops, as gcc does those in OpenMP's constructs, may put
 * what follows the loop before its body:
 *
 *     head:   compare, jump to body
 *             what follows             the exit: a step that goes back ends there, too
 *     body:   ...
 *             increment, jump to head  "until" begins here
 */
#ifndef DEBUGGER_LOOP_EXITS_H
#define DEBUGGER_LOOP_EXITS_H

#include "debugger/control/plan.h"

/*
 * Adds goals to the plan, in its frame: where the loop that code of the row jumps back in is left
 * for a line that begins before the row.
 */
MUST_CHECK struct error *loop_exits_add(struct plan *p, const struct plan_context *c,
					struct code_range row);

#endif
