/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Driver: who moves the threads of a program in another way than all at once or by one plan: for as
 * long as one command of the user lasts (resume_driven()). It is asked each time before the program
 * goes on, so that nobody is held any longer when it is gone, however the command ends.
 *
 * Signals, breakpoints, threads and processes that are made are none of its business.
 */
#ifndef DEBUGGER_DRIVER_H
#define DEBUGGER_DRIVER_H

#include "target/process/target.h"

struct control;
struct stop_report;

struct driver {
	/* "omp schedule": what is given up if something else stops it; NULL: nothing is. */
	const char *name;
	/* Lets go on who is to, and holds the others; all that were moved stand. */
	struct error *(*go_on)(struct control *c, void *self);
	/* An event. *ret_stops: r has kind and text; the thread is in *ret_lwp. *ret_own: nobody
	 * else is to hear of it. */
	struct error *(*take)(struct control *c, void *self, const struct event *event,
			      struct stop_report *r, pid_t *ret_lwp, bool *ret_stops,
			      bool *ret_own);
	/* Nothing has happened for a while. It may stop all, and then they go on as it says. */
	struct error *(*look)(struct control *c, void *self, struct stop_report *r, pid_t *ret_lwp,
			      bool *ret_stops);
	void *self; /* borrowed */
};

#endif
