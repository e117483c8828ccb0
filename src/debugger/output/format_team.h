/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_team: what one expression is in many threads, equal values together:
 *
 *   0.[0-2]: 5
 *   0.3: 7
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_TEAM_H
#define DEBUGGER_OUTPUT_FORMAT_TEAM_H

#include "base/buf.h"
#include "debugger/output/json.h"
#include "debugger/stitch.h"
#include "debugger/values/shown.h"

/* A value, and who has it. */
struct team_value {
	VEC(int) threads;   /* of the picture                                        */
	struct buf text;    /* owned: as print shows it, or why there is none        */
	struct shown shown; /* owned; of the first of them; without a type: none      */
	bool is_number;     /* "number" is it                                        */
	bool is_error;      /* text says why there is no value                       */
	long double number;
};

struct team_values {
	struct team_value *items; /* owned, in the order of their first threads */
	size_t len, cap;
};
void team_values_fini(struct team_values *l);
#define AUTO_TEAM_VALUES AUTO(team_values_fini) struct team_values

/* Takes "made": it becomes one with an equal one. false: out of memory. */
bool team_values_add(struct team_values *l, int thread, struct team_value *made);

/* A line each; of numbers of more than 16 threads also the least, the greatest, the sum, and how
 * they are spread. most: so many lines. p NULL: the threads are ranks of a job, and the least,
 * the greatest and the sum are told wherever they differ. */
void format_team(struct buf *out, const struct team_values *l, const struct picture *p,
		 size_t most);

/* What the copies of a reduction variable come to. All is borrowed. */
struct team_reduction {
	const char *op;
	const char *why; /* it is not known; NULL: it is */
	const struct shown *original, *so_far;
	char letter; /* of a format */
};

/* "so far: 85  (+ of these and the original, 80)"; with j members of an object. */
void format_team_reduction(struct buf *out, struct json *j, const struct team_reduction *r);

/* The members of an object. */
void json_team_members(struct json *j, const struct team_values *l, const struct picture *p,
		       char letter);

#endif
