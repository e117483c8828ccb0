/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/borders.h"

#include <stdlib.h>
#include <string.h>

/* How far out of the regions of one runtime a thread's way has led. */
struct depth {
	bool known; /* the rest is set                                             */
	int region; /* whose frames come next; -1: none is left, or not known      */
	int inner;  /* the one left last; -1: none                                  */
	int level;  /* of nesting, of the frames that come next                     */
};

/* One thread's way outwards. */
struct way {
	struct walk *w;
	int thread;
	const struct spans *spans;
	int task;             /* whose frames come next; -1: not known                       */
	struct depth *depths; /* one for each runtime                             */
	struct depth *now;    /* that of the span at hand                          */
};

/*
 * The span lies between a region and the code around it. Besides the call of an implicit task that
 * is the barrier at the region's end, into which a runtime jumps when the task is over.
 */
static bool ends_region(const struct span *s)
{
	if (s->call == SPAN_PARALLEL)
		return true;
	if (s->call != SPAN_WAITS && s->call != SPAN_TASK)
		return false;
	return s->root || (s->entry && s->entry->calls == SPAN_PARALLEL);
}

/* ---- regions ---------------------------------------------------------------------------- */

static struct picture_region *region_at(const struct way *way, int index)
{
	return index >= 0 ? &way->w->picture->regions.items[index] : NULL;
}

/* The region further out on this thread's own stack; -1: another thread made this one. */
static int next_region(const struct way *way, int index)
{
	const struct picture_region *r = region_at(way, index);

	return r && r->primary == way->thread ? r->parent : -1;
}

/* Spans from "first" on that end a region. */
static int count_ends(const struct way *way, size_t first)
{
	int n = 0;

	for (size_t i = first; i < way->spans->list.len; i++)
		n += ends_region(&way->spans->list.items[i]);
	return n;
}

static bool may_be(const struct picture_region *r, const struct span *s)
{
	return !s->callee || !r->function || r->function == s->callee;
}

/*
 * A region that the library leaves out: libompd skips serialised ones within serialised ones. It is
 * added between "inner", which may be -1, and "outer".
 */
static struct error *add_skipped(struct way *way, int inner, int outer, const struct span *s,
				 int *ret)
{
	struct picture *p = way->w->picture;
	struct picture_region r = {
		.parent = outer,
		.runtime = (int)(s->runtime - way->w->runtimes.items),
		.level = way->now->level,
		.size = 1,
		.source = SOURCE_INFERRED,
		.primary = way->thread,
		.generation = -1,
		.function = s->callee,
	};

	if (!vec_push(&r.members, way->thread))
		return &error_nomem;
	if (!vec_push(&p->regions, r)) {
		vec_fini(&r.members);
		return &error_nomem;
	}
	*ret = (int)p->regions.len - 1;
	if (inner >= 0)
		p->regions.items[inner].parent = *ret;
	return vec_push(&way->w->region_handles, NULL) ? NULL : &error_nomem;
}

/*
 * The region that span "index" ends. Going outwards, each level of nesting has a span, but for
 * those whose functions were called directly, as compilers do for if(0).
 */
static struct error *match_region(struct way *way, size_t index, int *ret)
{
	const struct span *s = &way->spans->list.items[index];
	int inner = way->now->inner, spans = count_ends(way, index);

	for (int i = way->now->region; i >= 0; i = next_region(way, i)) {
		const struct picture_region *r = region_at(way, i);
		if (r->level < way->now->level && spans > r->level && r->source == SOURCE_OMPD)
			return add_skipped(way, inner, i, s, ret);
		/* Its own region is over already, and that of another thread does not end here. */
		if (!s->root && r->primary >= 0 && r->primary != way->thread) {
			*ret = -1;
			return NULL;
		}
		way->now->level = r->level;
		if (may_be(r, s)) {
			*ret = i;
			return NULL;
		}
		inner = i;
	}
	*ret = way->now->region;
	return NULL;
}

static void note_place(const struct way *way, const struct span *s, struct picture_region *r)
{
	const struct unwind_stack *raw = &way->w->raw[way->thread];

	if (s->callee && !r->function && s->call == SPAN_PARALLEL)
		r->function = s->callee;
	/* The call that made the region stands in the construct's line. */
	if (!s->root && s->outer < raw->len && !way->spans->hidden[s->outer] &&
	    r->primary == way->thread)
		r->place.pc = spans_pc(&raw->items[s->outer]);
}

static struct error *leave_region(struct way *way, size_t index, struct picture_border *ret)
{
	const struct span *s = &way->spans->list.items[index];
	struct error *err = match_region(way, index, &ret->region);

	if (err || ret->region < 0)
		return err;
	struct picture_region *r = region_at(way, ret->region);
	ret->source = r->source;
	r->league |= s->call == SPAN_TEAMS;
	note_place(way, s, r);
	way->now->inner = ret->region;
	way->now->region = next_region(way, ret->region);
	way->now->level = r->level - 1;
	return NULL;
}

/* ---- tasks ------------------------------------------------------------------------------ */

