/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_verdict.h"

#include "debugger/why/why_crash.h"
#include "debugger/why/why_halt.h"
#include "debugger/why/why_live.h"
#include "debugger/why/why_report.h"
#include "debugger/why/why_tasks.h"

/* ---- what a path is made of -------------------------------------------------------------- */

/* What is on the part of a path that nobody can end: its cycle, or all of it. */
struct content {
	size_t nodes[NUM_WHY_NODES], turns; /* turns: of the objects                         */
	size_t given;                       /* of those: locks that tasks will give back      */
	bool mixed;                         /* threads of several runtimes                   */
	bool workshare; /* those at a barrier are all at the end of worksharing           */
	bool settled;   /* all threads sleep, and did so in all looks                     */
	bool known;     /* every edge is known                                            */
	bool vague;     /* a holder may have taken another lock                           */
};

static bool is_workshare(const struct picture_wait *w)
{
	return wait_kind_traits(picture_wait_kind(w))->is_workshare;
}

/* All who wait at the plain barrier are at the end of a worksharing construct. */
static bool all_workshare(const struct why_graph *g, int region)
{
	vec_for_each (th, &g->picture->threads) {
		if (th->region == region && wait_kind_whom(th->wait.kind) == FOR_TEAM &&
		    th->wait.kind != WAIT_REGION_END && !is_workshare(&th->wait))
			return false;
	}
	return true;
}

static void add_thread(const struct picture_thread *th, int *runtime, struct content *c)
{
	c->settled = c->settled && (th->wait.settled || why_thread_is_held(th));
	c->mixed = c->mixed || (*runtime >= 0 && th->runtime >= 0 && th->runtime != *runtime);
	*runtime = th->runtime;
}

static void add_object(const struct why_graph *g, const struct picture_wait *w, struct content *c)
{
	c->turns += wait_kind_whom(w->kind) == FOR_TURN;
	c->vague |= why_nodes_is_vague(g->picture, w);
}

static struct content content_of(const struct why_case *c)
{
	const struct why_graph *g = &c->graph;
	struct content ret = { .settled = true, .known = true };
	size_t start = why_case_is_cycle(c) ? c->cycle : 0;
	int runtime = -1;

	for (size_t i = start; i < c->path.len; i++) {
		const struct why_node *n = why_case_node(c, i);
		bool last = i + 1 == c->path.len;
		int node = c->path.items[i], next = c->path.items[last ? start : i + 1];
		const struct why_edge *e =
			last && !why_case_is_cycle(c) ? NULL : why_nodes_edge(g, node, next);

		ret.known = ret.known && (!e || e->knowledge == WHY_KNOWN);
		ret.nodes[n->kind]++;
		if (n->kind == WHY_NODE_THREAD)
			add_thread(picture_thread(g->picture, n->index), &runtime, &ret);
		else if (n->kind == WHY_NODE_OBJECT && e &&
			 why_nodes_get(g, next)->kind == WHY_NODE_TASK)
			ret.given++;
		else if (n->kind == WHY_NODE_OBJECT)
			add_object(g, why_nodes_wait(g, n->index), &ret);
		else if (n->kind == WHY_NODE_BARRIER && why_nodes_state(g, node)->plain)
			ret.workshare = all_workshare(g, n->index);
	}
	return ret;
}

/* ---- findings ---------------------------------------------------------------------------- */

static enum why_class class_of_cycle(const struct content *c)
{
	const size_t *nodes = c->nodes;
	bool alone =
		nodes[WHY_NODE_THREAD] == 1 && !nodes[WHY_NODE_BARRIER] && !nodes[WHY_NODE_TASK];

	if (c->mixed)
		return WHY_TWO_RUNTIMES;
	if (nodes[WHY_NODE_OBJECT] > c->turns + c->given)
		return alone ? WHY_SELF_DEADLOCK : WHY_LOCK_CYCLE;
	if (c->turns)
		return WHY_ORDERED;
	if (nodes[WHY_NODE_TASK])
		return WHY_TASK;
	return c->workshare ? WHY_WORKSHARING_MISMATCH : WHY_BARRIER_MISMATCH;
}

