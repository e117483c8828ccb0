/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * View: what was found out at one stop, as all outputs get it.
 */
#ifndef DEBUGGER_OUTPUT_VIEW_H
#define DEBUGGER_OUTPUT_VIEW_H

#include "base/source.h"
#include "debugger/stitch.h"
#include "debugger/values/deciding.h"
#include "debugger/values/frame_values.h"

/* Borrows everything. All of it is named, with the same threads in the same order. */
struct view {
	const struct stacks *stacks;
	const struct picture *picture;     /* empty if raw                                  */
	const struct stitched *stitched;   /* NULL: raw, or for outputs without stacks      */
	bool all_frames;                   /* text: hidden frames too                       */
	bool raw;                          /* the stacks are raw: nothing of OpenMP is shown */
	struct source_cache *sources;      /* NULL: no lines of the source are shown        */
	const struct frame_values *values; /* NULL: no values are shown                   */
	const struct deciding *deciding;   /* NULL: neither are those of why              */
};

/* Of a thread; "": unknown. */
static inline const char *view_name(const struct view *v, int thread)
{
	const struct stacks *s = v->stacks;

	return (size_t)thread < s->threads.len && s->threads.items[thread].name
		       ? s->threads.items[thread].name
		       : "";
}

/*
 * The stack of a thread. A raw one is made in *scratch, whose frames the caller frees, and is there
 * until the next; lack of memory is noted in out.
 */
static inline const struct stitched_stack *view_stack(const struct view *v, int thread,
						      struct stitched_stack *scratch,
						      struct buf *out)
{
	if (!v->raw)
		return &v->stitched->stacks.items[thread];
	out->failed |= !stitch_raw(v->stacks, thread, scratch);
	return scratch;
}

#endif
