/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_verdict.h"

#include <stdlib.h>

#include "debugger/why/why_live.h"
#include "debugger/why/why_report.h"

/* ---- what a path is made of -------------------------------------------------------------- */

/* What is on the part of a path that nobody can end: its cycle, or all of it. */
struct content {
	size_t threads, locks, turns, tasks, barriers, regions_ends;
	bool mixed;     /* threads of several runtimes                                     */
	bool workshare; /* those at a barrier are all at the end of worksharing           */
	bool settled;   /* all threads sleep, and did so in all looks                     */
	bool known;     /* every edge is known                                            */
};

static bool is_workshare(enum wait_kind kind)
{
	return kind == WAIT_WORKSHARE_END || kind == WAIT_COPYPRIVATE || kind == WAIT_SINGLE;
}

/* All who wait at the plain barrier are at the end of a worksharing construct. */
static bool all_workshare(const struct why_graph *g, int barrier)
{
	int region = g->why->nodes.items[barrier].index;

	vec_for_each (th, &g->picture->threads) {
		if (th->region == region && why_thread_relations[th->wait.kind] == FOR_TEAM &&
		    th->wait.kind != WAIT_REGION_END && !is_workshare(th->wait.kind))
			return false;
	}
	return true;
}

static void add_thread(const struct why_graph *g, int thread, int *runtime, struct content *c)
{
	const struct picture_thread *th = &g->picture->threads.items[thread];

	c->threads++;
	c->settled = c->settled && th->wait.settled;
	c->mixed = c->mixed || (*runtime >= 0 && th->runtime >= 0 && th->runtime != *runtime);
	*runtime = th->runtime;
}

static void add_object(const struct why_graph *g, int waiter, struct content *c)
{
	if (why_thread_relations[g->picture->threads.items[waiter].wait.kind] == FOR_TURN)
		c->turns++;
	else
		c->locks++;
}

static void add_barrier(const struct why_graph *g, int node, struct content *c)
{
	c->barriers++;
	if (g->states.items[node].plain)
		c->workshare = all_workshare(g, node);
}

static struct content content_of(const struct why_case *c)
{
	const struct why_graph *g = &c->graph;
	const struct why_path *path = &c->path;
	struct content ret = { .settled = true, .known = true };
	size_t start = path->cycle < path->nodes.len ? path->cycle : 0;
	int runtime = -1;

	for (size_t i = start; i < path->nodes.len; i++) {
		int node = path->nodes.items[i];
		int next = i + 1 < path->nodes.len         ? path->nodes.items[i + 1]
			   : start > 0 || path->cycle == 0 ? path->nodes.items[start]
							   : -1;
		const struct why_edge *e = next >= 0 ? why_nodes_edge(g, node, next) : NULL;
		ret.known = ret.known && (!e || e->knowledge == WHY_KNOWN);
		switch (g->why->nodes.items[node].kind) {
		case WHY_NODE_THREAD:
			add_thread(g, node, &runtime, &ret);
			break;
		case WHY_NODE_TASK:
			ret.tasks++;
			break;
		case WHY_NODE_OBJECT:
			add_object(g, g->why->nodes.items[node].index, &ret);
			break;
		case WHY_NODE_BARRIER:
			add_barrier(g, node, &ret);
			break;
		case WHY_NODE_NOBODY:
			break;
		}
	}
	return ret;
}

/* ---- findings ---------------------------------------------------------------------------- */

static enum why_class class_of_cycle(const struct content *c)
{
	if (c->mixed)
		return WHY_TWO_RUNTIMES;
	if (c->locks)
		return c->threads == 1 && !c->barriers && !c->tasks ? WHY_SELF_DEADLOCK
								    : WHY_LOCK_CYCLE;
	if (c->turns)
		return WHY_ORDERED;
	if (c->tasks)
		return WHY_TASK;
	return c->workshare ? WHY_WORKSHARING_MISMATCH : WHY_BARRIER_MISMATCH;
}

static bool has_queued_task(const struct picture *p, int region)
{
	vec_for_each (task, &p->tasks) {
		if (task->state == TASK_QUEUED && task->region == region)
			return true;
	}
	return false;
}

/* A thread that must be woken by another one, while every other one waits as well. */
static enum why_class class_of_sleeper(const struct why_graph *g, int thread)
{
	const struct picture_thread *th = &g->picture->threads.items[thread];
	bool in_task = th->task >= 0 && g->picture->tasks.items[th->task].kind != TASK_IMPLICIT;

	return in_task && has_queued_task(g->picture, th->region) ? WHY_TASK : WHY_EXTERNAL;
}

