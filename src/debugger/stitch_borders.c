/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stitch_borders.h"

#include <string.h>

/* ---- constructs ------------------------------------------------------------------------- */

static bool is_construct(const struct stitched_frame *f, const char *construct)
{
	return f->construct && !strcmp(f->construct, construct);
}

static bool is_called(const struct stitched_frame *f, const char *part)
{
	return strstr(f->frame->function, part);
}

/*
 * Two functions of the compiler stand for one construct: clang calls the code of a region through a
 * function with debug information, and a task's through one with the runtime's arguments.
 */
static bool are_one(const struct stitched_frame *inner, const struct stitched_frame *outer)
{
	if (!inner->construct || !outer->construct || !inner->frame || !outer->frame ||
	    !is_called(inner, ".omp_outlined"))
		return is_construct(inner, "target") && is_construct(outer, "target");
	return is_called(outer,
			 is_called(inner, "_debug__") ? ".omp_outlined" : ".omp_task_entry.");
}

/*
 * The outermost frames of what a runtime called: the compiler's functions, of which one stands for
 * all, the innermost. from: where the user's frames begin in the stack. Returns where these do.
 */
static size_t mark_outlined(struct stitched_stack *stack, size_t from, const char *construct)
{
	struct stitched_frame *kept = NULL;
	size_t i = stack->frames.len;

	for (; i-- > from;) {
		struct stitched_frame *f = &stack->frames.items[i];
		if (!f->construct || (kept && !are_one(f, kept)))
			break;
		if (kept)
			kept->hidden = true;
		kept = f;
		kept->construct = construct;
	}
	return i + 1;
}

const struct span *stitch_borders_fork(const struct stitcher *st, int region)
{
	const struct picture_region *r = picture_region(st->picture, region);
	const struct picture_thread *th = r ? picture_thread(st->picture, r->primary) : NULL;

	for (size_t i = 0; th && th->borders && i < th->spans.list.len; i++) {
		if (th->borders[i].region == region && !th->spans.list.items[i].root)
			return &th->spans.list.items[i];
	}
	return NULL;
}

/* What the entry tells by which the region's primary thread, on whose stack it is, came. */
static const char *construct_of_entry(const struct span *fork)
{
	return fork->entry && fork->entry->construct ? fork->entry->construct : "parallel";
}

/* The source tells it, or the entry, or the kind of call. NULL: there is none. */
static const char *construct_of(const struct stitcher *st, const struct border *b,
				const struct span *s)
{
	static const char *const constructs[NUM_BORDERS] = {
		[BORDER_PARALLEL] = "parallel",
		[BORDER_TASK] = "task",
		[BORDER_TEAMS] = "teams",
		[BORDER_TARGET] = "target",
	};
	const struct picture_region *region = picture_region(st->picture, b->region);
	const struct picture_task *task = picture_task(st->picture, b->task);
	const struct span *fork = s->root ? stitch_borders_fork(st, b->region) : s;

	if (region && (region->construct || fork))
		return region->construct ? region->construct : construct_of_entry(fork);
	return task && task->construct ? task->construct : constructs[b->kind];
}

/* ---- borders ---------------------------------------------------------------------------- */

static struct border border_of_kind(enum border_kind kind)
{
	return (struct border){ .kind = kind, .region = -1, .task = -1, .creator = -1 };
}

/* region and task: -1: unknown. */
static struct border border_of_region(const struct stitcher *st, int region,
				      enum fact_source source)
{
	const struct picture_region *r = picture_region(st->picture, region);
	struct border border = border_of_kind(r && r->league ? BORDER_TEAMS : BORDER_PARALLEL);

	border.region = region;
	border.source = source;
	if (r)
		border.place = r->place;
	return border;
}

static struct border border_of_task(const struct stitcher *st, int task, enum fact_source source)
{
	const struct picture_task *t = picture_task(st->picture, task);
	const struct picture_task *creator = t ? picture_task(st->picture, t->creator) : NULL;
	struct border border = border_of_kind(BORDER_TASK);

	border.task = task;
	border.source = source;
	if (t)
		border.place = t->place;
	if (creator)
		border.creator = creator->thread;
	return border;
}

/* th: whose stack the span is on. */
static struct border border_of_span(const struct stitcher *st, const struct picture_thread *th,
				    const struct span *s, const struct picture_border *b)
{
	static const enum border_kind kinds[] = {
		[SPAN_WAITS] = BORDER_NONE,    [SPAN_PARALLEL] = BORDER_PARALLEL,
		[SPAN_TASK] = BORDER_TASK,     [SPAN_TEAMS] = BORDER_TEAMS,
		[SPAN_TARGET] = BORDER_TARGET, [SPAN_CALLBACK] = BORDER_CALLBACK,
	};

	if (s->call == SPAN_TASK)
		return border_of_task(st, b->task, b->source);
	if (b->region >= 0 && s->call != SPAN_CALLBACK)
		return border_of_region(st, b->region, b->source);
	/* The first of a team of a league, for which LLVM's library has no region. */
	bool league = s->root && th->role == ROLE_PRIMARY && th->region < 0;
	return border_of_kind(league ? BORDER_TEAMS : kinds[s->call]);
}

/* Puts the border behind the last frame. */
static void set_border(struct stitched_stack *stack, const struct border *border)
{
	if (stack->frames.len)
		stack->frames.items[stack->frames.len - 1].border = *border;
}

