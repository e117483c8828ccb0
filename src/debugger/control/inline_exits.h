/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inline_exits: where an inlined call is left, so that a plan runs out of it instead of stepping.
 *
 * An inlined call has no return address. Its code is that of its ranges (DWARF 5, section 3.3.8.1);
 * it is left where an instruction in them is followed by one that is in none:
 *
 *     |  in f()       |  a point at each of these, for the plan's thread, in the plan's frame:
 *     |    ...        |  a recursion has other values in the register that its CFA is made of
 *     |    jne  ------|-->  in the caller
 *     |    ...        |
 *     |    ret        |  a point at the instruction itself, which is stepped
 *
 * Exceptions and longjmp() that lead into the frame are watched (escape.h).
 */
#ifndef DEBUGGER_INLINE_EXITS_H
#define DEBUGGER_INLINE_EXITS_H

#include "debugger/control/where.h"

/*
 * The plan, which is none that stops in inlined calls, goes on from there. In the midst of one that
 * has a loop it runs to where that is left; where its code is not known well enough, and elsewhere,
 * it goes on as it was about to.
 */
MUST_CHECK struct error *inline_exits_run(struct plan *p, const struct plan_context *c,
					  const struct where *w);

#endif
