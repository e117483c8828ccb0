/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stitch.h"

#include <stdlib.h>

#include "debugger/stitch_borders.h"

enum { HOPS_MAX = 1 << 10 }; /* from one thread's stack to another's */

/* Why a thread that the runtime made has nothing further out. */
static const char *why_no_fork(const struct picture_thread *th, int region)
{
	if (th->role == ROLE_IDLE)
		return NULL;
	if (th->role == ROLE_HELPER)
		return "a hidden helper thread of the runtime, which executes target tasks";
	if (region < 0)
		return "the region that this thread belongs to is not known";
	return "the place where its region was begun was not found";
}

/* From the root of a thread's stack to where its region was made. *ret_done: nothing is there. */
static void hop(struct stitcher *st, struct stitch_position *at, struct stitched_stack *stack,
		bool *ret_done)
{
	const struct picture_thread *th = picture_thread(st->picture, at->thread);
	int region = th->borders[at->span].region;
	const struct span *fork = stitch_borders_fork(st, region);

	if (!fork) {
		*ret_done = true;
		stack->end = why_no_fork(th, region);
		return;
	}
	const struct picture_region *r = picture_region(st->picture, region);
	const struct span *first = picture_thread(st->picture, r->primary)->spans.list.items;
	*at = (struct stitch_position){
		.thread = r->primary,
		.frame = fork->outer,
		.span = (size_t)(fork - first) + 1,
		.region = r->parent,
		.task = -1,
	};
}

/* Adds the user's frames from the span that was passed up to a raw frame. */
static struct error *add_user(struct stitcher *st, const struct stitch_position *at, size_t to,
			      struct stitched_stack *stack)
{
	const struct spans *spans = &picture_thread(st->picture, at->thread)->spans;
	const struct span *inner = at->span ? &spans->list.items[at->span - 1] : NULL;
	struct error *err = NULL;

	if (inner)
		err = stitch_frames_add_left(st, at->thread, inner->left, inner->nleft, stack);
	return err ? err : stitch_frames_add(st, at->thread, at->frame, to, stack);
}

/* Adds the user's frames behind the last span. */
static struct error *add_outermost(struct stitcher *st, struct stitch_position *at,
				   struct stitched_stack *stack)
{
	size_t from = stack->frames.len, len = picture_thread(st->picture, at->thread)->spans.len;
	struct error *err = add_user(st, at, len, stack);

	if (!err)
		stitch_borders_add_direct(st, at, from, stack->frames.len, stack);
	stack->end = st->stacks->threads.items[at->thread].end;
	return err;
}

/* Passes the user's frames and the span behind them. *ret_done: nothing comes behind it. */
static struct error *pass_span(struct stitcher *st, struct stitch_position *at,
			       struct stitched_stack *stack, bool *ret_done)
{
	const struct spans *spans = &picture_thread(st->picture, at->thread)->spans;
	size_t from = stack->frames.len;

	if (at->span >= spans->list.len) {
		*ret_done = true;
		return add_outermost(st, at, stack);
	}
	const struct span *s = &spans->list.items[at->span];
	struct error *err = add_user(st, at, s->inner, stack);
	if (!err)
		err = stitch_frames_add_left(st, at->thread, s->passed, s->npassed, stack);
	if (!err)
		err = stitch_borders_add(st, at, from, stack);
	if (!err)
		err = stitch_frames_add(st, at->thread, s->inner, s->root ? spans->len : s->outer,
					stack);
	if (err)
		return err;
	stitch_borders_end_region(st, at, stack);
	if (s->root) {
		hop(st, at, stack, ret_done);
	} else {
		at->frame = s->outer;
		at->span++;
	}
	return NULL;
}

static struct error *stitch_thread(struct stitcher *st, int thread, struct stitched_stack *stack)
{
	const struct picture_thread *th = picture_thread(st->picture, thread);
	struct stitch_position at = { .thread = thread, .region = th->region, .task = th->task };
	struct error *err = NULL;
	bool done = false;

	stack->thread = thread;
	for (int hops = 0; !err && !done; hops++) {
		err = pass_span(st, &at, stack, &done);
		if (!done && hops == HOPS_MAX) {
			done = true;
			stack->end = "too many regions are around each other";
		}
	}
	stitch_frames_name_outlined(st, stack);
	vec_trim(&stack->frames);
	return err;
}

void stitch_fini(struct stitched *s)
{
	vec_for_each (stack, &s->stacks)
		vec_fini(&stack->frames);
	vec_fini(&s->stacks);
	vec_fini_all(&s->names);
}

const struct stitched_frame *stitch_innermost(const struct stitched *s, int thread)
{
	if (!s || (size_t)thread >= s->stacks.len)
		return NULL;
	vec_for_each (f, &s->stacks.items[thread].frames) {
		if (!f->hidden && f->kind == CODE_USER)
			return f;
	}
	return NULL;
}

static struct error *stitch_all(struct stitcher *st)
{
	struct error *err = stitch_frames_init(st);

	for (size_t i = 0; !err && i < st->stacks->threads.len; i++) {
		struct stitched_stack stack = { 0 };
		err = stitch_thread(st, (int)i, &stack);
		if (vec_push(&st->out->stacks, stack))
			continue;
		vec_fini(&stack.frames);
		error_ignore(err);
		err = &error_nomem;
	}
	return err;
}

struct error *stitch(const struct stacks *s, const struct picture *p, struct stitched *ret)
{
	struct stitched out = { 0 };
	struct stitcher st = { .stacks = s, .picture = p, .out = &out };
	struct error *err = stitch_all(&st);

	stitch_frames_fini(&st);
	if (err)
		stitch_fini(&out);
	else
		*ret = out;
	return err;
}

/* ---- raw stacks ------------------------------------------------------------------------- */

bool stitch_raw(const struct stacks *s, int thread, struct stitched_stack *ret)
{
	const struct stack_thread *t = &s->threads.items[thread];
	bool whole = true;

	ret->thread = thread;
	ret->end = t->end;
	ret->frames.len = 0;
	vec_for_each (f, &t->frames) {
		struct stitched_frame frame = {
			.frame = f,
			.function = f->function,
			.file = f->file,
			.line = f->line,
			.lwp = t->lwp,
			.border = { .region = -1, .task = -1, .creator = -1 },
		};
		whole = whole && vec_push(&ret->frames, frame);
	}
	return whole;
}
