/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/overview.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ompd/picture/arrivals.h"

void overview_fini(struct overview *o)
{
	vec_for_each (region, &o->regions) {
		vec_for_each (line, &region->lines)
			ints_fini(&line->threads);
		vec_fini(&region->lines);
	}
	vec_fini(&o->regions);
	vec_for_each (tasks, &o->tasks)
		vec_fini(&tasks->threads);
	vec_fini(&o->tasks);
	vec_for_each (icv, &o->icvs)
		vec_fini(&icv->of);
	vec_fini(&o->icvs);
	vec_fini(&o->outside);
	vec_fini(&o->idle);
}

/* Trees ----------------------------------------------------------------------------------- */

/* Regions, or tasks, that name their parents; -1: none. */
struct node {
	int parent, child, last_child, next;
	struct overview_place at;
};

/*
 * The node at "len" is above all trees. A parent that does not come before its child is none.
 * Children come in the order in which they are added, also before their parent.
 */
static void add_node(struct node *nodes, size_t len, int i, int parent)
{
	struct node *above = &nodes[parent >= 0 && parent < i ? (size_t)parent : len];

	nodes[i].parent = (int)(above - nodes);
	if (above->last_child >= 0) {
		nodes[above->last_child].next = i;
		nodes[above->last_child].at.more = true;
	} else {
		above->child = i;
	}
	above->last_child = i;
	above->at.children = true;
}

/* NULL: out of memory. Then add_node() for any of 0, 1, ... len - 1; the caller's to free. */
static struct node *new_nodes(size_t len)
{
	struct node *nodes = calloc(len + 1, sizeof(*nodes));

	for (size_t i = 0; nodes && i <= len; i++)
		nodes[i] = (struct node){ -1, -1, -1, -1, { .depth = i < len ? 0 : -1 } };
	return nodes;
}

/* What comes after node i and all that is below it, parents first; -1: nothing. */
static int next_node(struct node *nodes, int i)
{
	int next = nodes[i].child;

	for (; next < 0 && i >= 0; i = nodes[i].parent)
		next = nodes[i].next;
	if (next >= 0)
		nodes[next].at.depth = nodes[nodes[next].parent].at.depth + 1;
	return next;
}

/* Regions and threads --------------------------------------------------------------------- */

/* What is told of two waits is the same. */
static bool is_same_wait(const struct picture_wait *a, const struct picture_wait *b)
{
	return picture_wait_kind(a) == picture_wait_kind(b) && a->object == b->object &&
	       a->spinning == b->spinning && a->holder == b->holder &&
	       a->holder_source == b->holder_source && a->arrived == b->arrived &&
	       a->total == b->total && a->fd == b->fd && a->source == b->source &&
	       a->api == b->api && text_same(a->name, b->name) &&
	       text_same(a->variable, b->variable) && place_is_same(&a->place, &b->place);
}

/* The first member of the region that does the same; itself if it is not in it. */
static size_t find_alike(const struct picture *p, const struct chosen *c, int region, size_t number)
{
	const struct picture_region *r = &p->regions.items[region];
	const struct picture_thread *t = picture_thread(p, r->members.items[number]);

	for (size_t n = 0; t && t->region == region && n < number; n++) {
		const struct picture_thread *other = picture_thread(p, r->members.items[n]);
		if (other && other->region == region && other->source == t->source &&
		    other->held == t->held && chosen_has_thread(c, r->members.items[n]) &&
		    is_same_wait(&other->wait, &t->wait))
			return n;
	}
	return number;
}

static bool is_within(const struct picture *p, int inner, int outer)
{
	for (size_t n = 0; n < p->regions.len && inner >= 0 && inner != outer; n++)
		inner = p->regions.items[inner].parent;
	return inner == outer;
}

static enum overview_member find_member(const struct picture *p, int region, size_t number)
{
	const struct picture_thread *t =
		picture_thread(p, p->regions.items[region].members.items[number]);

