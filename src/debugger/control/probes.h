/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probes: the points in a process (point.h) by which events of its OpenMP runtimes are seen.
 *
 * Somebody wishes for events. Each row of a runtime's table (runtime_event.h) that is of one of
 * them needs points: at the entries of the runtime's functions; where these return to, in whatever
 * function has called them; at the code of constructs, which the runtime is given; where that
 * returns to. The latter three are learnt: at the entry stands a point that is told only of what
 * is not known yet, a place to return to or the code of a construct. All else is judged where the
 * program is traced: who has called, which return belongs to which call (notes.h), results.
 *
 *     GOMP_task()        notes who enters; told of: unknown return, unknown code; task-create
 *     its code           notes who enters; told of: unknown return; task-begin
 *     behind that        task-end, for those who were noted
 *
 * What is wanted is reckoned anew whenever wishes, modules or what is known change, and compared
 * with the points that there are. So wishes may come before the runtime does, and stay when it is
 * unloaded; there may be several runtimes. Nothing stays planted that nobody wishes for.
 */
#ifndef DEBUGGER_PROBES_H
#define DEBUGGER_PROBES_H

#include "debugger/control/probe_wish.h"
#include "debugger/session.h"
#include "ompd/picture/runtime_event.h"
#include "ompd/picture/runtime_ops.h"

/* An event that a thread has come to. */
struct probe_event {
	unsigned int wish;
	const struct event_row *row;
	const struct runtime_ops *ops;
	taddr at;       /* in the code of the program, of which construct it is; 0: unknown */
	uint32_t known; /* bit 1 << fact                                                     */
	uint64_t facts[NUM_EVENT_FACTS];
};

struct probes;

/* What probes need of their surroundings. */
struct probe_context {
	struct session *session;  /* borrowed; over a process that can run; NULL: there is none */
	unsigned int *next_point; /* counts: numbers of points                                 */
};

struct probes *probes_new(void);
void probes_free(struct probes *p);

/* A wish, and its number, never 0. probes_renew() brings it to the process. NULL: out of memory. */
struct probe_wish *probes_add(struct probes *p, unsigned int *ret);
/* The wish with that number, to be changed; NULL: there is none. */
struct probe_wish *probes_wish(struct probes *p, unsigned int number);
void probes_drop(struct probes *p, unsigned int number);

/* Wishes or modules are others than before. All threads stand, or there is no process. */
MUST_CHECK struct error *probes_renew(struct probes *p, const struct probe_context *c);

/* Whether a point is one of these. */
bool probes_has(const struct probes *p, unsigned int point);
/* Whether a thread there has to be answered while all stand. */
bool probes_learns(const struct probes *p, unsigned int point);
/* A thread has come to a point. *ret_is_event: that is an event, and *ret which. */
MUST_CHECK struct error *probes_answer(struct probes *p, const struct probe_context *c,
				       struct thread *th, unsigned int point,
				       struct probe_event *ret, bool *ret_is_event);

/* What a wish that counts has counted so far; added to ret, which is the caller's. */
MUST_CHECK struct error *probes_count(const struct probes *p, const struct probe_context *c,
				      unsigned int wish, struct probe_counts *ret);

/* An event that was told counts, too, for a wish that counts. */
MUST_CHECK struct error *probes_count_told(struct probes *p, const struct probe_event *e,
					   pid_t lwp);

/* Whether code at pc is a runtime's own. */
bool probes_in_runtime(const struct probes *p, taddr pc);

/* The process is gone. */
void probes_forget(struct probes *p);

/* Calls "found" with each row of each runtime that is mapped. */
MUST_CHECK struct error *probes_rows(const struct probe_context *c,
				     bool (*found)(void *context, const struct runtime_ops *ops,
						   const char *module, const struct event_row *row,
						   size_t functions),
				     void *context);

#endif