static struct picture_task *task_at(const struct way *way, int index)
{
	return index >= 0 ? &way->w->picture->tasks.items[index] : NULL;
}

static bool is_explicit(const struct picture_task *task)
{
	return task && task->kind != TASK_IMPLICIT;
}

static bool may_execute(const struct picture_task *task, const struct span *s)
{
	return !s->callee || !task->function || task->function == s->callee;
}

/*
 * Explicit tasks that no span calls: the user's code called their functions itself, as compilers do
 * for if(0). s: the span behind their frames.
 */
static void leave_direct_tasks(struct way *way, const struct span *s)
{
	struct picture_task *task = task_at(way, way->task);

	while (is_explicit(task) && !(s->call == SPAN_TASK && may_execute(task, s))) {
		if (task->source == SOURCE_OMPD)
			task->kind = TASK_UNDEFERRED;
		if (task->thread < 0)
			task->thread = way->thread;
		way->task = task->creator;
		task = task_at(way, way->task);
	}
}

/*
 * What the thread left to execute a task. Not all runtimes keep that. Out of a task's own calls it
 * runs what that task created, unless that is known to be elsewhere; at barriers anything.
 */
static int find_suspended(const struct way *way, size_t index, const struct picture_task *task)
{
	const struct span *s = &way->spans->list.items[index];
	const struct runtime_ops *ops = s->runtime->ops;
	bool by_task =
		task->kind == TASK_UNDEFERRED || (s->entry && s->entry->point != POINT_BARRIER);
	int found = task->creator;

	if (task->kind != TASK_UNDEFERRED && task->source == SOURCE_MEMORY)
		return ops->suspended ? ops->suspended(way->w, way->thread, way->task, s) : -1;
	for (const struct picture_task *t = task_at(way, found); is_explicit(t);
	     t = task_at(way, found)) {
		if (by_task && (t->thread < 0 || t->thread == way->thread))
			break;
		found = t->creator;
	}
	return found;
}

static void leave_task(struct way *way, size_t index, struct picture_border *ret)
{
	const struct span *s = &way->spans->list.items[index];

	leave_direct_tasks(way, s);
	struct picture_task *task = task_at(way, way->task);
	/* What the stack says and what the library says must agree. */
	if (!is_explicit(task)) {
		way->task = -1;
		return;
	}
	if (!task->function)
		task->function = s->callee;
	if (task->thread < 0)
		task->thread = way->thread;
	ret->task = way->task;
	ret->source = task->source;
	way->task = find_suspended(way, index, task);
}

/* Out of an implicit task, on the thread that made the region: into the task that met the
 * construct. */
static void leave_implicit_task(struct way *way, const struct span *s)
{
	leave_direct_tasks(way, s);
	const struct picture_task *task = task_at(way, way->task);

	way->task = task ? task->creator : -1;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* The regions that the thread is in, by the runtime of a span. */
static struct depth *depth_of(const struct way *way, const struct span *s)
{
	const struct picture *p = way->w->picture;
	const struct picture_thread *th = &p->threads.items[way->thread];
	int runtime = (int)(s->runtime - way->w->runtimes.items);
	struct depth *d = &way->depths[runtime];

	if (d->known)
		return d;
	*d = (struct depth){ .known = true, .inner = -1 };
	d->region =
		runtime == th->runtime ? th->region : *walk_innermost(way->w, runtime, way->thread);
	d->level = d->region >= 0 ? p->regions.items[d->region].level : 0;
	return d;
}

static struct error *find_borders(struct way *way)
{
	struct picture_thread *th = &way->w->picture->threads.items[way->thread];
	struct error *err = NULL;

	th->borders = calloc(th->spans.list.len + 1, sizeof(*th->borders));
	if (!th->borders)
		return &error_nomem;
	for (size_t i = 0; !err && i < th->spans.list.len; i++) {
		const struct span *s = &th->spans.list.items[i];
		struct picture_border *border = &th->borders[i];
		*border = (struct picture_border){ .task = -1, .region = -1 };
		way->now = depth_of(way, s);
		if (s->call == SPAN_TASK)
			leave_task(way, i, border);
		if (ends_region(s) && th->role != ROLE_IDLE) {
			err = leave_region(way, i, border);
			leave_implicit_task(way, s);
		}
	}
	return err;
}

struct error *borders_find(struct walk *w)
{
	AUTO_FREE struct depth *depths = calloc(w->nknown + 1, sizeof(*depths));
	struct error *err = depths ? NULL : &error_nomem;

	for (size_t i = 0; !err && i < w->picture->threads.len; i++) {
		struct picture_thread *th = &w->picture->threads.items[i];
		struct way way = { w, (int)i, &th->spans, th->task, depths, NULL };
		memset(depths, 0, w->nknown * sizeof(*depths));
		err = find_borders(&way);
	}
	vec_for_each (region, &w->picture->regions) {
		if (!region->place.pc)
			region->place.pc = region->function;
	}
	vec_for_each (task, &w->picture->tasks)
		task->place.pc = task->function;
	return err;
}