	if (!t)
		return MEMBER_UNKNOWN;
	if (t->region == region)
		return MEMBER_HERE;
	if (picture_is_numbered(t))
		return is_within(p, t->region, region) ? MEMBER_WITHIN : MEMBER_ELSEWHERE;
	if (t->wait.kind == WAIT_DUE)
		return MEMBER_DUE;
	return arrivals_keep_all(p, region) ? MEMBER_COMES : MEMBER_COMES_OR_LEFT;
}

static bool add_lines(const struct picture *p, const struct chosen *c, struct overview_region *ret)
{
	enum { ALIKE_MAX = 4 };
	const struct picture_region *r = &p->regions.items[ret->region];
	AUTO_FREE size_t *firsts = calloc(r->members.len + 1, sizeof(*firsts));
	AUTO_FREE size_t *counts = calloc(r->members.len + 1, sizeof(*counts));
	AUTO_FREE size_t *lines = calloc(r->members.len + 1, sizeof(*lines));
	bool whole = firsts && counts && lines;

	for (size_t n = 0; whole && n < r->members.len; n++) {
		firsts[n] = find_alike(p, c, ret->region, n);
		counts[firsts[n]]++;
	}
	for (size_t n = 0; whole && n < r->members.len; n++) {
		if (!chosen_has_thread(c, r->members.items[n]))
			continue;
		const bool one = !c->each && counts[firsts[n]] > ALIKE_MAX;
		size_t line = one && firsts[n] < n ? lines[firsts[n]] : ret->lines.len;
		if (line == ret->lines.len)
			whole = vec_push(
				&ret->lines,
				((struct overview_line){
					.number = n, .where = find_member(p, ret->region, n) }));
		lines[n] = line;
		if (whole && r->members.items[n] >= 0)
			whole = vec_push(&ret->lines.items[line].threads, r->members.items[n]);
	}
	return whole;
}

static bool add_regions(struct overview *o, const struct picture *p, const struct chosen *c)
{
	int len = (int)p->regions.len;
	AUTO_FREE struct node *nodes = new_nodes(p->regions.len);
	bool whole = nodes != NULL;

	for (int i = 0; whole && i < len; i++) {
		if (chosen_has_region(c, i))
			add_node(nodes, p->regions.len, i, p->regions.items[i].parent);
	}
	for (int i = len; whole && (i = next_node(nodes, i)) >= 0;)
		whole = vec_push(&o->regions,
				 (struct overview_region){ .region = i, .at = nodes[i].at }) &&
			add_lines(p, c, &o->regions.items[o->regions.len - 1]);
	return whole;
}

static bool add_threads(struct overview *o, const struct picture *p, const struct chosen *c)
{
	bool whole = true;

	for (size_t i = 0; i < p->threads.len; i++) {
		const struct picture_thread *t = &p->threads.items[i];
		if (t->region < 0 && t->wait.kind != WAIT_DUE && chosen_has_thread(c, (int)i))
			whole &= t->role == ROLE_IDLE ? vec_push(&o->idle, (int)i)
						      : vec_push(&o->outside, (int)i);
	}
	return whole;
}

/* Tasks ----------------------------------------------------------------------------------- */

static bool is_alike(const struct chosen *c, int one, int other)
{
	const struct listing_row *x = &c->listed.rows.items[one];
	const struct listing_row *y = &c->listed.rows.items[other];
	const struct picture_task *a = &c->listed.picture->tasks.items[one];
	const struct picture_task *b = &c->listed.picture->tasks.items[other];

	return x->unfinished == y->unfinished && a->kind == b->kind && a->state == b->state &&
	       a->region == b->region && a->source == b->source && a->waits == b->waits &&
	       a->doubtful == b->doubtful && !a->waits_for.len && !b->waits_for.len &&
	       (a->thread < 0) == (b->thread < 0) && place_is_same(&a->place, &b->place);
}

