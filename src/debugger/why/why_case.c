/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_case.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ompd/outlined.h"

enum { BEFORE_MAX = 16 }; /* nodes of a path before its cycle or end */

/* Where following "next" from a node leads. */
struct route {
	int root;       /* the end, or the lowest node of a cycle; -1: not followed yet         */
	size_t depth;   /* steps until there; in a cycle 0                                      */
	bool followed;  /* at this moment                                                      */
	size_t threads; /* that wait and end here, if this is a root                           */
	size_t waiters; /* threads that wait for this node alone                               */
	size_t index;   /* on the path that is written, from 1 on; 0: not on it                */
};

static int next_of(const struct why_graph *g, int node)
{
	return why_nodes_state(g, node)->next;
}

/* Marks a cycle by its lowest node. */
static void close_cycle(const struct why_graph *g, struct route *routes, int node)
{
	int lowest = node;

	for (int i = next_of(g, node); i != node; i = next_of(g, i))
		lowest = i < lowest ? i : lowest;
	int i = node;
	do {
		routes[i].root = lowest;
		i = next_of(g, i);
	} while (i != node);
}

/* Follows a node until something known, then goes there once more and writes it down. */
static void follow(const struct why_graph *g, struct route *routes, int start)
{
	size_t steps = 0;
	int node = start;

	while (routes[node].root < 0 && !routes[node].followed && next_of(g, node) >= 0) {
		routes[node].followed = true;
		node = next_of(g, node);
		steps++;
	}
	if (routes[node].root < 0 && routes[node].followed)
		close_cycle(g, routes, node);
	else if (routes[node].root < 0)
		routes[node].root = node;
	int root = routes[node].root;
	size_t depth = routes[node].depth;
	for (int i = start; steps > 0; i = next_of(g, i), steps--) {
		routes[i].followed = false;
		if (routes[i].root >= 0)
			continue; /* of the cycle, or the end */
		routes[i].root = root;
		routes[i].depth = depth + steps;
	}
}

/* Whether a thread waits for others; stuck: of those that nobody can help. */
static bool is_waiting(const struct why_graph *g, int thread, bool stuck)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);
	const struct why_state *state = why_nodes_state(g, thread);

	/* The second: not a matter of OpenMP, and a signal handler may be to come. */
	if (wait_kind_whom(th->wait.kind) == FOR_WORK ||
	    (th->region < 0 && why_end_facts(state->end)->needs_thread))
		return false;
	return stuck ? why_nodes_get(g, thread)->stuck && state->end != END_HELD : state->count > 0;
}

/* The root that most threads have in common. -1: none waits. */
static int most_common(const struct why_graph *g, struct route *routes, bool stuck)
{
	int best = -1;

	for (int i = 0; i < (int)g->picture->threads.len; i++) {
		if (!is_waiting(g, i, stuck))
			continue;
		int root = routes[i].root;
		routes[root].threads++;
		if (best < 0 || routes[root].threads > routes[best].threads)
			best = root;
	}
	return best;
}

/* The thread furthest from the root; of several the one that most others are like. */
static int find_start(const struct why_graph *g, struct route *routes, int root, bool stuck)
{
	int n = (int)g->picture->threads.len, best = -1;
	size_t most = 0;

	for (int i = 0; i < n; i++) {
		if (why_nodes_target(g, i) >= 0)
			routes[why_nodes_target(g, i)].waiters++;
	}
	for (int i = 0; i < n; i++) {
		if (!is_waiting(g, i, stuck) || routes[i].root != root ||
		    (best >= 0 && routes[i].depth < routes[best].depth))
			continue;
		int target = why_nodes_target(g, i);
		size_t alike = target >= 0 ? routes[target].waiters : 1;
		bool further = best < 0 || routes[i].depth > routes[best].depth;
		if (further || alike > most) {
			best = i;
			most = alike;
		}
	}
	return best;
}

static void write_path(struct why_case *c, struct route *routes, int start)
{
	const struct why_graph *g = &c->graph;
	int node = start;
	size_t n = 0;

	for (size_t skip = routes[start].depth; skip > BEFORE_MAX; skip--)
		node = next_of(g, node);
	while (!why_nodes_is_thread(g, node) && routes[node].depth)
		node = next_of(g, node);
	for (; node >= 0 && !routes[node].index; node = next_of(g, node)) {
		g->why->failed |= !vec_push(&c->path, node);
		routes[node].index = ++n;
	}
	c->cycle = node >= 0 ? routes[node].index - 1 : n;
}

/*
 * The path may lead into a cycle by a barrier, or turn, for which a thread of the cycle waits as
 * well, as one of many: one of them is enough.
 */
static void drop_twin(struct why_case *c)
{
	size_t len = c->path.len, entry = c->cycle;

	if (!entry || entry >= len || len - entry < 3)
		return;
	int twin = c->path.items[entry - 1], before = c->path.items[len - 2];
	if (!why_nodes_edge(&c->graph, before, twin))
		return;
	c->path.len--;
	c->cycle--;
}

