/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/left.h"

/* What jumps may lead to. */
struct end {
	const struct walk *w;
	taddr to;                /* a function of the user's; 0: an entry of... */
	const struct span *span; /* that runtime, through which this was entered */
	enum wait_kind wait;     /* if it is not known which: one in which one waits for that */
	bool any;                /* ... or any                                          */
};

static enum call_way way_to(void *context, taddr target)
{
	const struct end *end = context;

	if (end->to && target == end->to)
		return WAY_GOAL;
	return runtime_code_at(&end->w->runtimes, target) == CODE_USER ? WAY_THROUGH : WAY_NOWHERE;
}

static enum call_way way_in(void *context, taddr target)
{
	const struct end *end = context;
	const struct span *s = end->span;
	const struct runtime *r = runtime_at(&end->w->runtimes, target);

	if (r != s->runtime || !r)
		return way_to(context, target);
	const char *name = runtime_function_at(&end->w->runtimes, r, target);
	const struct runtime_entry *e = runtime_entry(r->ops, name);
	if (!e || e->internal)
		return WAY_NOWHERE;
	bool fits = s->entry ? e == s->entry : end->any || runtime_entry_wait(e) == end->wait;
	return fits ? WAY_GOAL : WAY_NOWHERE;
}

bool left_leads(struct walk *w, taddr function, taddr to)
{
	struct end end = { .w = w, .to = to };
	struct call_left left[CALL_LEFT_MAX];
	taddr goal;

	return call_site_left(w->calls, function, way_to, &end, left, &goal);
}

/* What the runtime called at the border; 0: not known. */
static taddr called_at(const struct walk *w, const struct span *s, const struct picture_border *b)
{
	const struct picture_region *r = picture_region(w->picture, b->region);
	const struct picture_task *task = picture_task(w->picture, b->task);

	if (s->call == SPAN_TASK)
		return task ? task->function : 0;
	return r ? r->function : 0;
}

/* Into the next span further in: nobody of the user's is between the two. */
static void find_into(struct walk *w, const struct picture_thread *th, struct span *inner,
		      taddr function)
{
	struct end end = { .w = w, .span = inner, .wait = th->wait.kind };
	taddr goal;

	inner->nleft = call_site_left(w->calls, function, way_in, &end, inner->left, &goal);
}

/* To the frame that is there: the function that the runtime called is not the one it is of. */
static void find_passed(struct walk *w, struct span *s, taddr function)
{
	struct end end = { .w = w, .to = s->callee };
	taddr goal;

	if (s->callee && function != s->callee)
		s->npassed = call_site_left(w->calls, function, way_to, &end, s->passed, &goal);
}

void left_find(struct walk *w, int thread)
{
	struct picture_thread *th = picture_thread(w->picture, thread);

	for (size_t i = 0; th->borders && i < th->spans.list.len; i++) {
		struct span *s = &th->spans.list.items[i];
		struct span *inner = i ? s - 1 : NULL;
		taddr function = called_at(w, s, &th->borders[i]);
		if (!function || s->call == SPAN_WAITS)
			continue;
		if (!s->elided)
			find_passed(w, s, function);
		else if (inner && inner->outer == s->inner)
			find_into(w, th, inner, function);
	}
}

void left_find_entry(struct walk *w, int thread, taddr root)
{
	struct spans *spans = &picture_thread(w->picture, thread)->spans;
	struct span *inner = spans->list.items;
	const struct span *s = inner + 1;
	taddr goal, function = spans->list.len > 1 ? (s->root ? root : s->code) : 0;

	if (!function || !s->elided || inner->inner || inner->outer != s->inner || inner->entry)
		return;
	struct end end = { .w = w, .span = inner, .any = true };
	struct call_left left[CALL_LEFT_MAX];
	if (!call_site_left(w->calls, function, way_in, &end, left, &goal))
		return;
	const char *name = runtime_function_at(&w->runtimes, inner->runtime, goal);
	const struct runtime_entry *e = runtime_entry(inner->runtime->ops, name);
	if (e->calls != SPAN_PARALLEL)
		return;
	inner->api = name;
	inner->entry = e;
}

bool left_find_code(struct walk *w, int thread)
{
	const struct picture_thread *th = picture_thread(w->picture, thread);
	bool found = false;

	for (size_t i = th->borders ? th->spans.list.len : 0; i-- > 1;) {
		const struct span *s = &th->spans.list.items[i];
		struct span *inner = &th->spans.list.items[i - 1];
		const struct runtime_entry *e = inner->entry;
		taddr function = s->elided ? called_at(w, s, &th->borders[i]) : 0;
		if (!function || inner->outer != s->inner || inner->code || !e || !e->function)
			continue;
		find_into(w, th, inner, function);
		if (inner->nleft &&
		    call_site_left_argument(w->calls, &inner->left[inner->nleft - 1],
					    e->function - 1, &function) &&
		    runtime_code_at(&w->runtimes, function) == CODE_USER)
			inner->code = function;
		if (inner->call != SPAN_WAITS && !inner->callee)
			inner->callee = inner->code;
		found |= inner->code;
	}
	return found;
}
