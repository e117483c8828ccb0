/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mover: a thread of a team that makes one step together with the others (team_step.h), by a plan
 * of its own. Where the region ends for it is not its plan's business, but that of whoever moves
 * the team: the plan is told so, as it would wait for the primary thread.
 */
#ifndef DEBUGGER_MOVER_H
#define DEBUGGER_MOVER_H

#include <time.h>

#include "base/map.h"
#include "debugger/control/team_look.h"

/* What a command wants. */
struct team_step {
	const char *name;    /* borrowed; of the command: "omp finish --team"           */
	enum plan_kind kind; /* STEP, NEXT, UNTIL, FINISH; REACH: to "place"            */
	const char *place;   /* borrowed; as linespec_parse(); NULL                     */
	bool anywhere;       /* REACH: advance, also in other frames                     */
	double seconds;      /* that is waited for those that have not arrived; 0: no limit */
};

/* On its way into the step: out of a call of the runtime, or to the beginning of the region. */
enum mover_way { WAY_NONE, WAY_BACK, WAY_IN };

enum mover_state { MOVER_MOVES, MOVER_ASKS, MOVER_ARRIVED, MOVER_LEFT, MOVER_GONE, MOVER_HELD };

struct mover {
	pid_t lwp;
	enum mover_state state;
	struct plan plan;      /* owned */
	enum mover_way comes;  /* then the step itself begins                                  */
	unsigned int asked_at; /* ASKS: a point of the plan; 0: it has stepped                 */
	const char *file;      /* borrowed from the symbols; where it has arrived              */
	int number;            /* line there; 0: none                                          */
};

/* Where threads leave the region: one point for all that do so there. */
struct mover_end {
	taddr addr;
	unsigned int point;
};

struct movers {
	const struct team_step *how; /* borrowed, as c and target */
	struct control *c;
	struct target *target;
	struct team team;           /* owned */
	VEC(struct mover) items;    /* owned; by number in the team                            */
	struct hash_map by_lwp;     /* owned; their indices                                    */
	taddr body;                 /* the user's code of the region; 0: unknown               */
	struct code_places goals;   /* owned; of REACH                                         */
	VEC(struct mover_end) ends; /* owned */
	struct wait_marks marks;    /* owned; of threads at the last look */
	unsigned int behind;        /* point: the primary thread, out of the region; 0         */
	struct timespec began;
	size_t looks;
	pid_t shown; /* whose place is told */
};

struct plan_context movers_plans(const struct movers *m);

/* Where the user's code of the region begins, by a selected thread that is in it. */
MUST_CHECK struct error *movers_find_body(struct movers *m);

/* Points at which members leave the region, as far as those are known; all are made to stand. */
MUST_CHECK struct error *movers_plant_ends(struct movers *m);
const struct mover_end *movers_end(const struct movers *m, unsigned int point);

/* What it is to do first, by where it stands. */
MUST_CHECK struct error *mover_begin(struct movers *m, struct mover *of);
/* It ASKS: what its plan says to what it has come to. */
MUST_CHECK struct error *mover_answer(struct movers *m, struct mover *of);
/* Its step is over where its selected frames are. */
MUST_CHECK struct error *mover_arrive(struct movers *m, struct mover *of);
/* Out of the region: all but the primary thread run on. */
void mover_leave(struct movers *m, struct mover *of);

#endif
