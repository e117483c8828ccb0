/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team_order: in which order the threads of a team run, one at a time. Pure: it is told what
 * threads come to, and says who is next; team_run.h moves them.
 *
 * A turn is what a thread executes from where it stands to the next station that it comes to:
 *
 *            pick                 arrives: critical, lock, chunk, access, line ...
 *   STANDS --------> RUNS ---------------------------------------------> STANDS
 *                     |  arrives: barrier                       returns
 *                     +-------------------------> WAITS ---------------> STANDS
 *                     |  is found to wait           all have arrived: "coming"
 *                     |  leaves the region
 *                     +-------------------------> ENDED
 *
 * At a lock a thread stands before it has it. Where another one has it, that one runs instead: the
 * first yields. So it does at a barrier, to one that has not arrived. Before anybody is picked, all
 * that are about to come out of a barrier have to be out: else their order would be chance.
 */
#ifndef DEBUGGER_TEAM_ORDER_H
#define DEBUGGER_TEAM_ORDER_H

#include "base/buf.h"

/* What a thread comes to. Names are those of files: team_file.h. */
enum order_place {
	PLACE_START, /* wherever it stood at the beginning                              */
	PLACE_BARRIER,
	PLACE_CRITICAL,
	PLACE_LOCK,
	PLACE_RELEASE, /* of a critical construct or lock                            */
	PLACE_TASK,    /* makes one, or waits for some                                   */
	PLACE_CHUNK,
	PLACE_ACCESS, /* behind it */
	PLACE_LINE,
	PLACE_WAIT, /* for a turn, or for what is no station: its turn is over        */
	PLACE_END,  /* of the region; or of its task, where that is asked for       */
	NUM_PLACES,
};
extern const char *const order_place_names[NUM_PLACES];
/* NUM_PLACES: there is none of that name. */
enum order_place order_place_find(const char *name);

/* HELD: by the user, wherever it is: it has no turn, and nobody yields to it. */
enum order_state { MEMBER_STANDS, MEMBER_RUNS, MEMBER_WAITS, MEMBER_ENDED, MEMBER_HELD };

struct order_member {
	enum order_state state;
	enum order_place at; /* where it stands or waits                              */
	uint64_t object;     /* lock: what it is about to take or to give back             */
	bool coming;         /* WAITS: it is about to come out                            */
};

struct order_lock {
	uint64_t object;
	int owner;
	unsigned int depth; /* nested locks */
};

enum order_policy {
	ORDER_LIST,   /* of members                                                 */
	ORDER_SERIAL, /* each as far as it gets                                      */
	ORDER_RANDOM,
	ORDER_ALONE, /* the first of the list, and nobody else                      */
	ORDER_FREE,  /* all at once: nobody stands but in barriers                    */
};

struct order_step {
	int who;
	enum order_place at; /* where the turn ended */
};
struct order_steps {
	struct order_step *items; /* owned */
	size_t len, cap;
};

struct order {
	VEC(struct order_member) members; /* by number in the team; owned, as all below */
	VEC(struct order_lock) locks;
	enum order_policy policy;
	struct ints list;
	size_t next; /* of the list                                               */
	uint64_t random;
	int last;              /* whose turn was the last; -1: nobody's                           */
	unsigned int barriers; /* that have opened                                   */
	bool settled; /* all that wait have been seen to stay, and nothing since          */
	struct order_steps done;
};
void order_fini(struct order *o);
/* All stand, at PLACE_START. false: out of memory. */
bool order_init(struct order *o, size_t members);

/* Somebody has that lock already. false: out of memory. */
bool order_owns(struct order *o, int who, uint64_t object);
/* -1: nobody, as far as it was told. */
int order_owner(const struct order *o, uint64_t object);

enum order_verdict {
	ORDER_RUN,   /* "who" runs                                                  */
	ORDER_WAIT,  /* some are about to come out of where they wait                 */
	ORDER_OVER,  /* the list is through                                          */
	ORDER_ENDED, /* all have left the region                                      */
	ORDER_STUCK, /* "who" and all others wait for each other                        */
};

/* "who" does not run as it waits for "whom", which runs in its place. */
struct order_yield {
	int who, whom;
	enum order_place at;
	uint64_t object;
};

enum { ORDER_YIELDS_MAX = 8 };

struct order_choice {
	enum order_verdict verdict;
	int who;
	int left_out; /* whose turn is none, as it has left the region; -1: nobody's */
	struct order_yield yields[ORDER_YIELDS_MAX];
	size_t nyields;
};

/* Who is next; RUN: it runs from now on. */
struct order_choice order_pick(struct order *o);

/*
 * Who runs, or (in a task) waits, has come there. BARRIER, WAIT: and waits in it, of the latter
 * nobody knows for whom. object 0: no lock, or not known which. false: no memory.
 */
bool order_arrives(struct order *o, int who, enum order_place at, uint64_t object);
/* Who runs waits for something, or (barrier) in the team's barrier, to which it has come back from
 * a task that it has executed there; it may come out at any time. false: no memory. */
bool order_blocks(struct order *o, int who, bool barrier);
/* Who waits has come out. */
void order_returns(struct order *o, int who);
/* It has left the region. false: no memory. */
bool order_ends(struct order *o, int who);
/* Those that were about to come out do not. */
void order_settles(struct order *o);

#endif