/* The thread must be woken and is in a task, while others are queued that could wake it. */
static bool hinders_tasks(const struct why_graph *g, int thread)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);
	const struct picture_task *task = picture_task(g->picture, th->task);

	return task && task->kind != TASK_IMPLICIT && why_tasks_queued(g->picture, th->region);
}

/* More than one is waited for. */
static bool are_several_locks(const struct why_graph *g)
{
	size_t n = 0;

	vec_for_each (node, &g->why->nodes) {
		n += node->kind == WHY_NODE_OBJECT &&
		     wait_kind_whom(why_nodes_wait(g, node->index)->kind) == FOR_HOLDER;
	}
	return n > 1;
}

/* A chain of waits that ends where nothing can come from. */
static enum why_class class_of_end(const struct why_graph *g, int node)
{
	enum why_end end = why_nodes_state(g, node)->end;

	if (end == END_HOLDER && why_nodes_unknown_hold(g->picture) && are_several_locks(g))
		return WHY_LOCK_CYCLE;
	if (why_end_facts(end)->needs_thread && hinders_tasks(g, node))
		return WHY_TASK;
	if (end == END_LOST && why_nodes_gone_with(g->picture, why_nodes_state(g, node)->waiter))
		return WHY_LOST_WORKER;
	return why_end_facts(end)->stuck.class;
}

static enum why_confidence weaker(enum why_confidence a, enum why_confidence b)
{
	return a < b ? a : b;
}

/* Too short a time for certainty. */
#define BRIEF_SECONDS 0.04

static void judge_stuck(const struct why_case *c, struct why *why)
{
	const struct why_graph *g = &c->graph;
	struct content content = content_of(c);
	bool cycle = why_case_is_cycle(c);

	why->verdict = cycle ? WHY_DEADLOCK : WHY_STUCK;
	why->class = cycle ? class_of_cycle(&content) : class_of_end(g, why_case_cause(c));
	why->confidence =
		cycle ? WHY_CERTAIN : why_end_facts(why_case_last_end(c))->stuck.confidence;
	bool brief = g->progress->looks < 2 || g->progress->seconds < BRIEF_SECONDS;
	if (brief || !content.known || !content.settled)
		why->confidence = weaker(why->confidence, WHY_PROBABLE);
	if (g->picture->notes.len && why->class == WHY_LOST_WORKER)
		why->confidence = WHY_PROBABLE; /* it may be there, and not known */
	if (g->spin_is_wait || content.vague)
		why->confidence = WHY_GUESS;
	if (why->class == WHY_LOCK_CYCLE)
		why->verdict = WHY_DEADLOCK; /* of locks that are not told apart */
	if (why->class == WHY_HELD)
		why->verdict = WHY_WAITING; /* for the user */
	if (why->class == WHY_NONE)
		why->verdict = WHY_UNKNOWN;
}

/* ---- no findings ------------------------------------------------------------------------- */

static bool has_moved(const struct why_graph *g, int thread)
{
	const struct progress_thread *pace = progress_thread(g->progress, thread);

	return pace && pace->moved;
}

/* Has used no CPU time, and so has done nothing. */
static bool is_idle(const struct why_graph *g, int thread)
{
	const struct progress_thread *pace = progress_thread(g->progress, thread);

	return pace && !pace->moved && pace->load == 0;
}

/* Barriers are passed, or somebody who waits for what is on the path has gone on. */
static bool goes_on(const struct why_case *c)
{
	const struct why_graph *g = &c->graph;
	bool moved = g->progress->barriers > 0;

	for (int i = 0; !moved && i < (int)g->picture->threads.len; i++) {
		const struct why_state *state = why_nodes_state(g, i);
		moved = state->count && has_moved(g, i) &&
			why_case_has(c, g->why->edges.items[state->first].to);
	}
	return moved;
}

