/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_listing: rows of a listing as a table, in which columns without anything are left out:
 *
 *   task  thread     lwp        state  wait              function  at
 *   0-2   0.[0-2]    4242-4244  waits  explicit barrier  work      app.c:45
 *   3     0.3        4245       runs                     work      app.c:31
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_LISTING_H
#define DEBUGGER_OUTPUT_FORMAT_LISTING_H

#include "debugger/listing_lines.h"
#include "debugger/output/style.h"

/* Columns are left out where lines are longer than style has it. group: by which they are grouped;
 * NULL: they are not. */
void format_listing(struct buf *out, const struct listing *l, const struct listing_lines *lines,
		    const struct listing_key *group, const struct style *style);
/* All that is known of each row, one key a line. */
void format_listing_rows(struct buf *out, const struct listing *l,
			 const struct listing_lines *lines, const struct listing_key *group,
			 const struct style *style);

/* "wait explicit barrier: 3": the heading of the group that line "first" begins. */
void format_listing_group(struct buf *out, const struct listing *l,
			  const struct listing_lines *lines, const struct listing_key *group,
			  size_t first, const struct style *style);

/* Tasks for graphviz: who has created whom, and dashed, who waits for whom. Needs no style. */
void format_listing_dot(struct buf *out, const struct listing *l,
			const struct listing_lines *lines);

#endif