/* A chain of waits that ends where nothing can come from. */
static enum why_class class_of_end(const struct why_graph *g, int node)
{
	switch (g->states.items[node].end) {
	case END_HOLDER:
		return why_nodes_unknown_hold(g->picture) ? WHY_LOCK_CYCLE : WHY_LOST_LOCK;
	case END_LOST:
	case END_IDLE:
		return WHY_LOST_LOCK;
	case END_WORKER:
		return WHY_LOST_WORKER;
	case END_EVENT:
		return WHY_DETACH;
	case END_TASK:
		return WHY_TASK;
	case END_SIGNAL:
		return class_of_sleeper(g, g->why->nodes.items[node].index);
	case END_NONE: /* all wait for a turn */
		return WHY_ORDERED;
	case END_COMPUTES:
	case END_BUSY:
	case END_OUTSIDE:
	case END_UNKNOWN:
		break;
	}
	return WHY_NONE;
}

static enum why_confidence confidence_of_end(enum why_end end)
{
	switch (end) {
	case END_WORKER:
		return WHY_CERTAIN;
	case END_LOST:
	case END_IDLE:
	case END_EVENT:
	case END_SIGNAL:
		return WHY_PROBABLE;
	case END_HOLDER:
	case END_TASK:
	case END_NONE:
	case END_COMPUTES:
	case END_BUSY:
	case END_OUTSIDE:
	case END_UNKNOWN:
		break;
	}
	return WHY_GUESS;
}

static enum why_confidence weaker(enum why_confidence a, enum why_confidence b)
{
	return a > b ? a : b;
}

/* Too short a time for certainty. */
#define BRIEF_SECONDS 0.04

static void judge_stuck(struct why_case *c, struct why *why)
{
	const struct why_graph *g = &c->graph;
	struct content content = content_of(c);
	int last = c->path.nodes.items[c->path.nodes.len - 1];
	bool cycle = c->path.cycle < c->path.nodes.len;

	why->verdict = cycle ? WHY_DEADLOCK : WHY_STUCK;
	why->class = cycle ? class_of_cycle(&content) : class_of_end(g, last);
	why->confidence = cycle ? WHY_CERTAIN : confidence_of_end(g->states.items[last].end);
	bool brief = g->progress->looks < 2 || g->progress->seconds < BRIEF_SECONDS;
	if (brief || !content.known || !content.settled)
		why->confidence = weaker(why->confidence, WHY_PROBABLE);
	if (g->picture->notes.len && why->class == WHY_LOST_WORKER)
		why->confidence = WHY_PROBABLE; /* it may be there, and not known */
	if (g->trusting)
		why->confidence = WHY_GUESS;
	if (why->class == WHY_LOCK_CYCLE)
		why->verdict = WHY_DEADLOCK; /* of locks that are not told apart */
	if (why->class == WHY_NONE)
		why->verdict = WHY_UNKNOWN;
}

/* ---- no findings ------------------------------------------------------------------------- */

static bool has_moved(const struct why_graph *g, int thread)
{
	const struct progress *p = g->progress;

	return p->looks > 1 && (size_t)thread < p->threads.len && p->threads.items[thread].moved;
}

/* Barriers are passed, or somebody who waits for what is on the path has gone on. */
static bool goes_on(const struct why_case *c)
{
	const struct why_graph *g = &c->graph;
	AUTO_FREE bool *on_path = calloc(g->states.len + 1, sizeof(*on_path));
	bool moved = g->progress->barriers > 0;

	if (!on_path)
		return moved;
	vec_for_each (node, &c->path.nodes)
		on_path[*node] = true;
	for (size_t i = 0; !moved && i < g->picture->threads.len; i++) {
		const struct why_state *state = &g->states.items[i];
		moved = state->count && on_path[g->why->edges.items[state->first].to] &&
			has_moved(g, (int)i);
	}
	return moved;
}

/* Has used no CPU time, and so has done nothing. */
static bool is_idle(const struct why_graph *g, int thread)
{
	const struct progress *p = g->progress;

	return p->looks > 1 && (size_t)thread < p->threads.len && !has_moved(g, thread) &&
	       p->threads.items[thread].load == 0;
}

/* Works in the runtime. */
static bool is_busy(const struct why_graph *g, int node)
{
	return g->progress->looks > 1 && g->why->nodes.items[node].kind == WHY_NODE_THREAD &&
	       !is_idle(g, node);
}

