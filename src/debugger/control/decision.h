/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Decision: what is being found out about one event of a thread, and what hits of breakpoints
 * contribute to it.
 */
#ifndef DEBUGGER_DECISION_H
#define DEBUGGER_DECISION_H

#include "debugger/control/control.h"

struct decision {
	struct control *c;
	const struct event *event;
	struct stop_report *report;
	bool stops;
};

/* It stops the program. */
void decision_stop_for(struct decision *d, enum report_kind kind);

/* Lets all threads stand. */
MUST_CHECK struct error *decision_stand(struct control *c);

/* A thread has come to a breakpoint's location, by that point: judges, counts, and tells it. */
MUST_CHECK struct error *decision_hit(struct decision *d, struct breakpoint *b, size_t location,
				      unsigned int point);

/* Tells what has been hit; it stops the program. */
MUST_CHECK struct error *decision_fill_hit(struct decision *d, struct breakpoint *b,
					   size_t location);

/* It counts a stop; when it is to be disabled by that, it is. */
MUST_CHECK struct error *decision_count_stop(struct decision *d, struct breakpoint *b);

#endif
