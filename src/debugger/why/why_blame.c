/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_blame.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/merge.h"
#include "debugger/wait_words.h"
#include "debugger/why/why_words.h"

/* What a thread waits for, the thread that holds that, or how many have come to it. */
static void add_reason(struct buf *out, const struct why_case *c, int thread, bool many)
{
	const struct why_graph *g = &c->graph;
	const struct picture_wait *w = why_nodes_wait(g, thread);

	why_words_does(out, g->picture, thread, many);
	if (why_thread_is_held(picture_thread(g->picture, thread)))
		return;
	if (w->total > 0)
		buf_addf(out, " (%ld of %ld have arrived)", w->arrived, w->total);
	if (w->holder < 0 && !w->ncandidates)
		return;
	const struct wait_words *words = wait_words(w->kind);
	if (words->whose && !w->ncandidates)
		buf_addf(out, "%s%s", words->whose, words->of);
	else
		why_words_held_by(out, g->picture, w);
	if (w->ncandidates)
		merge_add_holder(out, g->picture, w);
	else if (w->holder == thread && !many)
		buf_adds(out, "itself");
	else
		why_words_threads(out, g->picture, &w->holder, 1);
}

/* A link of its own belongs to the thread. */
static bool is_blamed(const struct why_case *c, int thread)
{
	vec_for_each (b, &c->graph.why->blame) {
		for (size_t i = 0; i < b->threads.len; i++) {
			if (b->threads.items[i] == thread)
				return true;
		}
	}
	return why_case_has(c, thread);
}

/* group: also the others that wait for the same, and to whom no link of their own belongs. */
static void blame_thread(const struct why_case *c, int thread, bool group)
{
	struct why_blame b = { .thread = thread,
			       .place = why_nodes_wait(&c->graph, thread)->place };
	AUTO_BUF reason = { 0 };
	size_t kept = 0;

	if (group)
		why_case_add_group(c, thread, true, &b.threads);
	else
		c->graph.why->failed |= !vec_push(&b.threads, thread);
	for (size_t i = 0; i < b.threads.len; i++) {
		int other = b.threads.items[i];
		if (other == thread || !is_blamed(c, other))
			b.threads.items[kept++] = other;
	}
	b.threads.len = kept;
	if (kept)
		b.thread = b.threads.items[0];
	add_reason(&reason, c, thread, kept > 1);
	why_case_add_blame(c, b, &reason);
}

static struct place place_of_end(const struct why_case *c, int node)
{
	const struct picture *p = why_case_picture(c);
	const struct why_state *state = why_nodes_state(&c->graph, node);
	const struct picture_thread *waiter = picture_thread(p, state->waiter);
	const struct picture_region *region = picture_region(p, waiter->region);
	const struct picture_leak *leak = why_nodes_leak_of_end(&c->graph, node);
	size_t len = c->path.len;
	const struct why_node *before = len > 1 ? why_case_node(c, len - 2) : NULL;
	bool lock = state->end == END_HOLDER || state->end == END_LOST;

	if (lock && waiter->wait.hold >= 0)
		return p->holds.items[waiter->wait.hold].place;
	if (leak)
		return leak->place;
	if (state->end == END_WORKER && region)
		return region->place;
	if (state->end == END_EVENT && before && before->kind == WHY_NODE_TASK)
		return picture_task(p, before->index)->place;
	return (struct place){ 0 };
}

static void blame_nobody(const struct why_case *c, int node)
{
	struct why_blame b = { .thread = -1, .place = place_of_end(c, node) };
	AUTO_BUF end = { 0 };
	AUTO_BUF reason = { 0 };

	why_words_end(&end, &c->graph, node);
	/* Without what joins it to a sentence. */
	const char *text = buf_text(&end);
	buf_adds(&reason, text + strspn(text, ":, "));
	reason.failed |= end.failed;
	why_case_add_blame(c, b, &reason);
}

/* Those who wait at the same barrier, but at other places. */
static void blame_others(const struct why_case *c, int thread)
{
	int barrier = why_nodes_barrier(&c->graph, thread), places = 0;

	for (int i = 0; i < (int)why_case_picture(c)->threads.len && places < WHY_PLACES_MAX; i++) {
		if (why_nodes_barrier(&c->graph, i) != barrier || is_blamed(c, i))
			continue;
		blame_thread(c, i, true);
		places++;
	}
}

