/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Resume: the program goes on until something happens that it is to stop for.
 *
 * What several threads come to in one moment is told one after another: each time the program is to
 * go on, what is left to be told comes first.
 */
#ifndef DEBUGGER_RESUME_H
#define DEBUGGER_RESUME_H

#include "debugger/control/control.h"

/* count: the breakpoint that it stands at is ignored count - 1 times. */
MUST_CHECK struct error *resume_continue(struct control *c, unsigned long count,
					 struct stop_report *ret);
/* PLAN_STEP, NEXT, STEPI, NEXTI, UNTIL. */
MUST_CHECK struct error *resume_step(struct control *c, enum plan_kind kind, unsigned long count,
				     struct stop_report *ret);
/* Whether the selected frame can be finished; out of it; creator: out of its task. */
MUST_CHECK struct error *resume_may_finish(struct control *c);
MUST_CHECK struct error *resume_finish(struct control *c, bool creator, struct stop_report *ret);
/* until and (anywhere) advance, as in step_begin_reach(): text as of linespec_parse(). */
MUST_CHECK struct error *resume_reach(struct control *c, const char *text, bool anywhere,
				      struct stop_report *ret);
/* Goes on elsewhere; in the selected thread. */
MUST_CHECK struct error *resume_jump(struct control *c, const char *text, struct stop_report *ret);
/* With a signal; 0: without the one that it was stopped for. */
MUST_CHECK struct error *resume_signal(struct control *c, int signal, struct stop_report *ret);
/* The signal for the next time that the selected thread goes on. */
MUST_CHECK struct error *resume_queue_signal(struct control *c, int signal);

/* As the driver has it; what it has planted is for the caller to take back. */
MUST_CHECK struct error *resume_driven(struct control *c, const struct driver *driver,
				       struct stop_report *ret);

/* For inferior.c: goes on as the plan says. */
MUST_CHECK struct error *resume_loop(struct control *c, struct stop_report *ret);

#endif
