/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Listing_keys: what can be known of the rows of listings: one row of one table for each key. By
 * its name it is chosen, sorted and grouped by, it is the heading of its column, and the member of
 * its object in JSON.
 */
#ifndef DEBUGGER_LISTING_KEYS_H
#define DEBUGGER_LISTING_KEYS_H

#include "debugger/listing.h"

/* THREAD: one by its name; THREADS: a set. */
enum cell_kind { CELL_NONE, CELL_NUMBER, CELL_TEXT, CELL_THREAD, CELL_THREADS, CELL_TASKS };

/* What a row has for a key. As zeroes: nothing. */
struct cell {
	enum cell_kind kind;
	long number;      /* NUMBER                                                 */
	const int *items; /* borrowed; THREADS, TASKS: their indices in the picture */
	size_t len;
	struct buf text; /* owned; all kinds: as people read it, unescaped         */
};
void cell_fini(struct cell *c);
#define AUTO_CELL AUTO(cell_fini) struct cell

struct listing_key {
	const char *name;
	unsigned int of; /* bits: the listings that have it */
	void (*get)(const struct listing *l, const struct listing_row *row, struct cell *ret);
};

/* *ret is all zeroes; it is the caller's to finish. Lack of memory is noted in its text. */
void listing_get(const struct listing *l, const struct listing_row *row,
		 const struct listing_key *key, struct cell *ret);

/* All keys of a listing in order, one after the other, beginning with NULL; NULL: no more. */
const struct listing_key *listing_next_key(enum listing_kind kind, const struct listing_key *key);

/* That of a name, of so many characters. NULL: the listing has none. */
const struct listing_key *listing_key(enum listing_kind kind, const char *name, size_t len);
/* The same. USAGE: the listing has none, and which ones it has. */
MUST_CHECK struct error *listing_find_key(enum listing_kind kind, const char *name, size_t len,
					  const struct listing_key **ret);

#endif
