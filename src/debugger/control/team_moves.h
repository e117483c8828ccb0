/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_moves: a team that is run one thread at a time, with all that is known and planted for it;
 * and what is said of it. Shared by the parts of team_run.h.
 */
#ifndef DEBUGGER_TEAM_MOVES_H
#define DEBUGGER_TEAM_MOVES_H

#include "debugger/control/team_member.h"

/* What a command wants. */
struct team_run {
	const char *name; /* of the command: "omp schedule"                            */
	enum order_policy policy;
	struct ints list; /* owned; LIST: numbers in the team; ALONE: the one           */
	uint64_t seed;
	const char *at;         /* also stands behind each access to this expression; NULL        */
	const char *line;       /* also stands at this place; NULL                               */
	enum order_place until; /* ALONE: up to such a place; NUM_PLACES: up to any       */
	bool to_barrier;        /* stops when all have arrived at the next barrier...        */
	int barrier_line;       /* ...of that line; 0: any                                     */
	const struct order_steps *replays; /* borrowed; where turns have to end; NULL        */
};

enum team_phase { TEAM_GATHERS, TEAM_ORDERS, TEAM_LEAVES };

struct team_moves {
	const struct team_run *how; /* borrowed */
	struct target *target;      /* borrowed; to tell whether it is another one by now */
	enum team_phase phase;
	struct team team; /* owned, as all below */
	struct order order;
	struct stations stations;
	unsigned int entry, behind; /* points: of the region's function; behind the region; 0 */
	struct ints reads, writes;  /* points: accesses to what lies at "watched"       */
	taddr watched;
	uint64_t run;          /* a number of its own, for c->races                               */
	struct ints lines;     /* points: the place                                    */
	unsigned int task_end; /* point; 0: none                                      */
	taddr task_sp;
	VEC(pid_t) others;       /* that stand while one thread runs alone                    */
	pid_t last;              /* who has come to something last                          */
	struct wait_marks marks; /* of threads at the last look                        */
	size_t looks;            /* without an event in between                              */
	size_t told;             /* turns that have been compared with those of a file          */
};

/* "0.2" */
void team_moves_add_name(const struct team_moves *m, int who, struct buf *out);
/* "critical 'ledger'", "the barrier" */
void team_moves_add_place(const struct control *c, enum order_place at, uint64_t object,
			  struct buf *out);
/* "0.2 waits for critical 'x', which held thread 0.1 has" */
void team_moves_add_yield(const struct control *c, const struct team_moves *m,
			  const struct order_yield *y, struct buf *out);
/* Tells the listener. */
void team_moves_tell(const struct control *c, const struct buf *text);

/* Who has been found to be past the region's code has no turn. */
void team_moves_tell_past(const struct control *c, const struct team_moves *m);

/* Gives r the kind and the text, which is taken. */
MUST_CHECK struct error *team_moves_stop(struct stop_report *r, struct buf *text);

/* Plants what is to be watched, and finds the team; all stand. What was planted, also by one that
 * has failed, is for team_moves_fini(). */
MUST_CHECK struct error *team_moves_init(struct control *c, const struct team_run *how,
					 struct team_moves *ret);
/* Looks again for where the primary thread comes out of the region, and plants that. */
MUST_CHECK struct error *team_moves_find_behind(struct control *c, struct team_moves *m);
void team_moves_fini(struct control *c, struct team_moves *m);

#endif