/* The last of the tasks that begin with i and can be one item. */
static int last_alike(const struct picture *p, const struct chosen *c, const struct node *nodes,
		      int i)
{
	int last = i;

	while (nodes[last].child < 0 && nodes[last].next == last + 1 && nodes[last + 1].child < 0 &&
	       picture_task_id(p, last + 1) == picture_task_id(p, last) + 1 &&
	       is_alike(c, i, last + 1))
		last++;
	return last;
}

static bool add_tasks(struct overview *o, const struct picture *p, const struct chosen *c)
{
	int len = (int)p->tasks.len;
	AUTO_FREE struct node *nodes = new_nodes(p->tasks.len);
	bool whole = nodes != NULL;

	for (size_t n = 0; whole && n < c->tasks.len; n++)
		add_node(nodes, p->tasks.len, c->tasks.items[n],
			 p->tasks.items[c->tasks.items[n]].creator);
	for (int last = len, i; whole && (i = next_node(nodes, last)) >= 0;) {
		last = c->each ? i : last_alike(p, c, nodes, i);
		nodes[last].at.depth = nodes[i].at.depth;
		struct overview_tasks tasks = {
			i, last, &c->listed.rows.items[i], nodes[last].at, { 0 }
		};
		for (int t = i; t <= last; t++) {
			if (picture_thread(p, p->tasks.items[t].thread))
				whole &= vec_push(&tasks.threads, p->tasks.items[t].thread);
		}
		whole = vec_push(&o->tasks, tasks) && whole;
	}
	return whole;
}

/* ICVs ------------------------------------------------------------------------------------ */

static int compare_icvs(const void *a, const void *b)
{
	const struct picture_icv *const *px = a, *const *py = b;
	const struct picture_icv *x = *px, *y = *py;
	int order = x->runtime - y->runtime;

	order = order ? order : (int)x->scope - (int)y->scope;
	order = order ? order : strcmp(x->name, y->name);
	order = order ? order : strcmp(x->value, y->value);
	return order ? order : (x->of > y->of) - (x->of < y->of);
}

static bool is_same_icv(const struct picture_icv *a, const struct picture_icv *b)
{
	return a->runtime == b->runtime && a->scope == b->scope && !strcmp(a->name, b->name) &&
	       !strcmp(a->value, b->value);
}

static bool add_icv(struct overview *o, const struct picture *p, const struct picture_icv *icv)
{
	struct overview_icv *last = o->icvs.len ? &o->icvs.items[o->icvs.len - 1] : NULL;
	struct overview_icv next = {
		.icv = icv,
		.first = !last || last->icv->runtime != icv->runtime,
	};

	if (!last || !is_same_icv(last->icv, icv)) {
		if (!vec_push(&o->icvs, next))
			return false;
		last = &o->icvs.items[o->icvs.len - 1];
	}
	return (icv->scope == ICV_THREAD && !picture_thread(p, icv->of)) ||
	       vec_push(&last->of, icv->of);
}

static bool add_icvs(struct overview *o, const struct picture *p)
{
	AUTO_FREE const struct picture_icv **icvs = calloc(p->icvs.len + 1, sizeof(*icvs));
	bool whole = icvs != NULL;

	for (size_t i = 0; whole && i < p->icvs.len; i++)
		icvs[i] = &p->icvs.items[i];
	if (whole)
		qsort(icvs, p->icvs.len, sizeof(*icvs), compare_icvs);
	for (size_t i = 0; whole && i < p->icvs.len; i++)
		whole = add_icv(o, p, icvs[i]);
	return whole;
}

struct error *overview_make(const struct picture *p, const struct chosen *c, struct overview *ret)
{
	struct overview o = { .each = c->each };

	if (add_regions(&o, p, c) && add_threads(&o, p, c) && add_tasks(&o, p, c) &&
	    add_icvs(&o, p)) {
		*ret = o;
		return NULL;
	}
	overview_fini(&o);
	return &error_nomem;
}
