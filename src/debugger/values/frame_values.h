/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Frame_values: the arguments and variables of the user's frames of all threads of a snapshot.
 *
 * They are read while memory can be, which is before stacks have names and are stitched; so they
 * are kept by thread and by place in its stack, and a stitched frame finds its own by those.
 */
#ifndef DEBUGGER_FRAME_VALUES_H
#define DEBUGGER_FRAME_VALUES_H

#include "debugger/snapshot.h"
#include "debugger/values/shown.h"

/* Of one frame, or of one call that is inlined into it. */
struct frame_values_item {
	int thread;                               /* of the stacks                               */
	size_t place;                             /* in the frames of that thread                */
	taddr pc, cfa;                            /* of the frame                                */
	struct shown_variables arguments, locals; /* owned; empty where they were not asked for */
};

struct frame_values {
	bool arguments, locals; /* which are asked for: by the caller                           */
	/* Tells a scope what the task was given whose code it is; by the caller, too, or NULL. */
	MUST_CHECK struct error *(*know)(void *known, const struct snapshot *from, int thread,
					 struct scope *ret);
	void *known;                         /* borrowed; for "know" */
	VEC(struct frame_values_item) items; /* owned; in the order of thread and place */
};

/*
 * The target must be stopped. ret says what is asked for, and loses what it had. The runtime's own
 * frames are left out, and in each thread all that is further out than a fixed number of frames.
 * Errors only for lack of memory.
 */
MUST_CHECK struct error *frame_values_find(struct session *s, const struct snapshot *from,
					   struct frame_values *ret);
void frame_values_fini(struct frame_values *v);

/* Those of a frame of stacks that have names. NULL: they have not been read. */
const struct frame_values_item *frame_values_of(const struct frame_values *v,
						const struct stacks *stacks,
						const struct stitched_frame *f);

#endif
