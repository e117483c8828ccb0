/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_tasks.h"

#include <stdlib.h>

#include "debugger/why/why_thread.h"

/* Tasks that one node is connected to. */
enum { TASKS_MAX = 64 };

static const struct picture_task *task_at(const struct why_graph *g, int task)
{
	return picture_task(g->picture, task);
}

/* Queued ones come last: they are all alike, and of many only the first are shown. */
static void link_tasks(struct why_graph *g, bool queued)
{
	for (int i = (int)g->picture->tasks.len - 1; i >= 0; i--) {
		const struct picture_task *task = task_at(g, i);
		if (task->kind == TASK_IMPLICIT || task->state == TASK_STATE_UNKNOWN ||
		    (task->state == TASK_QUEUED) != queued)
			continue;
		if (task->creator >= 0) {
			struct why_task *creator = &g->tasks[task->creator];
			g->tasks[i].next_child = creator->first_child;
			creator->first_child = i;
			creator->children++;
		}
		if (task->region >= 0) {
			g->tasks[i].next_in_region = g->first_task[task->region];
			g->first_task[task->region] = i;
		}
	}
}

void why_tasks_prepare(struct why_graph *g)
{
	size_t ntasks = g->picture->tasks.len, nregions = g->picture->regions.len;

	g->tasks = calloc(ntasks + 1, sizeof(*g->tasks));
	g->first_task = calloc(nregions + 1, sizeof(*g->first_task));
	if (!g->tasks || !g->first_task) {
		g->why->failed = true;
		return;
	}
	for (size_t i = 0; i < ntasks; i++)
		g->tasks[i] = (struct why_task){ -1, -1, -1, -1, 0 };
	for (size_t i = 0; i < nregions; i++)
		g->first_task[i] = -1;
	link_tasks(g, true);
	link_tasks(g, false);
}

static void add_task_as(struct why_graph *g, int from, int task, enum why_knowledge knowledge)
{
	int *node = &g->tasks[task].node;

	if (*node < 0)
		*node = why_nodes_add(g, WHY_NODE_TASK, task, why_nodes_state(g, from)->waiter);
	why_nodes_add_edge(g, from, *node, WHY_WAITS_FOR, knowledge);
}

static void add_task(struct why_graph *g, int from, int task)
{
	add_task_as(g, from, task, WHY_KNOWN);
}

void why_tasks_add_giver(struct why_graph *g, int node, int task)
{
	add_task_as(g, node, task, WHY_LIKELY);
}

/* A child that has not ended is not in the picture. own: children known otherwise. */
static bool has_unseen(const struct why_graph *g, int task, long own)
{
	return task_at(g, task)->unfinished > g->tasks[task].children + own;
}

/* Who waits for what a task of its own depends on has created that one, too. */
static bool waits_for_own(const struct why_graph *g, int thread)
{
	return thread >= 0 && why_nodes_wait(g, thread)->kind == WAIT_DEPENDENCE;
}

/* One look: a thread that does not sleep may just have taken a task out of a queue. */
static bool may_be_in_hands(const struct why_graph *g, int runtime)
{
	if (g->progress->looks > 1)
		return false;
	vec_for_each (th, &g->picture->threads) {
		if (th->runtime == runtime && !th->wait.settled)
			return true;
	}
	return false;
}

/* The picture has no task that could be waited for. unseen: one exists all the same. */
static void add_unseen(struct why_graph *g, int node, int runtime, bool unseen)
{
	const struct picture *p = g->picture;
	const struct picture_runtime *r =
		(size_t)runtime < p->runtimes.len ? &p->runtimes.items[runtime] : NULL;

	if (r && unseen && !may_be_in_hands(g, runtime))
		why_nodes_add_end(g, node, r->detaches ? END_EVENT : END_TASK);
	else if (unseen)
		why_nodes_state(g, node)->end = END_UNKNOWN;
	else
		why_nodes_state(g, node)->end = r && r->lists_tasks ? END_BUSY : END_UNKNOWN;
}

