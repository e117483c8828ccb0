/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/borders.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/left.h"

/* How far a thread has been followed out of the regions of one runtime. */
struct depth {
	bool known; /* the rest is set                                             */
	int region; /* whose frames come next; -1: none is left, or not known      */
	int inner;  /* the one left last; -1: none                                  */
	int level;  /* of nesting, of the frames that come next                     */
};

/* A thread that is followed outwards. */
struct outwards {
	struct walk *w;
	int thread;
	const struct spans *spans;
	int task;             /* whose frames come next; -1: not known                       */
	struct depth *depths; /* one for each runtime                             */
	struct depth *now;    /* that of the span at hand                          */
};

/*
 * The span lies between a region and the code around it. Besides the call of an implicit task that
 * is the barrier at the region's end, into which a runtime jumps when the task is over, and what a
 * tool is told of both.
 */
static bool ends_region(const struct span *s)
{
	if (s->call == SPAN_PARALLEL)
		return true;
	if (s->call == SPAN_TEAMS || s->call == SPAN_TARGET)
		return false;
	return s->root || (s->entry && s->entry->calls == SPAN_PARALLEL);
}

/* ---- regions ---------------------------------------------------------------------------- */

static struct picture_region *region_at(const struct outwards *o, int index)
{
	return picture_region(o->w->picture, index);
}

/* The region further out on this thread's own stack; -1: another thread made this one. */
static int next_region(const struct outwards *o, int index)
{
	const struct picture_region *r = region_at(o, index);

	return r && r->primary == o->thread ? r->parent : -1;
}

/* Spans from "first" on that end a region of that one's runtime. */
static int count_ends(const struct outwards *o, size_t first)
{
	const struct span *spans = o->spans->list.items;
	int n = 0;

	for (size_t i = first; i < o->spans->list.len; i++)
		n += spans[i].runtime == spans[first].runtime && ends_region(&spans[i]);
	return n;
}

/* The function that the runtime called may be gone, and the frame that of one it jumped to. */
static bool is_called(const struct outwards *o, taddr function, const struct span *s)
{
	return !s->callee || !function || function == s->callee ||
	       left_leads(o->w, function, s->callee);
}

/*
 * A region that the library leaves out: libompd skips serialised ones within serialised ones. It is
 * added between "inner", which may be -1, and "outer".
 */
static int add_skipped(struct outwards *o, int inner, int outer, const struct span *s)
{
	const struct picture_region region = {
		.parent = outer,
		.runtime = (int)(s->runtime - o->w->runtimes.items),
		.level = o->now->level,
		.size = 1,
		.source = SOURCE_INFERRED,
		.primary = o->thread,
		.generation = -1,
		.function = s->code ? s->code : s->callee,
	};
	int index = walk_add_region(o->w, &region, NULL, 1, o->thread);

	if (inner >= 0)
		region_at(o, inner)->parent = index;
	return index;
}

/* Of serialised regions around which there is no other the library tells the innermost alone. */
static bool is_left_out(const struct outwards *o, const struct span *s)
{
	const struct picture_region *inner = region_at(o, o->now->inner);

	return o->now->region < 0 && inner && inner->primary == o->thread && inner->parent < 0 &&
	       inner->level > 1 && s->call == SPAN_PARALLEL && !s->root;
}

/*
 * The region that span "index" ends. Going outwards, each level of nesting has a span, but for
 * those whose functions were called directly, as compilers do for if(0).
 */
static int match_region(struct outwards *o, size_t index)
{
	const struct span *s = &o->spans->list.items[index];
	int inner = o->now->inner, spans = count_ends(o, index);

	if (is_left_out(o, s))
		return add_skipped(o, inner, -1, s);

	for (int i = o->now->region; i >= 0; i = next_region(o, i)) {
		const struct picture_region *r = region_at(o, i);
		if (r->level < o->now->level && spans > r->level && r->source == SOURCE_OMPD)
			return add_skipped(o, inner, i, s);
		/* Its own region is over already, and that of another thread does not end here. */
		if (!s->root && r->primary >= 0 && r->primary != o->thread)
			return -1;
		o->now->level = r->level;
		if (is_called(o, r->function, s))
			return i;
		inner = i;
	}
	return o->now->region;
}

/*
 * The thread has called for a region that is not there yet, or not any more: there are more calls
 * than regions on its stack. Where the library leaves regions out, or knows none, that cannot be
 * told.
 */
