/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Drawing: the lines at the left of trees that are written from top to bottom; labels of graphs.
 */
#ifndef DEBUGGER_OUTPUT_DRAWING_H
#define DEBUGGER_OUTPUT_DRAWING_H

#include "debugger/output/style.h"

enum { DRAWING_DEPTH_MAX = 12 }; /* what is further in is not moved to the right any more */

/* Where the writing is. */
struct drawing {
	int depth;                        /* of roots: 0                                       */
	bool last;                        /* nothing comes later that has the same parent      */
	bool more[DRAWING_DEPTH_MAX + 1]; /* by depth: something does, of what it is within    */
};

/* An item is written next; more: later ones have the same parent. */
void drawing_enter(struct drawing *d, int depth, bool more);

/* What stands before the first line of the item, and before its other lines. */
void drawing_add_title(struct buf *out, const struct drawing *d, const struct style *style);
void drawing_add_prefix(struct buf *out, const struct drawing *d, const struct style *style);

/* Lines of a label of graphviz, inside quotes: quotes and backslashes mean something there, and so
 * does "&lt;". */
void drawing_add_quoted(struct buf *out, const char *lines);

#endif
