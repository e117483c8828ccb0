/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/creators.h"

#include <stdio.h>

#include "debugger/control/task_creator.h"
#include "debugger/look.h"
#include "ompd/outlined.h"

static const struct stitched_stack *find_stack(const struct snapshot *s, pid_t lwp)
{
	vec_for_each (stack, &s->stitched.stacks) {
		if (s->stacks->threads.items[stack->thread].lwp == lwp)
			return stack;
	}
	return NULL;
}

static size_t count_outer(const struct stack_frame *f)
{
	size_t n = 0;

	while (f[n].inlined)
		n++;
	return n;
}

/* Its index; behind the last one: it is not there. */
static size_t find_frame(const struct stitched_stack *stack, pid_t lwp, const struct frame_key *key)
{
	size_t i;

	for (i = 0; i < stack->frames.len; i++) {
		const struct stitched_frame *f = &stack->frames.items[i];
		if (f->frame && f->lwp == lwp && f->frame->pc == key->pc &&
		    f->frame->cfa == key->cfa && count_outer(f->frame) == key->outer)
			break;
	}
	return i;
}

static void name_thread(const struct snapshot *s, const struct stitched_frame *f,
			struct creator *ret)
{
	const struct picture_thread *th = NULL;

	vec_for_each (t, &s->picture.threads) {
		if (t->lwp == f->lwp)
			th = t;
	}
	if (th && th->region >= 0 && th->number >= 0)
		snprintf(ret->thread, sizeof(ret->thread), "Thread %ld.%ld",
			 picture_region_id(&s->picture, th->region), th->number);
	else
		snprintf(ret->thread, sizeof(ret->thread), "LWP %d", f->lwp);
}

struct task_data creators_task_data(const struct snapshot *s, int task)
{
	const struct picture_task *t = picture_task(&s->picture, task);
	const struct picture_task *by = t ? picture_task(&s->picture, t->creator) : NULL;
	const struct picture_thread *th = by ? picture_thread(&s->picture, by->thread) : NULL;

	if (!t || t->kind == TASK_IMPLICIT)
		return (struct task_data){ 0 };
	return (struct task_data){ t->function, t->arguments, t->block, t->block_size,
				   th ? th->lwp : 0 };
}

static struct frame_key key_of(const struct stitched_frame *f)
{
	return (struct frame_key){ f->frame->pc, f->frame->cfa, count_outer(f->frame) };
}

static void take_frame(const struct snapshot *s, const struct stitched_frame *f,
		       struct creator *ret)
{
	ret->lwp = f->lwp;
	ret->frame = key_of(f);
	ret->known = true;
	name_thread(s, f, ret);
}

/* Who has begun the region whose outermost frame that at i is. NULL: not found. */
static const struct stitched_frame *find_beginner(const struct stitched_stack *stack, size_t i)
{
	const struct stitched_frame *items = stack->frames.items;

	for (i++; i < stack->frames.len; i++) {
		if (!items[i].hidden && items[i].kind == CODE_USER)
			return items[i].frame ? &items[i] : NULL;
	}
	return NULL;
}

/* The task, whose border is at i, may tell which region's code had it made. */
static struct error *follow_region(struct session *from, const struct snapshot *s,
				   const struct stitched_stack *stack, size_t code, size_t i,
				   struct creator *ret)
{
	const struct stitched_frame *items = stack->frames.items;
	int region;
	struct error *err =
		task_creator_region(from, s, &items[code], items[i].border.task, &region);

	while (!err && region >= 0 && ++i < stack->frames.len) {
		if (items[i].border.kind != BORDER_PARALLEL || items[i].border.region != region)
			continue;
		const struct stitched_frame *f = find_beginner(stack, i);
		if (f)
			take_frame(s, f, ret);
		ret->is_beyond = f;
		break;
	}
	return err;
}

/* The frame at "code" is a task's, which ends at i. */
static struct error *follow_task(struct session *from, const struct snapshot *s,
				 const struct stitched_stack *stack, size_t code, size_t i,
				 struct creator *ret)
{
	struct task_creator by;
	struct error *err = task_creator_find(from, s, stack, code, i, &by);

