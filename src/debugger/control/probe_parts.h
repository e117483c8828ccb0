/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Probe_parts: one probe, and what probes.c keeps; which conditions a probe has. Private to
 * probes.c and probe_wants.c.
 */
#ifndef DEBUGGER_PROBE_PARTS_H
#define DEBUGGER_PROBE_PARTS_H

#include "debugger/control/probe_functions.h"
#include "debugger/control/probe_wish.h"

enum probe_role {
	ROLE_EVENT,       /* told as one, or counted                                      */
	ROLE_NOTES,       /* notes who enters the function at addr                          */
	ROLE_LEARNS_BACK, /* told of where that is unknown to return to                    */
	ROLE_LEARNS_CODE, /* told of code that it is unknown to be given                   */
};

struct probe {
	/* What it is for: */
	enum probe_role role;
	const struct event_row *row; /* of NOTES and LEARNS_BACK one of several             */
	unsigned int wish;           /* EVENT                                               */
	taddr addr;
	taddr returns; /* of those who return: from which function; 0: it is an entry         */
	/* How it is: */
	unsigned int point;
	size_t known; /* that its program was made with: LEARNS                              */
	size_t runtime;
	bool wanted, changed;
	bool scanned; /* who was inside when it was set has been looked for              */
};

/* A function, and what has been seen of it. */
struct seen {
	taddr function, addr;
};
struct seen_list {
	struct seen *items; /* owned */
	size_t len, cap;
};

struct wished {
	unsigned int number;
	struct probe_wish wish;
	struct probe_counts
		told; /* owned; counted though they were told, or where no point is now */
};

struct probes {
	struct probe_functions functions;
	VEC(struct probe) points;
	struct seen_list backs, codes; /* where functions return to; code that they are given */
	struct seen_list jumps;        /* of those that return to one place: which jump to which */
	VEC(struct wished *) wishes;   /* owned, and what they point to                       */
	unsigned int last;
};

/* It is about code that the runtime is given. */
bool probe_is_code(const struct probe *at);
/* Whose caller counts, at the entry of what it stands at. */
void probe_add_caller(struct buf *out, const struct probes *p, const struct arch *arch,
		      const struct probe *at);
/* Who is told of it, or counted. */
void probe_make_condition(struct buf *out, const struct probes *p, const struct arch *arch,
			  const struct probe *at, const struct probe_wish *wish);
bool probe_was_seen(const struct seen_list *l, taddr function, taddr addr);
/* In a runtime's file. */
bool probe_in_runtime(const struct probes *p, taddr pc);
/*
 * A function of the same event was called where this one returns to: it has jumped on to this one,
 * and the event is that function's.
 */
bool probe_is_passed_on(const struct probes *p, const struct probe *at, taddr back);
/* Of an entry: how many such places are known. */
size_t probe_passed_on(const struct probes *p, const struct probe *at);
/* The key of a row: of a construct the address behind the call, or the beginning of its code. */
void probe_make_tally(struct buf *out, const struct arch *arch, const struct probe *at);

#endif
