/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Held: what code has taken and not given back when it gets to some place, by the calls that took
 * it.
 *
 * Each has two counts, because it may be taken several times: how often at least, on every way to
 * that place, and how often at most, on some way.
 */
#ifndef TARGET_HELD_H
#define TARGET_HELD_H

#include "target/flow/term.h"

enum { HELD_MAX = 16 };

/* Which call took it. */
struct held_by {
	taddr call;     /* return address of the outermost one                            */
	uint64_t inner; /* distinguishes what that one did                                 */
	int kind;
	bool once;   /* nobody can take it twice                                            */
	taddr taken; /* return address in the function that can leave it behind: what always does
			so is made to take it, and its caller counts; tells nothing apart        */
	bool before; /* not the last time that it was called: in an earlier turn of a loop */
};

struct held_item {
	struct held_by by;
	struct term object;
	uint32_t tried; /* symbol of the result that tells whether it was taken at all; 0: it was */
	unsigned int least, most;
};

struct held {
	struct held_item items[HELD_MAX]; /* by "by"                                       */
	size_t len;
	bool overflow; /* there was more                                                   */
};

/* tried: TERM_NUMBER: it was taken. */
void held_take(struct held *h, const struct terms *all, struct held_by by, struct term object,
	       uint32_t tried);
/* false: nothing that it could be is held. */
bool held_give(struct held *h, const struct terms *all, int kind, struct term object);

/* A call, which returns to "back", has made this of what was held before. */
void held_leave(struct held *h, struct held *before, taddr back);

/* A symbol turns out to be zero or not. */
void held_resolve(struct held *h, uint32_t symbol, bool zero);
/* A symbol gets another number. */
void held_lose(struct held *h, const struct terms *all, uint32_t symbol);

/* Where two ways come together. */
void held_join(struct held *h, const struct held *other);
bool held_same(const struct held *a, const struct held *b);

#endif
