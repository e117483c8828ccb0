/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Work_rows: loops and sections as a listing: a row for each thread of each, by which they are
 * chosen, sorted and grouped.
 */
#ifndef DEBUGGER_WORK_ROWS_H
#define DEBUGGER_WORK_ROWS_H

#include "debugger/listing_lines.h"
#include "debugger/values/worksharing.h"

struct work_rows {
	struct listing listing;
	VEC(struct listing_share) shares; /* private: owns what rows refer to */
};

/* Borrows both. Errors only for lack of memory. */
MUST_CHECK struct error *work_rows_make(const struct worksharing *w, const struct picture *p,
					struct work_rows *ret);
void work_rows_fini(struct work_rows *r);

/*
 * The loops of the lines from *next on that are of one group, each with those of its threads that
 * these lines are of, and in their order; *next is then behind them. Each line has one row. What
 * comes of it borrows all that is in w, and is ended by work_rows_drop().
 */
MUST_CHECK struct error *work_rows_pick(const struct work_rows *r, const struct worksharing *w,
					const struct listing_lines *lines, size_t *next,
					struct worksharing *ret);
void work_rows_drop(struct worksharing *picked);

#endif
