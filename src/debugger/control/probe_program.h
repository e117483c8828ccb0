/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_program: what rows of a runtime's events say (runtime_event.h), as conditions
 * (condition.h), which are computed where the program is traced.
 */
#ifndef DEBUGGER_PROBE_PROGRAM_H
#define DEBUGGER_PROBE_PROGRAM_H

#include "base/buf.h"
#include "ompd/picture/runtime_event.h"
#include "target/process/condition.h"

/* Where a thread is when a program is computed. */
enum probe_place {
	PLACE_ENTRY,  /* at the first instruction of a function: its arguments are there    */
	PLACE_RETURN, /* where that has returned to: they were noted                        */
};

/*
 * A runtime's code, which calls or is called. Of it the function that calls code of regions: what
 * returns there was jumped to by such code at its end, and is the program's. And the one that calls
 * code of teams: that may be the same as a task's, by which the compiler has replaced it.
 */
struct probe_range {
	taddr start, end;
	taddr invoker, invoker_end; /* equal: there is none that is known */
	taddr teams, teams_end;     /* likewise */
};

/* All of them push what they say. */
void probe_program_value(struct buf *out, const struct arch *arch, const struct event_value *v,
			 enum probe_place place);
void probe_program_test(struct buf *out, const struct arch *arch, const struct event_row *row,
			enum probe_place place);
/* Whether the function was called by whom the row wants it to be. At its entry. */
void probe_program_caller(struct buf *out, const struct arch *arch, enum event_caller caller,
			  const struct probe_range *runtime);
/* What the function that has just been entered returns to. */
void probe_program_return(struct buf *out, const struct arch *arch);
/* Whether the number on top is none of these, which are put in order. */
void probe_program_unknown(struct buf *out, taddr *known, size_t n);
/* Both numbers on top are not 0. */
void probe_program_and(struct buf *out);

#endif