/* What a thread at the end of a chain of waits does, which can go on. */
static void judge_root(const struct why_graph *g, int root, bool waited_for, struct why *why)
{
	switch (g->states.items[root].end) {
	case END_COMPUTES:
		why->verdict = is_idle(g, root) ? WHY_UNKNOWN : WHY_PROGRESSING;
		why->class = waited_for ? WHY_IMBALANCE : WHY_NONE;
		break;
	case END_OUTSIDE:
	case END_SIGNAL:
		why->verdict = WHY_WAITING;
		why->class = WHY_EXTERNAL;
		break;
	case END_EVENT:
		why->verdict = g->progress->looks > 1 ? WHY_WAITING : WHY_UNKNOWN;
		why->class = g->progress->looks > 1 ? WHY_DETACH : WHY_NONE;
		break;
	case END_BUSY:
		why->verdict = is_busy(g, root) ? WHY_PROGRESSING : WHY_UNKNOWN;
		break;
	case END_NONE: /* a cycle, of threads that may be about to leave it */
	case END_HOLDER:
	case END_TASK:
	case END_IDLE:
	case END_LOST:
	case END_WORKER:
	case END_UNKNOWN:
		why->verdict = WHY_UNKNOWN;
		break;
	}
}

static void judge_live(struct why_case *c, struct why *why)
{
	const struct why_graph *g = &c->graph;
	int root = c->path.nodes.items[c->path.nodes.len - 1];
	bool moves = g->progress->looks > 1;

	judge_root(g, root, true, why);
	why->confidence = moves ? WHY_CERTAIN : WHY_PROBABLE;
	if (goes_on(c)) {
		why->verdict = WHY_PROGRESSING;
		why->class = WHY_NONE;
	} else if (g->states.items[root].end == END_BUSY || why->verdict == WHY_UNKNOWN) {
		why->confidence = WHY_GUESS;
	}
}

/* Nobody waits for anybody. */
static void judge_free(struct why_case *c, struct why *why)
{
	const struct why_graph *g = &c->graph;

	c->root = why_path_freest(g);
	why->confidence = g->progress->looks > 1 ? WHY_CERTAIN : WHY_PROBABLE;
	if (c->root < 0) {
		why->verdict = WHY_IDLE;
		return;
	}
	judge_root(g, c->root, false, why);
	if (why->verdict != WHY_PROGRESSING && has_moved(g, c->root)) {
		why->verdict = WHY_PROGRESSING;
		why->class = WHY_NONE;
	}
	if (why->verdict == WHY_UNKNOWN)
		why->confidence = WHY_GUESS;
}

/* ---- all --------------------------------------------------------------------------------- */

static void clear(struct why_case *c, struct why *why)
{
	vec_for_each (node, &why->nodes)
		free(node->name);
	vec_fini(&why->nodes);
	vec_fini(&why->edges);
	vec_fini(&c->path.nodes);
	why_graph_fini(&c->graph);
}

static struct error *examine(struct why_case *c, const struct progress *progress, bool trusting,
			     struct why *why)
{
	clear(c, why);
	struct error *err =
		why_graph_make(&c->snapshot->picture, progress, trusting, why, &c->graph);
	if (!err && !why_live_find(&c->graph))
		err = &error_nomem;
	return err ? err : why_path_find(&c->graph, &c->path);
}

static bool is_stuck(const struct why_case *c, const struct why *why)
{
	return c->path.nodes.len && why->nodes.items[c->path.nodes.items[0]].stuck;
}

/*
 * Threads that spin may be about to go on: one look does not tell. In a core file there will be no
 * other: there they count as waiting.
 */
static struct error *find_case(struct why_case *c, const struct progress *progress, struct why *why)
{
	struct error *err = examine(c, progress, false, why);

	if (err || progress->looks > 1 || is_stuck(c, why))
		return err;
	return c->core ? examine(c, progress, true, why) : NULL;
}

static struct error *judge(struct why_case *c, const struct progress *progress, struct why *why)
{
	struct error *err = find_case(c, progress, why);

	if (err)
		return err;
	if (is_stuck(c, why))
		judge_stuck(c, why);
	else if (c->path.nodes.len)
		judge_live(c, why);
	else
		judge_free(c, why);
	return why_report(c, why);
}

struct error *why_verdict_find(const struct snapshot *s, const struct progress *progress,
			       struct why *ret)
{
	struct why why = { 0 };
	struct why_case c = { .snapshot = s, .root = -1, .core = s->stacks->core };
	struct error *err = judge(&c, progress, &why);

	vec_fini(&c.path.nodes);
	why_graph_fini(&c.graph);
	if (err)
		why_fini(&why);
	else
		*ret = why;
	return err;
}
