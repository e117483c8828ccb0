/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stitch.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/stitch_borders.h"

enum { HOPS_MAX = 1 << 10 }; /* from one thread's stack to another's */

static struct error *set_end(struct stitched_stack *stack, const char *why)
{
	stack->end = why ? strdup(why) : NULL;
	return why && !stack->end ? &error_nomem : NULL;
}

/* Why a thread that the runtime made has nothing further out. */
static const char *why_no_fork(const struct picture_thread *th, int region)
{
	if (th->role == ROLE_IDLE)
		return NULL;
	if (region < 0)
		return "the region that this thread belongs to is not known";
	return "the place where its region was begun was not found";
}

/* From the root of a thread's stack to where its region was made. *ret_done: nothing is there. */
static struct error *hop(struct stitcher *st, struct stitch_position *at,
			 struct stitched_stack *stack, bool *ret_done)
{
	const struct picture_thread *th = picture_thread(st->picture, at->thread);
	int region = th->borders[at->span].region;
	const struct span *fork = stitch_borders_fork(st, region);

	if (!fork) {
		*ret_done = true;
		return set_end(stack, why_no_fork(th, region));
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
	return NULL;
}

/* Adds the user's frames behind the last span. */
static struct error *add_outermost(struct stitcher *st, struct stitch_position *at,
				   struct stitched_stack *stack)
{
	size_t from = stack->frames.len, len = picture_thread(st->picture, at->thread)->spans.len;
	struct error *err = stitch_frames_add(st, at->thread, at->frame, len, stack);

	if (err)
		return err;
	stitch_borders_add_direct(st, at, from, stack->frames.len, stack);
	return set_end(stack, st->stacks->threads.items[at->thread].end);
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
	struct error *err = stitch_frames_add(st, at->thread, at->frame, s->inner, stack);
	if (!err)
		err = stitch_borders_add(st, at, from, stack);
	if (!err)
		err = stitch_frames_add(st, at->thread, s->inner, s->root ? spans->len : s->outer,
					stack);
	if (err)
		return err;
	stitch_borders_end_region(st, at, stack);
	if (s->tail)
		err = stitch_frames_add_tail(st, at->thread, s->tail, stack);
	if (!err && s->root)
		return hop(st, at, stack, ret_done);
	at->frame = s->outer;
	at->span++;
	return err;
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
			err = set_end(stack, "too many regions are around each other");
		}
	}
	stitch_frames_name_outlined(st, stack);
	return err;
}

static void stack_fini(struct stitched_stack *stack)
{
	vec_fini(&stack->frames);
	free(stack->end);
}

void stitch_fini(struct stitched *s)
{
	vec_for_each (stack, &s->stacks)
		stack_fini(stack);
	vec_fini(&s->stacks);
	vec_for_each (name, &s->names)
		free(*name);
	vec_fini(&s->names);
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
		stack_fini(&stack);
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

static bool copy_stack(struct stitched_stack *ret, const struct stack_thread *t)
{
	bool whole = !t->end || (ret->end = strdup(t->end));

	for (size_t i = 0; whole && i < t->frames.len; i++) {
		const struct stack_frame *f = &t->frames.items[i];
		whole = vec_push(&ret->frames,
				 (struct stitched_frame){
					 .frame = f,
					 .function = f->function,
					 .file = f->file,
					 .line = f->line,
					 .lwp = t->lwp,
					 .border = { .region = -1, .task = -1, .creator = -1 },
				 });
	}
	return whole;
}

struct error *stitch_raw(const struct stacks *s, struct stitched *ret)
{
	struct stitched out = { 0 };
	bool whole = true;

	for (size_t i = 0; whole && i < s->threads.len; i++) {
		struct stitched_stack stack = { .thread = (int)i };
		whole = copy_stack(&stack, &s->threads.items[i]) && vec_push(&out.stacks, stack);
		if (!whole) {
			vec_fini(&stack.frames);
			free(stack.end);
		}
	}
	if (!whole) {
		stitch_fini(&out);
		return &error_nomem;
	}
	*ret = out;
	return NULL;
}
