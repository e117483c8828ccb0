/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_member: the threads of a team as those see them who run them one at a time: where each
 * leaves the region, and which calls of the runtime it is in.
 */
#ifndef DEBUGGER_TEAM_MEMBER_H
#define DEBUGGER_TEAM_MEMBER_H

#include "debugger/control/team_names.h"
#include "debugger/control/team_stations.h"
#include "debugger/control/wait_mark.h"

/* A call of a station that has not returned. */
struct member_call {
	taddr back, sp;
	enum order_place place;
	bool tries;
	uint64_t object;
};

struct team_member {
	pid_t lwp; /* 0: not found yet */
	bool here; /* in the region's function, or past it: what follows is known         */
	bool ended;
	bool gone; /* it has been one of the team, and does not exist any more             */
	taddr end, end_sp;             /* where the region's function returns to         */
	unsigned int end_point;        /* 0: none */
	VEC(struct member_call) calls; /* owned; outermost first                         */
	struct member_call region;     /* of its own, that it has begun; back 0: none     */
};

struct team {
	int number; /* of the region: T in T.N */
	taddr function;
	VEC(struct team_member) members; /* owned, by number */
	pid_t primary;
	taddr behind, behind_sp; /* where the primary thread is, out of the region; 0: unknown */
};
void team_fini(struct team *t);

/*
 * The team of the region that the selected thread is in, by a look at it. USAGE: it is in none, or
 * where the threads of the team are cannot be told.
 */
MUST_CHECK struct error *team_find(struct control *c, const struct look *l, struct team *ret);
/* One that was not here when that was found has come to the first instruction of its function. */
MUST_CHECK struct error *team_member_enters(struct control *c, struct team *t, struct thread *th);

/* Those that execute tasks of the region's and are in no code of it do so at its end: they are past
 * it. Whether one has been found. */
bool team_find_past(const struct look *l, struct team *t);
/* Of the primary thread, by a later look, when it is here. */
void team_find_behind(const struct look *l, struct team *t);

/* By a later look it is in a call of the runtime: adds that, unless it is known. */
MUST_CHECK struct error *team_member_waits(const struct look *l, int thread, struct team_member *m);

/* -1: it is none of them. */
int team_member_of(const struct team *t, pid_t lwp);

#endif