	ret->is_task = true;
	ret->why = "not available: the frame that has made the task may be gone";
	ret->task = creators_task_data(s, stack->frames.items[i].border.task);
	if (err || !by.len)
		return err ? err : follow_region(from, s, stack, code, i, ret);
	ret->lwp = by.frames[0]->lwp;
	ret->frame = key_of(by.frames[0]);
	ret->known = by.known;
	for (size_t n = 0; n < by.len && !by.known; n++)
		ret->maybe[ret->nmaybe++] = key_of(by.frames[n]);
	name_thread(s, by.frames[0], ret);
	return NULL;
}

/* From the frame at i outward to the next border, and to who stands behind it. */
static struct error *follow(struct session *from, const struct snapshot *s,
			    const struct stitched_stack *stack, size_t i, struct creator *ret)
{
	const struct stitched_frame *items = stack->frames.items;
	const size_t len = stack->frames.len, code = i;

	while (i < len && items[i].border.kind == BORDER_NONE)
		i++;
	if (i == len)
		return NULL;
	if (items[i].border.kind == BORDER_TASK)
		return follow_task(from, s, stack, code, i, ret);
	if (items[i].border.kind != BORDER_PARALLEL && items[i].border.kind != BORDER_TEAMS)
		return NULL;
	const struct stitched_frame *f = find_beginner(stack, i);
	if (f)
		take_frame(s, f, ret);
	else
		ret->why = "not available: the frame that has made the region was not found";
	return NULL;
}

struct error *creators_find(struct session *s, pid_t lwp, const struct frame_key *frame,
			    struct creator *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };
	AUTO_LOOK l = { 0 };

	*ret = (struct creator){ 0 };
	struct error *err = look_once(s, &options, &l);
	if (!err)
		err = snapshot_name(l.snapshot);
	const struct stitched_stack *stack = err ? NULL : find_stack(l.snapshot, lwp);
	if (stack)
		err = follow(s, l.snapshot, stack, find_frame(stack, lwp, frame), ret);
	return err;
}

/* What clang makes of a task has the task's code inlined. */
static const struct stitched_frame *task_code(const struct stitched_stack *stack, size_t i)
{
	const struct stitched_frame *f = &stack->frames.items[i], *inner = i ? f - 1 : NULL;
	struct outlined o;
	bool inlined = inner && inner->frame && inner->frame->inlined &&
		       inner->frame->cfa == f->frame->cfa && inner->frame->function &&
		       outlined_parse(inner->frame->function, &o);

	return inlined ? inner : f;
}

/* The outermost frame of the task's own code. */
static void find_task_frame(const struct snapshot *s, int number, struct creators_task *ret)
{
	vec_for_each (stack, &s->stitched.stacks) {
		for (size_t i = 0; i < stack->frames.len; i++) {
			const struct stitched_frame *f = &stack->frames.items[i];
			if (f->border.kind != BORDER_TASK || f->border.task != number || !f->frame)
				continue;
			f = task_code(stack, i);
			ret->lwp = f->lwp;
			ret->frame = key_of(f);
			return;
		}
	}
}

struct error *creators_find_task(struct session *s, long number, struct creators_task *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };
	AUTO_LOOK l = { 0 };
	struct error *err = look_once(s, &options, &l);

	*ret = (struct creators_task){ 0 };
	if (!err)
		err = snapshot_name(l.snapshot);
	if (err)
		return err;
	const struct picture *p = &l.snapshot->picture;
	const int index = picture_task_by_id(p, number);
	const struct picture_task *t = picture_task(p, index);
	if (!t)
		return error_new(ERROR_USAGE, "there is no task %ld: \"omp\" lists them", number);
	if (t->kind == TASK_IMPLICIT)
		return error_new(ERROR_USAGE,
				 "task %ld is the implicit one of a thread: select "
				 "the thread, its frames have the variables",
				 number);
	ret->data = creators_task_data(l.snapshot, index);
	find_task_frame(l.snapshot, index, ret);
	const struct picture_thread *th = picture_thread(p, t->thread);
	if (th && !ret->lwp)
		ret->lwp = th->lwp;
	return NULL;
}