static bool begins_region(const struct outwards *o, size_t index)
{
	const struct span *s = &o->spans->list.items[index];
	const struct picture_region *r = NULL;
	int regions = 0;

	if (index || s->call != SPAN_WAITS || s->root || !walk_session(o->w, o->thread, s))
		return false;
	for (int i = o->now->region; region_at(o, i); i = next_region(o, i)) {
		const bool follows = !r || region_at(o, i)->level == r->level - 1;
		r = region_at(o, i);
		if (r->league || !follows || r->source != SOURCE_OMPD)
			return false;
		regions++;
	}
	/* The outermost is another thread's, or there is none around it. */
	const bool whole = !r || r->primary != o->thread || r->level <= 1;
	return whole && count_ends(o, index) > regions;
}

static void note_place(const struct outwards *o, const struct span *s, struct picture_region *r)
{
	const struct unwind_stack *raw = &o->w->raw[o->thread];

	if (s->code && r->primary == o->thread)
		r->function = s->code;
	else if (s->callee && !r->function && s->call == SPAN_PARALLEL)
		r->function = s->callee;
	/* The call that made the region stands in the construct's line. */
	if (s->nleft && s->left[s->nleft - 1].njumps && r->primary == o->thread)
		r->place.pc = s->left[s->nleft - 1].jumps[0];
	else if (!s->root && s->outer < raw->len && !o->spans->hidden[s->outer] &&
		 r->primary == o->thread)
		r->place.pc = spans_pc(&raw->items[s->outer]);
}

static void leave_region(struct outwards *o, size_t index, struct picture_border *ret)
{
	const struct span *s = &o->spans->list.items[index];

	ret->region = match_region(o, index);
	struct picture_region *r = region_at(o, ret->region);
	if (!r)
		return;
	ret->source = r->source;
	r->league |= s->call == SPAN_TEAMS;
	note_place(o, s, r);
	o->now->inner = ret->region;
	o->now->region = next_region(o, ret->region);
	o->now->level = r->level - 1;
}

/* ---- tasks ------------------------------------------------------------------------------ */

static struct picture_task *task_at(const struct outwards *o, int index)
{
	return picture_task(o->w->picture, index);
}

static bool is_explicit(const struct picture_task *task)
{
	return task && task->kind != TASK_IMPLICIT;
}

/*
 * Explicit tasks that no span calls: the user's code called their functions itself, as compilers do
 * for if(0). s: the span behind their frames. Or the runtime has it in hand, and its code is not on
 * the stack yet, or not any more.
 */
static void leave_direct_tasks(struct outwards *o, const struct span *s)
{
	struct picture_thread *th = picture_thread(o->w->picture, o->thread);
	struct picture_task *task = task_at(o, o->task);

	while (is_explicit(task) && !(s->call == SPAN_TASK && is_called(o, task->function, s))) {
		th->around_task |= task->deferred && o->task == th->task && s->call != SPAN_TASK;
		if (task->source == SOURCE_OMPD && !task->deferred)
			task->kind = TASK_UNDEFERRED;
		if (task->thread < 0)
			task->thread = o->thread;
		o->task = task->creator;
		task = task_at(o, o->task);
	}
}

/*
 * What the thread left to execute a task. Not all runtimes keep that. Out of a task's own calls it
 * runs what that task created, unless that is known to be elsewhere; at barriers anything.
 */
static int find_suspended(const struct outwards *o, size_t index, const struct picture_task *task)
{
	const struct span *s = &o->spans->list.items[index];
	const struct runtime_ops *ops = s->runtime->ops;
	bool by_task =
		task->kind == TASK_UNDEFERRED || (s->entry && s->entry->point != POINT_BARRIER);
	int found = task->creator;

	if (task->kind != TASK_UNDEFERRED && task->source == SOURCE_MEMORY)
		return ops->suspended ? ops->suspended(o->w, o->thread, o->task, s) : -1;
	for (const struct picture_task *t = task_at(o, found); is_explicit(t);
	     t = task_at(o, found)) {
		if (by_task && (t->thread < 0 || t->thread == o->thread))
			break;
		found = t->creator;
	}
	return found;
}

static void leave_task(struct outwards *o, size_t index, struct picture_border *ret)
{
	const struct span *s = &o->spans->list.items[index];

	leave_direct_tasks(o, s);
	struct picture_task *task = task_at(o, o->task);
	/* What the stack says and what the library says must agree. */
	if (!is_explicit(task)) {
		o->task = -1;
		return;
	}
	if (!task->function)
		task->function = s->callee;
	if (task->thread < 0)
		task->thread = o->thread;
	ret->task = o->task;
	ret->source = task->source;
	o->task = find_suspended(o, index, task);
}

/* Out of an implicit task, on the thread that made the region: into the task that met the
 * construct. */
