/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * View: all that the OpenMP outputs are made of, of one stop.
 */
#ifndef DEBUGGER_OUTPUT_VIEW_H
#define DEBUGGER_OUTPUT_VIEW_H

#include "debugger/stitched.h"

/* Borrows everything. All of it is named, with the same threads in the same order. */
struct view {
	const struct stacks *stacks;
	const struct picture *picture;
	const struct stitched *stitched; /* NULL: for outputs without stacks */
	bool all_frames;                 /* text: hidden frames too           */
};

/* NULL: there is none of that number. */
static inline const struct picture_thread *view_thread(const struct view *v, int i)
{
	const struct picture *p = v->picture;

	return i >= 0 && (size_t)i < p->threads.len ? &p->threads.items[i] : NULL;
}

static inline const struct picture_region *view_region(const struct view *v, int i)
{
	const struct picture *p = v->picture;

	return i >= 0 && (size_t)i < p->regions.len ? &p->regions.items[i] : NULL;
}

static inline const struct picture_task *view_task(const struct view *v, int i)
{
	const struct picture *p = v->picture;

	return i >= 0 && (size_t)i < p->tasks.len ? &p->tasks.items[i] : NULL;
}

/* Of a thread; "": unknown. */
static inline const char *view_name(const struct view *v, int thread)
{
	const struct stacks *s = v->stacks;

	return (size_t)thread < s->threads.len && s->threads.items[thread].name
		       ? s->threads.items[thread].name
		       : "";
}

/* The innermost frame of a thread that is user code and not hidden; NULL: there is none. */
const struct stitched_frame *view_innermost(const struct view *v, int thread);

/*
 * The thread that began a region has number *ret_number in team *ret_team, the enclosing one.
 * false: there is no enclosing one, or that is not known.
 */
bool view_starter(const struct view *v, int region, int *ret_team, size_t *ret_number);

#endif
