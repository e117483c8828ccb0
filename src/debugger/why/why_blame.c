/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_blame.h"

#include <stdlib.h>

#include "debugger/why/why_words.h"

enum { PLACES_MAX = 3 }; /* other ones of the same barrier */

static struct error *add_blame(const struct why_blame *b, struct buf *reason, struct why *why)
{
	struct why_blame blame = *b;
	struct error *err = why_case_take_text(reason, &blame.reason);

	if (!err && !vec_push(&why->blame, blame)) {
		free(blame.reason);
		err = &error_nomem;
	}
	if (err)
		vec_fini(&blame.threads);
	return err;
}

/* Whom the thing that a thread waits for is held by, or who has not come to it. */
static void add_reason(struct buf *out, const struct why_case *c, int thread, bool many)
{
	const struct why_graph *g = &c->graph;
	const struct picture_wait *w = &g->picture->threads.items[thread].wait;

	why_words_does(out, g->picture, thread, many);
	if (w->total > 0)
		buf_addf(out, " (%ld of %ld have arrived)", w->arrived, w->total);
	if (w->holder < 0)
		return;
	buf_adds(out, w->kind == WAIT_ORDERED               ? "; it is the turn of "
		      : w->holder_source == SOURCE_INFERRED ? ", probably held by "
							    : ", held by ");
	if (w->holder == thread)
		buf_adds(out, "itself");
	else
		why_words_threads(out, g->picture, &w->holder, 1);
}

static bool is_blamed(const struct why_case *c, int thread, const struct why *why)
{
	vec_for_each (b, &why->blame) {
		for (size_t i = 0; i < b->threads.len; i++) {
			if (b->threads.items[i] == thread)
				return true;
		}
	}
	vec_for_each (node, &c->path.nodes) {
		if (*node == thread)
			return true;
	}
	return false;
}

/* Takes out those to whom a link of their own belongs. */
static void keep_new(const struct why_case *c, int thread, const struct why *why,
		     struct why_threads *threads)
{
	size_t kept = 0;

	for (size_t i = 0; i < threads->len; i++) {
		int other = threads->items[i];
		if (other == thread || !is_blamed(c, other, why))
			threads->items[kept++] = other;
	}
	threads->len = kept;
}

/* group: also the others that wait for the same. */
static struct error *blame_thread(const struct why_case *c, int thread, bool group, struct why *why)
{
	struct why_blame b = { .thread = thread,
			       .place = why_case_picture(c)->threads.items[thread].wait.place };
	AUTO_BUF reason = { 0 };

	bool ok = group ? why_nodes_group(&c->graph, thread, &b.threads)
			: vec_push(&b.threads, thread);
	if (ok && group)
		keep_new(c, thread, why, &b.threads);
	if (ok)
		b.thread = b.threads.items[0];
	add_reason(&reason, c, thread, b.threads.len > 1);
	if (ok)
		return add_blame(&b, &reason, why);
	vec_fini(&b.threads);
	return &error_nomem;
}

/* Where a lock was taken that nobody is left to give back; none: not found. */
static struct place lost_at(const struct why_case *c, int waiter)
{
	const struct picture *p = why_case_picture(c);
	const struct picture_wait *w = &p->threads.items[waiter].wait;

	const struct picture_leak *leak = why_nodes_leak(p, waiter);

	if (w->hold >= 0)
		return p->holds.items[w->hold].place;
	return leak ? leak->place : (struct place){ 0 };
}

static struct place place_of_end(const struct why_case *c, int node)
{
	const struct picture *p = why_case_picture(c);
	int waiter = c->graph.states.items[node].waiter;
	int region = p->threads.items[waiter].region;
	size_t len = c->path.nodes.len;
	const struct why_node *before = len > 1 ? why_case_node(c, len - 2) : NULL;

	switch (c->graph.states.items[node].end) {
	case END_HOLDER:
	case END_LOST:
		return lost_at(c, waiter);
	case END_WORKER:
		return region >= 0 ? p->regions.items[region].place : (struct place){ 0 };
	case END_EVENT:
		if (before && before->kind == WHY_NODE_TASK)
			return p->tasks.items[before->index].place;
		break;
	case END_TASK:
	case END_NONE:
	case END_COMPUTES:
	case END_BUSY:
	case END_OUTSIDE:
	case END_SIGNAL:
	case END_IDLE:
	case END_UNKNOWN:
		break;
	}
	return (struct place){ 0 };
}

static struct error *blame_nobody(const struct why_case *c, int node, struct why *why)
{
	struct why_blame b = { .thread = -1, .place = place_of_end(c, node) };
	AUTO_BUF end = { 0 }, reason = { 0 };