/* What a node at the end of a chain of waits does, which can go on. */
static void judge_root(const struct why_graph *g, int root, bool waited_for, struct why *why)
{
	const struct why_end_facts *facts = why_end_facts(why_nodes_state(g, root)->end);
	bool seen = !facts->live.two_looks || g->progress->looks > 1;
	bool works = why_nodes_is_thread(g, root) && !is_idle(g, root);

	if (seen && (works || !facts->live.works))
		why->verdict = facts->live.verdict;
	if (seen && (waited_for || facts->live.class != WHY_IMBALANCE))
		why->class = facts->live.class;
}

/* Where somebody can still go on. */
static void judge_live(const struct why_case *c, struct why *why)
{
	const struct why_graph *g = &c->graph;
	int root = why_case_cause(c);
	bool waited_for = c->path.len;

	why->confidence = g->progress->looks > 1 ? WHY_CERTAIN : WHY_PROBABLE;
	if (root < 0 && g->picture->code.hidden) {
		why->verdict = WHY_UNKNOWN;
		why->confidence = WHY_GUESS;
		return;
	}
	if (root < 0) {
		why->verdict = WHY_IDLE;
		return;
	}
	judge_root(g, root, waited_for, why);
	if (waited_for ? goes_on(c) : has_moved(g, root)) {
		why->verdict = WHY_PROGRESSING;
		why->class = WHY_NONE;
	} else if (why->verdict == WHY_UNKNOWN ||
		   (waited_for && why_nodes_state(g, root)->end == END_BUSY)) {
		why->confidence = WHY_GUESS;
	} else if (why_nodes_state(g, root)->end == END_OUTSIDE && why_nodes_is_thread(g, root) &&
		   why_nodes_wait(g, root)->kind == WAIT_MEMORY) {
		why->confidence = WHY_GUESS; /* nothing tells that others will ever change it */
	} else if (why_nodes_state(g, root)->end == END_COMPUTES) {
		/* It is awake; that it gets anywhere nobody has seen. */
		why->confidence = weaker(why->confidence, WHY_PROBABLE);
	}
}

/* ---- all --------------------------------------------------------------------------------- */

static void examine(struct why_case *c, const struct progress *progress, bool spin_is_wait,
		    struct why *why)
{
	why_case_fini(c);
	why_clear_graph(why);
	c->graph = (struct why_graph){ .picture = &c->snapshot->picture,
				       .progress = progress,
				       .spin_is_wait = spin_is_wait,
				       .why = why };
	why_graph_make(&c->graph);
	if (!why->failed)
		why_live_find(&c->graph);
	if (!why->failed)
		why_case_find(c);
}

static bool is_stuck(const struct why_case *c)
{
	return c->path.len && why_case_node(c, 0)->stuck;
}

static void judge(struct why_case *c, const struct progress *progress, struct why *why)
{
	examine(c, progress, false, why);
	if (!why->failed && why_crash_judge(c))
		return;
	/*
	 * Threads that spin may be about to go on: one look does not tell. In a core file there
	 * will be no other: there they count as waiting.
	 */
	if (!why->failed && progress->looks < 2 && c->core && !is_stuck(c))
		examine(c, progress, true, why);
	if (why->failed)
		return;
	if (!is_stuck(c) && why_halt_judge(c))
		return;
	if (is_stuck(c))
		judge_stuck(c, why);
	else
		judge_live(c, why);
	why_report(c);
}

struct error *why_verdict_find(const struct snapshot *s, const struct progress *progress,
			       struct why *ret)
{
	struct why why = { 0 };
	struct why_case c = { .snapshot = s, .root = -1, .core = s->stacks->core };

	judge(&c, progress, &why);
	why_case_fini(&c);
	if (why.failed) {
		why_fini(&why);
		return &error_nomem;
	}
	*ret = why;
	return NULL;
}