void why_tasks_add_children(struct why_graph *g, int thread)
{
	const struct picture_thread *th = picture_thread(g->picture, thread);
	const struct why_task *task = th->task >= 0 ? &g->tasks[th->task] : NULL;
	int left = TASKS_MAX;

	for (int i = task ? task->first_child : -1; i >= 0 && left > 0; left--) {
		add_task(g, thread, i);
		i = g->tasks[i].next_child;
	}
	if (th->wait.kind != WAIT_TASKWAIT) {
		/* For some of them only; for which ones is not known. */
		why_nodes_state(g, thread)->any = true;
		if (!left)
			why_nodes_state(g, thread)->end = END_UNKNOWN;
	}
	bool unseen = task && has_unseen(g, th->task, waits_for_own(g, thread));
	if (!task || !task->children || unseen)
		add_unseen(g, thread, th->runtime, unseen);
}

void why_tasks_add_all(struct why_graph *g, int node, int region)
{
	int left = TASKS_MAX;

	for (int i = g->first_task[region]; i >= 0 && left > 0; left--) {
		add_task(g, node, i);
		i = g->tasks[i].next_in_region;
	}
	if (left < TASKS_MAX)
		return;
	bool unseen = false;
	for (int i = 0; !unseen && i < (int)g->picture->tasks.len; i++)
		unseen = task_at(g, i)->region == region && has_unseen(g, i, 0);
	add_unseen(g, node, picture_region(g->picture, region)->runtime, unseen);
}

size_t why_tasks_queued(const struct picture *p, int region)
{
	size_t n = 0;

	vec_for_each (task, &p->tasks)
		n += task->state == TASK_QUEUED && task->region == region;
	return n;
}

/* A thread of the team waits where it takes up queued tasks: at a barrier, or for this one. */
static bool may_be_run(const struct why_graph *g, const struct picture_task *task)
{
	int creator = task->creator >= 0 ? task_at(g, task->creator)->thread : -1;

	if (map_find(&g->by_team, why_nodes_team_key(task->region, WAIT_BARRIER)) ||
	    map_find(&g->by_team, why_nodes_team_key(task->region, WAIT_REGION_END)))
		return true;
	return creator >= 0 && picture_thread(g->picture, creator)->task == task->creator &&
	       wait_kind_whom(why_nodes_wait(g, creator)->kind) == FOR_CHILDREN;
}

static void add_runners(struct why_graph *g, int node, const struct picture_task *task)
{
	const struct picture_region *r = picture_region(g->picture, task->region);

	if (!r || may_be_run(g, task)) {
		why_nodes_state(g, node)->end = END_UNKNOWN;
		return;
	}
	why_nodes_state(g, node)->any = true;
	vec_for_each (member, &r->members) {
		if (*member >= 0)
			why_nodes_add_edge(g, node, *member, WHY_RUN_BY, WHY_LIKELY);
	}
}

/* One look: a task that is queued, or that a thread has just taken, may be about to fulfil it. */
static bool may_be_fulfilled(const struct why_graph *g, const struct picture_task *task)
{
	const struct picture_region *r = picture_region(g->picture, task->region);
	const struct picture_task *creator = picture_task(g->picture, task->creator);

	if (g->progress->looks > 1)
		return false;
	if (why_tasks_queued(g->picture, task->region))
		return true;
	return creator && r && has_unseen(g, task->creator, waits_for_own(g, creator->thread)) &&
	       may_be_in_hands(g, r->runtime);
}

void why_tasks_connect(struct why_graph *g, int node)
{
	const struct picture_task *task = task_at(g, why_nodes_get(g, node)->index);
	bool begun = task->state == TASK_RUNNING || task->state == TASK_SUSPENDED;

	if (task->state == TASK_QUEUED)
		add_runners(g, node, task);
	else if (task->state == TASK_DETACHED && may_be_fulfilled(g, task))
		why_nodes_state(g, node)->end = END_UNKNOWN;
	else if (task->state == TASK_DETACHED)
		why_nodes_add_end(g, node, END_EVENT);
	else if (begun && task->thread >= 0)
		why_nodes_add_edge(g, node, task->thread, WHY_RUN_BY, WHY_KNOWN);
	else if (task->state != TASK_BLOCKED || !task->waits_for.len)
		why_nodes_state(g, node)->end = END_UNKNOWN;
	else
		vec_for_each (other, &task->waits_for)
			add_task(g, node, *other);
}
