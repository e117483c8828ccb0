/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Listing_lines: which rows of a listing are shown, in which order and groups, and which of them
 * are one line because they differ in nothing but what they are called.
 */
#ifndef DEBUGGER_LISTING_LINES_H
#define DEBUGGER_LISTING_LINES_H

#include "debugger/listing_columns.h"

/*
 * What a row has for the key has this value: all of it, or whole words of it ("barrier" of
 * "explicit barrier"); or the pattern fits, if there are * or ? in it. NULL: it has any.
 */
struct listing_filter {
	const struct listing_key *key;
	const char *value; /* borrowed */
	bool without;      /* it has not */
};

struct listing_wishes {
	VEC(struct listing_filter) filters;     /* owned; all of them hold */
	const struct listing_key *group, *sort; /* NULL: none, and the order of the picture */
	bool falling;                           /* the greatest first               */
	bool each;                              /* each row is a line               */
};
void listing_wishes_fini(struct listing_wishes *w);

/* Those rows that all filters leave, in the order that is wished. Errors only for lack of memory.
 */
MUST_CHECK struct error *listing_choose(const struct listing *l, const struct listing_wishes *w,
					struct ints *ret);

struct listing_line {
	struct ints rows; /* owned; never empty                 */
	size_t group;     /* rising, from 0 on, if there are groups */
	size_t number;    /* private: in which order they were made */
};

struct listing_lines {
	VEC(struct listing_line) items;
};

/* Errors only for lack of memory. */
MUST_CHECK struct error *listing_lines_make(const struct listing *l, const struct listing_wishes *w,
					    struct listing_lines *ret);
void listing_lines_fini(struct listing_lines *lines);

/* What a line has for a key: of its first row, or of all, where that tells them apart: "0.[0-3]",
 * "4-7,9". */
void listing_line_get(const struct listing *l, const struct listing_line *line,
		      const struct listing_key *key, struct cell *ret);
#define AUTO_LISTING_LINES AUTO(listing_lines_fini) struct listing_lines

#endif