	why_words_end(&end, &c->graph, node);
	/* Without what joins it to a sentence. */
	const char *text = buf_text(&end);
	buf_adds(&reason, text + strspn(text, ":, "));
	reason.failed |= end.failed;
	return add_blame(&b, &reason, why);
}

/* Those who wait at the same barrier, but at other places. */
static struct error *blame_others(const struct why_case *c, int thread, struct why *why)
{
	const struct why_graph *g = &c->graph;
	int barrier = why_nodes_barrier(g, thread), places = 0;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < g->picture->threads.len && places < PLACES_MAX; i++) {
		if (why_nodes_barrier(g, (int)i) != barrier || is_blamed(c, (int)i, why))
			continue;
		err = blame_thread(c, (int)i, true, why);
		places++;
	}
	return err;
}

/* The other threads of a team that must be woken by somebody. */
static struct error *blame_sleepers(const struct why_case *c, int thread, struct why *why)
{
	const struct why_graph *g = &c->graph;
	int region = g->picture->threads.items[thread].region, more = 0;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < g->picture->threads.len && more < PLACES_MAX; i++) {
		if (g->picture->threads.items[i].region != region ||
		    g->states.items[i].end != END_SIGNAL || is_blamed(c, (int)i, why))
			continue;
		err = blame_thread(c, (int)i, false, why);
		more++;
	}
	return err;
}

static struct error *blame_node(const struct why_case *c, size_t i, struct why *why)
{
	const struct why_node *n = why_case_node(c, i);

	if (n->kind == WHY_NODE_NOBODY)
		return blame_nobody(c, c->path.nodes.items[i], why);
	if (n->kind != WHY_NODE_THREAD)
		return NULL;
	bool barrier = why_nodes_barrier(&c->graph, n->index) >= 0;
	struct error *err = blame_thread(c, n->index, i == 0 || barrier, why);
	if (err)
		return err;
	if (c->graph.states.items[n->index].end == END_SIGNAL && why->class == WHY_TASK)
		return blame_sleepers(c, n->index, why);
	return barrier ? blame_others(c, n->index, why) : NULL;
}

static size_t group_size(const struct why_case *c, size_t i)
{
	struct why_threads list = { 0 };
	size_t n = why_nodes_group(&c->graph, why_case_node(c, i)->index, &list) ? list.len : 0;

	vec_fini(&list);
	return n;
}

static bool is_thread(const struct why_case *c, size_t i)
{
	return why_case_node(c, i)->kind == WHY_NODE_THREAD;
}

/* In how far a thread of a cycle stands out: most to blame first. */
static size_t oddity(const struct why_case *c, size_t i, bool locks)
{
	bool barrier = why_nodes_barrier(&c->graph, why_case_node(c, i)->index) >= 0;

	/* Who holds a lock at a barrier; at barriers alone, those who are fewest. */
	return locks ? !barrier : barrier ? group_size(c, i) : 1;
}

static bool has_lock(const struct why_case *c)
{
	for (size_t i = c->path.cycle; i < c->path.nodes.len; i++) {
		if (why_case_node(c, i)->kind == WHY_NODE_OBJECT)
			return true;
	}
	return false;
}

/* Of the threads of a cycle the first to blame; of equal ones at barriers the last, else the
 * lowest. */
static size_t first_of_cycle(const struct why_case *c)
{
	const struct why_path *path = &c->path;
	bool locks = has_lock(c);
	size_t best = path->nodes.len, least = 0;

	for (size_t i = path->nodes.len; i-- > path->cycle;) {
		if (!is_thread(c, i))
			continue;
		size_t its = oddity(c, i, locks);
		if (best == path->nodes.len || its < least ||
		    (its == least && locks && path->nodes.items[i] < path->nodes.items[best])) {
			best = i;
			least = its;
		}
	}
	return best;
}

static struct error *blame_cycle(const struct why_case *c, struct why *why)
{
	const struct why_path *path = &c->path;
	size_t n = path->nodes.len - path->cycle, first = first_of_cycle(c) - path->cycle;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < n; i++)
		err = blame_node(c, path->cycle + (first + i) % n, why);
	return err;
}

struct error *why_blame_find(const struct why_case *c, struct why *why)
{
	struct error *err = NULL;
	size_t end = why_case_is_cycle(c) ? c->path.cycle : c->path.nodes.len;

	if (!c->path.nodes.len)
		return c->root < 0 ? NULL : blame_thread(c, c->root, false, why);
	if (why_case_is_cycle(c))
		err = blame_cycle(c, why);
	for (size_t i = end; !err && i-- > 0;)
		err = blame_node(c, i, why);
	return err;
}