/* ---- where nobody waits ------------------------------------------------------------------ */

/* What LLVM calls directly where there is no device: no runtime's code is on the stack. */
static bool is_in_target(const struct stacks *stacks, int thread)
{
	struct outlined o;

	if (!stacks || (size_t)thread >= stacks->threads.len)
		return false;
	vec_for_each (f, &stacks->threads.items[thread].frames) {
		if (f->function && outlined_parse(f->function, &o) && o.construct)
			return true;
	}
	return false;
}

/* It executes code of a construct, or that of a tool in one, as its stack shows: a target region, a
 * league's, a task. */
static bool is_in_construct(const struct why_case *c, int thread)
{
	vec_for_each (s, &picture_thread(why_case_picture(c), thread)->spans.list) {
		if (s->call != SPAN_WAITS)
			return true;
	}
	return is_in_target(c->snapshot->stacks, thread);
}

static int freedom(const struct why_case *c, int thread)
{
	const struct why_graph *g = &c->graph;
	const struct picture_thread *th = picture_thread(g->picture, thread);

	/* The threads of a league are in no region that is known. */
	if (th->region < 0 && th->role != ROLE_PRIMARY && th->wait.kind != WAIT_TEAMS &&
	    !is_in_construct(c, thread))
		return 0;
	return why_end_facts(why_nodes_state(g, thread)->end)->freedom;
}

static int freest(const struct why_case *c)
{
	int best = -1, most = 0;

	for (int i = 0; i < (int)why_case_picture(c)->threads.len; i++) {
		int its = freedom(c, i);
		if (its > most) {
			best = i;
			most = its;
		}
	}
	return best;
}

/* ---- all --------------------------------------------------------------------------------- */

void why_case_find(struct why_case *c)
{
	const struct why_graph *g = &c->graph;
	size_t n = g->states.len;
	AUTO_FREE struct route *routes = calloc(n + 1, sizeof(*routes));

	if (!routes) {
		g->why->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		routes[i].root = -1;
	for (size_t i = 0; i < n; i++)
		follow(g, routes, (int)i);
	int root = most_common(g, routes, true);
	bool stuck = root >= 0;
	if (!stuck)
		root = most_common(g, routes, false);
	if (root >= 0) {
		write_path(c, routes, find_start(g, routes, root, stuck));
		drop_twin(c);
	} else {
		c->root = freest(c);
	}
}

void why_case_fini(struct why_case *c)
{
	vec_fini(&c->path);
	why_graph_fini(&c->graph);
}

bool why_case_has(const struct why_case *c, int node)
{
	vec_for_each (other, &c->path) {
		if (*other == node)
			return true;
	}
	return false;
}

static bool is_same_place(const struct place *x, const struct place *y)
{
	return x->line == y->line && (x->line || x->pc == y->pc) && text_same(x->file, y->file);
}

/* Whether two threads wait for one node, or both for somebody of their team to wake them. */
static bool waits_alike(const struct why_graph *g, int a, int b)
{
	enum why_end end = why_nodes_state(g, a)->end;

	if (why_end_facts(end)->needs_thread)
		return why_nodes_state(g, b)->end == end &&
		       picture_thread(g->picture, a)->region ==
			       picture_thread(g->picture, b)->region;
	return why_nodes_target(g, a) >= 0 && why_nodes_target(g, a) == why_nodes_target(g, b);
}

void why_case_add_group(const struct why_case *c, int thread, bool others, struct ints *ret)
{
	const struct why_graph *g = &c->graph;
	const struct place *place = &why_nodes_wait(g, thread)->place;

	for (int i = 0; i < (int)g->picture->threads.len; i++) {
		bool alike = i == thread || (waits_alike(g, thread, i) &&
					     is_same_place(place, &why_nodes_wait(g, i)->place));
		if (alike && (i == thread || !others || !why_case_has(c, i)))
			g->why->failed |= !vec_push(ret, i);
	}
}

char *why_case_take_text(const struct why_case *c, const struct buf *b)
{
	char *text = buf_ok(b) ? strdup(buf_text(b)) : NULL;

	c->graph.why->failed |= !text;
	return text;
}

void why_case_add_text(const struct why_case *c, struct why_texts *list, const struct buf *b)
{
	char *text = why_case_take_text(c, b);

	if (text && !vec_push(list, text)) {
		c->graph.why->failed = true;
		free(text);
	}
}

void why_case_add_blame(const struct why_case *c, struct why_blame b, const struct buf *reason)
{
	b.reason = why_case_take_text(c, reason);
	if (b.reason && vec_push(&c->graph.why->blame, b))
		return;
	c->graph.why->failed = true;
	free(b.reason);
	vec_fini(&b.threads);
}
