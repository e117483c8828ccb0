/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lock_search: the name of a lock by the variables of the frames of a thread, from the inside out:
 * in them, and in what they lead to over a few pointers.
 */
#ifndef DEBUGGER_LOCK_SEARCH_H
#define DEBUGGER_LOCK_SEARCH_H

#include "debugger/snapshot.h"

/* How good a name is: the smaller the better, from the first on. */
struct lock_rank {
	unsigned int kind; /* enum below */
	size_t place;      /* of the frame, from the inside out */
	unsigned int depth;
	size_t len;
};
enum { LOCK_EXACT, LOCK_INDEXED, LOCK_BARE }; /* "p->lock", "p[3].lock", "*p" or a reference */

struct lock_name {
	taddr object;
	char *name; /* owned; NULL: none found yet */
	struct lock_rank rank;
	bool global;
	unsigned int searched; /* threads that were */
};

/* No other thread need be searched. */
bool lock_name_is_found(const struct lock_name *lock);

/* Gives it a better name, if that thread of the snapshot has one. Errors only for lack of memory.
 */
MUST_CHECK struct error *lock_search(struct session *s, const struct snapshot *from, int thread,
				     struct lock_name *lock);

#endif
