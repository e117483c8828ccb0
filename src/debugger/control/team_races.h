/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_races: accesses of the threads of a team to what is watched, and those of them that nothing
 * ordered: of two threads, one of them at least a write, between the same two barriers, and under
 * no lock, critical or ordered construct that both were in.
 *
 * Only what happened in front of us is here: where an order hid an access there is none. What
 * dependences of tasks or flags order is not seen; instructions that lock the bus are atomic and
 * race with no other such.
 */
#ifndef DEBUGGER_TEAM_RACES_H
#define DEBUGGER_TEAM_RACES_H

#include "base/buf.h"
#include "target/cpu/arch.h"

enum { RACE_LOCKS_MAX = 8, RACE_ACCESSES_MAX = 4096 };

struct race_access {
	char *what;     /* owned; the expression that is watched                       */
	taddr addr;     /* where it lies                                              */
	int team;       /* T in T.N                                                   */
	long who;       /* N                                                          */
	uint64_t epoch; /* the same between two barriers of one team                  */
	bool ordered;   /* which one that is is known                                 */
	bool reads, writes, atomic;
	char *function, *file; /* owned; NULL: not known */
	int line;
	uint64_t locks[RACE_LOCKS_MAX];
	size_t nlocks;
	unsigned long count; /* equal ones */
};

struct races {
	VEC(struct race_access) items; /* owned */
	uint64_t epochs;               /* of runs of teams: counts                    */
	bool full;                     /* more were not kept                          */
};
void races_fini(struct races *r);

/* Takes what it owns. */
MUST_CHECK struct error *races_add(struct races *r, struct race_access *made);

/* Two accesses, by their indices, whose places and kinds no pair before has. */
struct race_pair {
	size_t a, b;
	bool doubtful;       /* whether a barrier was between them is not known         */
	unsigned long count; /* of such pairs */
};
struct race_pairs {
	struct race_pair *items; /* owned */
	size_t len, cap;
};
MUST_CHECK struct error *races_find(const struct races *r, struct race_pairs *ret);

#endif