static void leave_implicit_task(struct outwards *o, const struct span *s)
{
	leave_direct_tasks(o, s);
	const struct picture_task *task = task_at(o, o->task);

	o->task = task ? task->creator : -1;
}

/* ---- tools ------------------------------------------------------------------------------ */

static bool has_tool(const struct walk *w, const struct span *s)
{
	return s->runtime->ops->tools &&
	       runtime_program_names(&w->runtimes, s->runtime->ops->tools);
}

/*
 * What looks like a task, and is none that the thread executes or has left for such a one: a tool
 * is told of something.
 */
static bool calls_tool(const struct outwards *o, const struct span *s)
{
	const struct picture_task *task = task_at(o, o->task);

	if (s->call != SPAN_TASK || !task || !walk_session(o->w, o->thread, s))
		return false;
	for (; is_explicit(task); task = task_at(o, task->creator)) {
		if (is_called(o, task->function, s))
			return false;
	}
	return has_tool(o->w, s);
}

/* ---- threads ---------------------------------------------------------------------------- */

/* The regions that the thread is in, by the runtime of a span. */
static struct depth *depth_of(const struct outwards *o, const struct span *s)
{
	const struct picture *p = o->w->picture;
	const struct picture_thread *th = picture_thread(p, o->thread);
	int runtime = (int)(s->runtime - o->w->runtimes.items);
	struct depth *d = &o->depths[runtime];

	if (d->known)
		return d;
	*d = (struct depth){ .known = true, .inner = -1 };
	d->region = runtime == th->runtime ? th->region : *walk_innermost(o->w, runtime, o->thread);
	const struct picture_region *r = picture_region(p, d->region);
	d->level = r ? r->level : 0;
	return d;
}

/* The code of the region in which the thread began, if it did in one; 0: not known. */
static taddr code_of_root(const struct outwards *o)
{
	int region = picture_thread(o->w->picture, o->thread)->region;

	while (next_region(o, region) >= 0)
		region = next_region(o, region);
	const struct picture_region *r = region_at(o, region);
	return r && r->primary != o->thread ? r->function : 0;
}

static void find_borders(struct outwards *o)
{
	struct picture_thread *th = picture_thread(o->w->picture, o->thread);

	left_find_entry(o->w, o->thread, code_of_root(o));
	th->borders = calloc(th->spans.list.len + 1, sizeof(*th->borders));
	o->w->failed |= !th->borders;
	for (size_t i = 0; !o->w->failed && i < th->spans.list.len; i++) {
		struct span *s = &th->spans.list.items[i];
		struct picture_border *border = &th->borders[i];
		if (calls_tool(o, s))
			s->call = SPAN_CALLBACK;
		*border = (struct picture_border){ .task = -1, .region = -1 };
		o->now = depth_of(o, s);
		if (s->call == SPAN_TASK)
			leave_task(o, i, border);
		border->begins = ends_region(s) && begins_region(o, i);
		if (ends_region(s) && th->role != ROLE_IDLE && !border->begins) {
			leave_region(o, i, border);
			leave_implicit_task(o, s);
		}
	}
}

/* Regions that code has made of which no frame is left: from region to region inwards. */
static void find_left_places(struct walk *w, int thread)
{
	struct picture_thread *th = picture_thread(w->picture, thread);
	const struct outwards o = { .w = w, .thread = thread, .spans = &th->spans };

	for (size_t i = 0; i < th->spans.list.len; i++) {
		struct picture_region *r = region_at(&o, th->borders[i].region);
		if (r && th->spans.list.items[i].code)
			note_place(&o, &th->spans.list.items[i], r);
	}
}

void borders_find(struct walk *w)
{
	AUTO_FREE struct depth *depths = calloc(w->nknown + 1, sizeof(*depths));

	w->failed |= !depths;
	for (int i = 0; !w->failed && i < (int)w->picture->threads.len; i++) {
		struct picture_thread *th = picture_thread(w->picture, i);
		struct outwards o = { w, i, &th->spans, th->task, depths, NULL };
		memset(depths, 0, w->nknown * sizeof(*depths));
		find_borders(&o);
	}
	for (bool more = true; !w->failed && more;) {
		more = false;
		for (int i = 0; i < (int)w->picture->threads.len; i++) {
			const bool found = left_find_code(w, i);
			if (found)
				find_left_places(w, i);
			more |= found;
		}
	}
	vec_for_each (region, &w->picture->regions) {
		if (!region->place.pc)
			region->place.pc = region->function;
	}
	vec_for_each (task, &w->picture->tasks)
		task->place.pc = task->function;
}
