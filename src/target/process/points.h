/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Points: those there are, with their counts; who of them stops a thread. Pure; hits.h brings
 * threads here.
 */
#ifndef TARGET_POINTS_H
#define TARGET_POINTS_H

#include "target/process/condition.h"
#include "target/process/notes.h"
#include "target/process/point.h"
#include "target/process/tally.h"

struct set_point {
	struct point point; /* its condition and the tally's program are owned */
	struct point_state state;
	struct tally tally;
	bool placed; /* an exec leaves points without a place until they are set again */
};

struct points {
	struct set_point *items; /* owned; by number */
	size_t len, cap;
};

void points_fini(struct points *ps);

/* USAGE: no number, no size or place that there could be, or what condition_check() says. */
MUST_CHECK struct error *points_check(const struct point *p);

/* Adds one, or replaces that with its number, whose hits stay. Copies what it borrows. */
MUST_CHECK struct error *points_set(struct points *ps, const struct point *p);

/* The point with that number; NULL: there is none. Borrowed until points are set or dropped. */
struct set_point *points_find(const struct points *ps, unsigned int id);
/* Those of a process that was forked. */
MUST_CHECK struct error *points_copy(const struct points *from, struct points *to);
/* Forgets a point. */
void points_drop(struct points *ps, struct set_point *p);

/* How many points of that kind are placed at an address. */
size_t points_count(const struct points *ps, enum point_kind kind, taddr addr);

/* A thread at a point. */
struct arrival {
	pid_t lwp;
	uint64_t sp;
	struct notes *notes; /* of all threads; changed by points that note */
	struct condition_subject subject;
};

/* All points at an address have been judged: a note is for one return. */
void points_end_arrival(const struct arrival *arrival);

/*
 * Whether a point stops a thread; counts its hit. One that asks is not counted here, but by
 * points_count_hit().
 */
bool points_judge(struct set_point *p, const struct arrival *arrival);

/* Counts a hit. false: it is one of those that are ignored. */
bool points_count_hit(struct set_point *p);

#endif
