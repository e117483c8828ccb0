/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_stations: where threads of a team pass from one hand to the next: the entries of OpenMP
 * runtimes that synchronise (by their rows in runtime_ops.h), and where calls of them return to.
 *
 * Each is a point of the target for all threads; whose arrival counts is for others to decide.
 */
#ifndef DEBUGGER_TEAM_STATIONS_H
#define DEBUGGER_TEAM_STATIONS_H

#include "debugger/control/control.h"
#include "debugger/control/team_order.h"

enum station_kind {
	STATION_STANDS, /* a thread stands before it until it is its turn     */
	STATION_WAITS,  /* it enters at once, and waits for others in there    */
	STATION_REGION, /* begins a region of its own: nothing inside counts    */
	STATION_RETURN, /* a call of one of those has returned                  */
};

struct station {
	unsigned int point;
	taddr addr;
	enum station_kind kind;
	enum order_place place;
	bool tries;          /* to take a lock: what it returns says whether it has        */
	unsigned int object; /* argument that is the lock, from 1 on; 0: none               */
	char *name;          /* owned; "GOMP_barrier"; NULL: RETURN                         */
};

struct stations {
	VEC(struct station) items; /* owned */
};

/* Plants the entries of all runtimes of the process, which stands. NOT_FOUND: there are none. */
MUST_CHECK struct error *stations_plant(struct control *c, struct stations *ret);
/* Takes all back, while the process stands; c NULL: there is none any more. */
void stations_clear(struct control *c, struct stations *s);

/* NULL: the point is none of them. */
const struct station *stations_find(const struct stations *s, unsigned int point);
/* The entry at an address; NULL: none. */
const struct station *stations_at(const struct stations *s, taddr addr);
/* Plants where calls return to, if nobody has yet. */
MUST_CHECK struct error *stations_add_return(struct control *c, struct stations *s, taddr addr);

/* A call of an entry, by a thread that stands at its first instruction. */
struct station_call {
	taddr back, sp; /* where it returns to; the stack pointer there                */
	uint64_t object;
	bool inside; /* by a station of the runtime itself: it is a part of that             */
};
MUST_CHECK struct error *stations_read_call(struct control *c, const struct stations *s,
					    struct thread *th, const struct station *at,
					    struct station_call *ret);

#endif
