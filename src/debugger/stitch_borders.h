/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stitch_borders: where regions and tasks begin on a stitched stack, and which of the compiler's
 * functions stand for their constructs.
 */
#ifndef DEBUGGER_STITCH_BORDERS_H
#define DEBUGGER_STITCH_BORDERS_H

#include "debugger/stitch_frames.h"

/* Where a stitched stack has got to. */
struct stitch_position {
	int thread;
	size_t frame; /* raw frame that comes next     */
	size_t span;  /* span that comes next          */
	/* Around the frames that come next, where user code called them itself; -1: none. */
	int region, task;
};

/* The span with which a region begins on its primary thread's stack; NULL: not found. */
const struct span *stitch_borders_fork(const struct stitcher *st, int region);

/*
 * Between the user's frames from "from" on, which are inside, and the runtime that called them, at
 * at->span. May add a frame for a function of which nothing is left.
 */
MUST_CHECK struct error *stitch_borders_add(struct stitcher *st, struct stitch_position *at,
					    size_t from, struct stitched_stack *stack);

/* Behind the last frame: of a region in whose end barrier the thread is, as its code is over. */
void stitch_borders_end_region(struct stitcher *st, const struct stitch_position *at,
			       struct stitched_stack *stack);

/*
 * At the compiler's functions among the frames [from, to) that the user's code called directly, as
 * it does for constructs that need no runtime: if(0). Groups of them stand for one construct.
 */
void stitch_borders_add_direct(struct stitcher *st, struct stitch_position *at, size_t from,
			       size_t to, struct stitched_stack *stack);

#endif
