/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Step: how plans (plan.h) begin and go on.
 */
#ifndef DEBUGGER_STEP_H
#define DEBUGGER_STEP_H

#include "debugger/control/plan.h"

/*
 * step, next, stepi, nexti, until: kind, lwp and count of the plan are set. *ret PLAN_DONE: it is
 * there already, as an inlined call has been entered. shown: the frame it goes by is the innermost.
 */
MUST_CHECK struct error *step_begin(struct plan *p, const struct plan_context *c,
				    enum plan_answer *ret);

/* Whether that frame can be finished; else the error says why not. */
MUST_CHECK struct error *step_may_finish(const struct plan_context *c, size_t frame);
/* finish: out of that frame. */
MUST_CHECK struct error *step_begin_finish(struct plan *p, const struct plan_context *c,
					   size_t frame);

/* finish -creator: out of the task, to where the one that has created it waits for it. */
MUST_CHECK struct error *step_begin_finish_task(struct plan *p, const struct plan_context *c);

/*
 * until PLACE, advance: to one of the goals, or to where that frame returns to. anywhere: in
 * whichever frame they are reached; else in that one.
 */
MUST_CHECK struct error *step_begin_reach(struct plan *p, const struct plan_context *c,
					  const struct code_places *goals, size_t frame,
					  bool anywhere);

/* Its thread has stepped, or (role) has come to one of its points. */
MUST_CHECK struct error *step_answer(struct plan *p, const struct plan_context *c,
				     const struct plan_point *point, enum plan_answer *ret);

#endif
