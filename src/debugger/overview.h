/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Overview: the picture in the order in which people read it, with what is alike taken together.
 *
 * Each region stands below the one that encloses it, each task below the one that created it. Tasks
 * that differ in nothing but their number are one item, and so are ICVs of equal name and value.
 */
#ifndef DEBUGGER_OVERVIEW_H
#define DEBUGGER_OVERVIEW_H

#include "debugger/chosen.h"

/* Where an item stands in its tree. */
struct overview_place {
	int depth;     /* of roots: 0                           */
	bool more;     /* its parent has items that come later  */
	bool children; /* it has items below it                 */
};

/* Where a member of a team is. */
enum overview_member {
	MEMBER_HERE,
	MEMBER_WITHIN,    /* in a region further in                                        */
	MEMBER_ELSEWHERE, /* in another one: it has left                                   */
	MEMBER_DUE,       /* in none, and idle: it has not been woken                      */
	MEMBER_COMES,     /* in none, and nobody can have left                             */
	MEMBER_COMES_OR_LEFT,
	MEMBER_UNKNOWN, /* no thread is known for it                                     */
};

/* A member of a team, or several that do the same: where more than four do, they are one line. */
struct overview_line {
	size_t number; /* of the first                             */
	enum overview_member where;
	struct ints threads; /* rising; of one that is not found: empty */
};

struct overview_region {
	int region;
	struct overview_place at;
	VEC(struct overview_line) lines;
};

struct overview_tasks {
	int first, last;               /* all from the one to the other are alike */
	const struct listing_row *row; /* borrowed of what is chosen; of the first */
	struct overview_place at;
	struct ints threads; /* that execute them           */
};

struct overview_icv {
	const struct picture_icv *icv; /* borrowed                                        */
	struct ints of;                /* rising; all threads, regions or tasks that have it */
	bool first;                    /* of those of its runtime                         */
};

struct overview {
	VEC(struct overview_region) regions;
	VEC(struct overview_tasks) tasks;
	VEC(struct overview_icv) icvs; /* by runtime, scope, name               */
	bool each;                     /* all that is known is to be told of each */
	struct ints outside, idle;     /* threads of no region: others, the pool's */
};

/* Of what is chosen. Borrows both. Errors only for lack of memory. */
MUST_CHECK struct error *overview_make(const struct picture *p, const struct chosen *c,
				       struct overview *ret);
void overview_fini(struct overview *o);

#endif