/*
 * The place of a construct that the picture has not: of the outlined function, which for gcc is
 * that of the directive, or of the call into the runtime.
 */
static struct error *find_place(const struct stitcher *st, const struct stitch_position *at,
				const struct span *s, struct place *ret)
{
	const struct source_frame *levels;
	size_t len;

	if (s->callee) {
		struct error *err =
			symbol_locate(st->stacks->session->symbols, s->callee, &levels, &len);
		if (err)
			return err;
		const char *function = levels[len - 1].function;
		if (levels[0].file && function && strstr(function, "._omp_fn.")) {
			ret->file = levels[0].first_file;
			ret->line = levels[0].first_line;
			return NULL;
		}
	}
	bool called = !s->root && s->outer < picture_thread(st->picture, at->thread)->spans.len;
	const struct stack_frame *caller =
		called ? stitch_frames_at(st, at->thread, s->outer) : NULL;
	if (caller) {
		ret->file = caller->file;
		ret->line = caller->line;
	}
	return NULL;
}

struct error *stitch_borders_add(struct stitcher *st, struct stitch_position *at, size_t from,
				 struct stitched_stack *stack)
{
	const struct picture_thread *th = picture_thread(st->picture, at->thread);
	const struct span *s = &th->spans.list.items[at->span];
	struct border border = border_of_span(st, th, s, &th->borders[at->span]);
	struct error *err = NULL;

	if (s->call == SPAN_WAITS)
		return NULL; /* the innermost: there are no frames */
	if (!border.place.line)
		err = find_place(st, at, s, &border.place);
	const char *construct = construct_of(st, &border, s);
	size_t to = stack->frames.len;
	if (!err && s->elided && to == from)
		err = stitch_frames_add_elided(st, at->thread, &border.place, construct, stack);
	else
		to = mark_outlined(stack, from, construct);
	if (err)
		return err;
	stitch_borders_add_direct(st, at, from, to, stack);
	set_border(stack, &border);
	return NULL;
}

void stitch_borders_end_region(struct stitcher *st, const struct stitch_position *at,
			       struct stitched_stack *stack)
{
	const struct picture_thread *th = picture_thread(st->picture, at->thread);
	const struct picture_border *b = &th->borders[at->span];

	if (b->region < 0 || th->spans.list.items[at->span].call == SPAN_PARALLEL)
		return;
	struct border border = border_of_region(st, b->region, b->source);
	set_border(stack, &border);
}

/* ---- direct calls ----------------------------------------------------------------------- */

/* Some span of a thread's stack ends that region, or calls that task. */
static bool has_span(const struct picture_thread *th, int region, int task)
{
	for (size_t i = 0; i < th->spans.list.len; i++) {
		if (region >= 0 ? th->borders[i].region == region : th->borders[i].task == task)
			return true;
	}
	return false;
}

/* The region that a thread is in, at "region" or around it, and that no span of its stack ends. */
static int next_direct_region(const struct stitcher *st, int thread, int region)
{
	const struct picture_thread *th = picture_thread(st->picture, thread);
	const struct picture_region *r = picture_region(st->picture, region);

	while (r && r->primary == thread && has_span(th, region, -1)) {
		region = r->parent;
		r = picture_region(st->picture, region);
	}
	return r && r->primary == thread ? region : -1;
}

/* The task that a thread is in, or that created that, and that no span of its stack calls. */
static int next_direct_task(const struct stitcher *st, int thread, int task)
{
	const struct picture_thread *th = picture_thread(st->picture, thread);
	const struct picture_task *t = picture_task(st->picture, task);

	while (t && t->kind != TASK_IMPLICIT && has_span(th, -1, task)) {
		task = t->creator;
		t = picture_task(st->picture, task);
	}
	return t && t->kind != TASK_IMPLICIT ? task : -1;
}

/* Of a task or region that was called directly; leaves it. */
static struct border leave_direct(const struct stitcher *st, struct stitch_position *at,
				  bool is_task)
{
	if (is_task) {
		int next = next_direct_task(st, at->thread, at->task);
		const struct picture_task *task = picture_task(st->picture, next);
		at->task = task ? task->creator : at->task;
		return border_of_task(st, next, task ? task->source : SOURCE_NONE);
	}
	int next = next_direct_region(st, at->thread, at->region);
	const struct picture_region *region = picture_region(st->picture, next);
	at->region = region ? region->parent : at->region;
	return border_of_region(st, next, region ? region->source : SOURCE_NONE);
}

void stitch_borders_add_direct(struct stitcher *st, struct stitch_position *at, size_t from,
			       size_t to, struct stitched_stack *stack)
{
	struct stitched_frame *frames = stack->frames.items;

	for (size_t i = from; i < to; i++) {
		struct stitched_frame *inner = &frames[i];
		if (!inner->construct)
			continue;
		bool task = is_construct(inner, "task"), target = is_construct(inner, "target");
		for (; i + 1 < to && are_one(&frames[i], &frames[i + 1]); i++) {
			frames[i + 1].hidden = true;
			task |= is_construct(&frames[i + 1], "task");
		}
		if (target)
			continue; /* a plain call, on the host */
		inner->construct = task ? "task" : "parallel";
		frames[i].border = leave_direct(st, at, task);
		struct place *place = &frames[i].border.place;
		if (!place->line && i + 1 < stack->frames.len)
			*place = (struct place){ .file = frames[i + 1].file,
						 .line = frames[i + 1].line };
	}
}
