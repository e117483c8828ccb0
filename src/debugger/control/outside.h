/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Outside: steps that have come to code of which neither lines nor functions are known.
 */
#ifndef DEBUGGER_OUTSIDE_H
#define DEBUGGER_OUTSIDE_H

#include "debugger/control/plan.h"

/*
 * *ret: it was called by the line that is stepped through, as the trampoline of a nested function,
 * and is run through: nothing but its first instruction tells where it returns to.
 */
MUST_CHECK struct error *outside_pass(struct plan *p, const struct plan_context *c, bool *ret);

/* step goes on out of code at pc without a name, too, as that which calls main(). */
MUST_CHECK struct error *outside_leave(struct plan *p, const struct plan_context *c, taddr pc,
				       enum plan_answer *ret);

#endif