/* The other threads of a team that must be woken by somebody. */
static void blame_sleepers(const struct why_case *c, int thread)
{
	const struct picture *p = why_case_picture(c);
	int region = picture_thread(p, thread)->region, more = 0;

	for (int i = 0; i < (int)p->threads.len && more < WHY_PLACES_MAX; i++) {
		if (picture_thread(p, i)->region != region ||
		    !why_end_facts(why_nodes_state(&c->graph, i)->end)->needs_thread ||
		    is_blamed(c, i))
			continue;
		blame_thread(c, i, false);
		more++;
	}
}

static void blame_node(const struct why_case *c, size_t i)
{
	const struct why_node *n = why_case_node(c, i);

	if (n->kind == WHY_NODE_NOBODY)
		blame_nobody(c, c->path.items[i]);
	if (n->kind != WHY_NODE_THREAD)
		return;
	bool barrier = why_nodes_barrier(&c->graph, n->index) >= 0;
	bool sleeps = why_end_facts(why_nodes_state(&c->graph, n->index)->end)->needs_thread;
	/* Those who have not arrived are told of together. */
	bool absent = i > 0 && why_case_node(c, i - 1)->kind == WHY_NODE_BARRIER &&
		      c->graph.why->class != WHY_TASK;
	blame_thread(c, n->index, i == 0 || barrier || absent);
	if (sleeps && c->graph.why->class == WHY_TASK)
		blame_sleepers(c, n->index);
	else if (barrier)
		blame_others(c, n->index);
}

/* ---- cycles ------------------------------------------------------------------------------ */

static size_t group_size(const struct why_case *c, int thread)
{
	struct ints group = { 0 };

	why_case_add_group(c, thread, false, &group);
	size_t n = group.len;
	vec_fini(&group);
	return n;
}

static bool has_lock(const struct why_case *c)
{
	for (size_t i = c->cycle; i < c->path.len; i++) {
		if (why_case_node(c, i)->kind == WHY_NODE_OBJECT)
			return true;
	}
	return false;
}

/*
 * The order in which threads of a cycle are to blame: who holds a lock at a barrier comes first; at
 * barriers alone, those who are fewest.
 */
static size_t rank_of(const struct why_case *c, int thread, bool locks)
{
	bool barrier = why_nodes_barrier(&c->graph, thread) >= 0;

	return locks ? !barrier : barrier ? group_size(c, thread) : 1;
}

/* In a team by their numbers: the system's may have begun anew in between. */
static bool is_before(const struct why_case *c, int a, int b)
{
	const struct picture_thread *x = picture_thread(c->graph.picture, a);
	const struct picture_thread *y = picture_thread(c->graph.picture, b);

	return x && y && x->region >= 0 && x->region == y->region ? x->number < y->number : a < b;
}

/* The thread that is first to blame; of equal ones at barriers the last, else the lowest. */
static size_t first_of_cycle(const struct why_case *c)
{
	bool locks = has_lock(c);
	size_t best = c->path.len, least = 0;

	for (size_t i = c->path.len; i-- > c->cycle;) {
		int node = c->path.items[i];
		if (!why_nodes_is_thread(&c->graph, node))
			continue;
		size_t rank = rank_of(c, node, locks);
		if (best == c->path.len || rank < least ||
		    (rank == least && locks && is_before(c, node, c->path.items[best]))) {
			best = i;
			least = rank;
		}
	}
	return best;
}

static void blame_cycle(const struct why_case *c)
{
	size_t n = c->path.len - c->cycle, first = first_of_cycle(c) - c->cycle;

	for (size_t i = 0; i < n; i++)
		blame_node(c, c->cycle + (first + i) % n);
}

void why_blame_find(const struct why_case *c)
{
	bool cycle = why_case_is_cycle(c);

	if (!c->path.len && c->root >= 0)
		blame_thread(c, c->root, false);
	if (cycle)
		blame_cycle(c);
	for (size_t i = cycle ? c->cycle : c->path.len; i-- > 0;)
		blame_node(c, i);
}
