/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stitch_frames: named frames of raw stacks, as they are added to stitched ones.
 */
#ifndef DEBUGGER_STITCH_FRAMES_H
#define DEBUGGER_STITCH_FRAMES_H

#include "base/map.h"
#include "debugger/stitched.h"

/* All that is being stitched. */
struct stitcher {
	const struct stacks *stacks;   /* borrowed */
	const struct picture *picture; /* borrowed */
	struct stitched *out;          /* borrowed */
	struct hash_map shown;         /* owned; struct shown by function            */
	size_t **starts; /* owned; [thread][raw frame]: index of its first named frame */
	size_t total;    /* frames of all stacks                                      */
};

MUST_CHECK struct error *stitch_frames_init(struct stitcher *st);
void stitch_frames_fini(struct stitcher *st);

/* The named frame that stands for a raw one, the innermost; NULL: there is none. */
const struct stack_frame *stitch_frames_at(const struct stitcher *st, int thread, size_t raw);

/* Add to a stack the raw frames [from, to) of a thread. */
MUST_CHECK struct error *stitch_frames_add(struct stitcher *st, int thread, size_t from, size_t to,
					   struct stitched_stack *stack);
/* The user's function that the runtime called, of which nothing is left on the thread's stack. */
MUST_CHECK struct error *stitch_frames_add_elided(struct stitcher *st, int thread,
						  const struct place *place, const char *construct,
						  struct stitched_stack *stack);
/* Functions that jumps have left, from the outside in. */
MUST_CHECK struct error *stitch_frames_add_left(struct stitcher *st, int thread,
						const struct call_left *left, size_t n,
						struct stitched_stack *stack);

/* Names outlined functions of a finished stack that do not name their own. */
void stitch_frames_name_outlined(struct stitcher *st, struct stitched_stack *stack);

#endif
