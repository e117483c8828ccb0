/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/arrivals.h"

#include <stdlib.h>

#include "base/cleanup.h"

/* ---- who ---------------------------------------------------------------------------------- */

static enum arrival arrival_of(enum wait_kind kind)
{
	if (wait_kind_whom(kind) != FOR_TEAM)
		return ARRIVED_NOT;
	return kind == WAIT_REGION_END ? ARRIVED_END : ARRIVED_PLAIN;
}

/* The code that the runtime called is not over, though a jump has taken its frame. */
static bool is_within(const struct picture_thread *th)
{
	return spans_innermost(&th->spans) && th->spans.list.len > 1 &&
	       th->spans.list.items[1].elided;
}

static enum arrival arrival_by(const struct picture_thread *th)
{
	const struct picture_wait *w = &th->wait;

	if (picture_wait_kind(w) == WAIT_BARRIER && !is_within(th) &&
	    (!w->place.pc || runtime_entry_wait(w->entry) != WAIT_BARRIER))
		return ARRIVED_SOMEWHERE;
	return arrival_of(w->kind);
}

/* Where a thread was when it began to execute a task: at a barrier? */
static enum arrival arrival_before(const struct span *s)
{
	return s->root ? ARRIVED_END : arrival_of(runtime_entry_wait(s->entry));
}

enum arrival arrivals_of(const struct picture *p, int thread, int region)
{
	const struct picture_thread *th = picture_thread(p, thread);
	int now = th->region;

	if (now == region && arrival_by(th))
		return arrival_by(th);
	for (size_t i = 0; i < th->spans.list.len && now >= 0; i++) {
		const struct span *s = &th->spans.list.items[i];
		if (now == region && s->call == SPAN_TASK && arrival_before(s))
			return arrival_before(s);
		if (s->call == SPAN_PARALLEL)
			now = picture_region(p, now)->parent;
	}
	return ARRIVED_NOT;
}

/* Both wait, and of both it is known at which kind of barrier: not at the same one. */
static bool are_apart(const struct picture_thread *a, const struct picture_thread *b)
{
	return a->region == b->region && wait_kind_traits(a->wait.kind)->is_barrier &&
	       wait_kind_traits(b->wait.kind)->is_barrier && a->wait.kind != b->wait.kind &&
	       a->wait.kind != WAIT_BARRIER && b->wait.kind != WAIT_BARRIER;
}

/* All of its team are at the barrier where it waits. */
static bool have_all_come(const struct picture *p, int thread)
{
	const int region = picture_thread(p, thread)->region;
	const struct picture_region *r = picture_region(p, region);
	const enum arrival here = arrivals_of(p, thread, region);

	for (size_t i = 0; r && i < r->members.len; i++) {
		const int other = r->members.items[i];
		if (other < 0 || arrivals_of(p, other, region) != here ||
		    are_apart(picture_thread(p, thread), picture_thread(p, other)))
			return false;
	}
	return r;
}

/* Where all have come, tasks may be left to do. */
static void find_passing(struct picture *p)
{
	for (int i = 0; i < (int)p->threads.len; i++) {
		struct picture_wait *w = &picture_thread(p, i)->wait;
		if (w->over && !w->no_tasks && wait_kind_traits(w->kind)->is_barrier &&
		    have_all_come(p, i))
			w->over = false;
	}
	vec_for_each (th, &p->threads) {
		if (wait_kind_traits(th->wait.kind)->is_barrier && th->wait.over)
			th->wait.kind = WAIT_PASSING;
	}
}

/* ---- how many ----------------------------------------------------------------------------- */

/* Of a region's end, or of its other barriers. */
struct arrivals {
	long there;          /* who wait, or execute tasks there                         */
	long arrived, total; /* as the runtime counts; total 0: not known */
	bool differs;        /* it gave several numbers                   */
};

static void note(struct arrivals *a, const struct picture_wait *wait)
{
	a->there++;
	if (!wait->total)
		return;
	a->differs |= a->total && (a->arrived != wait->arrived || a->total != wait->total);
	a->arrived = wait->arrived;
	a->total = wait->total;
}

/* Those that execute a task there are at the barrier, too, wherever they are now. */
static void note_executing(const struct picture *p, int thread, struct arrivals (*all)[2])
{
	const struct picture_thread *th = picture_thread(p, thread);
	int region = th->region;

	if (picture_region(p, region) && wait_kind_whom(th->wait.kind) == FOR_TEAM)
		region = picture_region(p, region)->parent;
	for (; picture_region(p, region); region = picture_region(p, region)->parent) {
		const enum arrival arrival = arrivals_of(p, thread, region);
		if (arrival == ARRIVED_PLAIN || arrival == ARRIVED_END)
			all[region][arrival == ARRIVED_END].there++;
	}
}

static void settle(const struct arrivals *a, long size, struct picture_wait *wait)
{
	long arrived = a->total ? a->arrived : a->there;
	long total = a->total ? a->total : size;
	bool in_flux = a->differs || arrived < a->there || arrived > total;

	wait->arrived = in_flux ? 0 : arrived;
	wait->total = in_flux ? 0 : total;
}

/* ---- who has not begun -------------------------------------------------------------------- */

static bool is_within_region(const struct picture_thread *th)
{
	const struct picture_wait *w = &th->wait;

	if (w->kind == WAIT_REGION_END)
		return w->total && w->arrived < w->total;
	/* Elsewhere in the runtime it may be on its way in or out. */
	return w->kind != WAIT_PASSING && w->kind != WAIT_RUNTIME && w->kind != WAIT_UNKNOWN;
}

bool arrivals_keep_all(const struct picture *p, int region)
{
	vec_for_each (member, &picture_region(p, region)->members) {
		const struct picture_thread *th = picture_thread(p, *member);
		if (th && th->region == region && is_within_region(th))
			return true;
	}
	return false;
}

static void find_due(struct picture *p)
{
	for (int i = 0; i < (int)p->regions.len; i++) {
		vec_for_each (member, &p->regions.items[i].members) {
			struct picture_thread *th = picture_thread(p, *member);
			if (th && th->region < 0 && th->wait.kind == WAIT_IDLE &&
			    arrivals_keep_all(p, i))
				th->wait.kind = WAIT_DUE;
		}
	}
}

bool arrivals_count(struct picture *p)
{
	AUTO_FREE struct arrivals(*all)[2] = calloc(p->regions.len + 1, sizeof(*all));

	find_passing(p);
	for (int i = 0; all && i < (int)p->threads.len; i++)
		note_executing(p, i, all);
	for (int set = 0; all && set < 2; set++) {
		vec_for_each (th, &p->threads) {
			const struct picture_region *r = picture_region(p, th->region);
			if (!r || !wait_kind_traits(th->wait.kind)->is_barrier)
				continue;
			struct arrivals *a = &all[th->region][th->wait.kind == WAIT_REGION_END];
			if (set)
				settle(a, r->size, &th->wait);
			else
				note(a, &th->wait);
		}
	}
	find_due(p);
	return all;
}
