/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_tasks.h"

#include <stdlib.h>

#include "debugger/why/why_thread.h"

/* Of many tasks that are alike, so many are shown. */
enum { TASKS_MAX = 64 };

static const struct picture_task *task_at(const struct why_graph *g, int task)
{
	return &g->picture->tasks.items[task];
}

/* Of many the queued ones, which are all alike, come last. */
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

bool why_tasks_prepare(struct why_graph *g)
{
	size_t ntasks = g->picture->tasks.len, nregions = g->picture->regions.len;

	g->tasks = calloc(ntasks + 1, sizeof(*g->tasks));
	g->first_task = calloc(nregions + 1, sizeof(*g->first_task));
	if (!g->tasks || !g->first_task)
		return false;
	for (size_t i = 0; i < ntasks; i++)
		g->tasks[i] = (struct why_task){ -1, -1, -1, -1, 0 };
	for (size_t i = 0; i < nregions; i++)
		g->first_task[i] = -1;
	link_tasks(g, true);
	link_tasks(g, false);
	return true;
}

static bool add_task(struct why_graph *g, int from, int task)
{
	int *node = &g->tasks[task].node;

	if (*node < 0 && !why_nodes_add(g, WHY_NODE_TASK, task, g->states.items[from].waiter, node))
		return false;
	return why_nodes_add_edge(g, from, *node, WHY_WAITS_FOR, WHY_KNOWN);
}

static const struct picture_runtime *runtime_of(const struct picture *p, int runtime)
{
	return runtime >= 0 && (size_t)runtime < p->runtimes.len ? &p->runtimes.items[runtime]
								 : NULL;
}

/* Some child of a task has not ended that is not in the picture; own: so many are known of. */
static bool has_unseen(const struct why_graph *g, int task, long own)
{
	return task_at(g, task)->unfinished > g->tasks[task].children + own;
}

/* No task is in sight that is waited for. unseen: but there is one. */
static bool add_unseen(struct why_graph *g, int node, int runtime, bool unseen)
{
	const struct picture_runtime *r = runtime_of(g->picture, runtime);

	if (r && unseen)
		return why_nodes_add_end(g, node, r->detaches ? END_EVENT : END_TASK);
	g->states.items[node].end = r && r->lists_tasks ? END_BUSY : END_UNKNOWN;
	return true;
}

bool why_tasks_add_children(struct why_graph *g, int thread)
{
	const struct picture_thread *th = &g->picture->threads.items[thread];
	const struct why_task *task = th->task >= 0 ? &g->tasks[th->task] : NULL;

	int left = TASKS_MAX;
	for (int i = task ? task->first_child : -1; i >= 0 && left > 0; left--) {
		if (!add_task(g, thread, i))
			return false;
		i = g->tasks[i].next_child;
	}
	if (th->wait.kind != WAIT_TASKWAIT) {
		/* For some of them only; for which ones is not known. */
		g->states.items[thread].any = true;
		if (!left)
			g->states.items[thread].end = END_UNKNOWN;
	}
	/* A thread that waits for what a task of its own depends on has created that one, too. */
	long own = th->wait.kind == WAIT_DEPENDENCE;
	bool unseen = task && has_unseen(g, th->task, own);
	if (!task || !task->children || unseen)
		return add_unseen(g, thread, th->runtime, unseen);
	return true;
}

/* All have arrived: the barrier is through when the tasks are. */
bool why_tasks_add_all(struct why_graph *g, int node, int region)
{
	int left = TASKS_MAX;

	for (int i = g->first_task[region]; i >= 0 && left > 0; left--) {
		if (!add_task(g, node, i))
			return false;
		i = g->tasks[i].next_in_region;
	}
	if (left < TASKS_MAX)
		return true;
	bool unseen = false;
	for (size_t i = 0; !unseen && i < g->picture->tasks.len; i++)
		unseen = task_at(g, (int)i)->region == region && has_unseen(g, (int)i, 0);
	return add_unseen(g, node, g->picture->regions.items[region].runtime, unseen);
}

/* A thread of the team waits where it takes up queued tasks: at a barrier, or for this one. */
static bool may_be_run(const struct why_graph *g, const struct picture_task *task)
{
	const int *shared = &g->shared[task->region * NUM_WHY_SHARED];
	int creator = task->creator >= 0 ? task_at(g, task->creator)->thread : -1;

	if (shared[SHARED_PLAIN] >= 0 || shared[SHARED_END] >= 0)
		return true;
	if (creator < 0)
		return false;
	const struct picture_thread *th = &g->picture->threads.items[creator];
	return th->task == task->creator && why_thread_relations[th->wait.kind] == FOR_CHILDREN;
}

static bool add_runners(struct why_graph *g, int node, const struct picture_task *task)
{
	bool ok = true;

	if (task->region < 0 || may_be_run(g, task)) {
		g->states.items[node].end = END_UNKNOWN;
		return true;
	}
	g->states.items[node].any = true;
	vec_for_each (member, &g->picture->regions.items[task->region].members)
		ok = ok &&
		     (*member < 0 || why_nodes_add_edge(g, node, *member, WHY_RUN_BY, WHY_LIKELY));
	return ok;
}

bool why_tasks_connect(struct why_graph *g, int node)
{
	const struct picture_task *task = task_at(g, g->why->nodes.items[node].index);
	bool ok = true;

	switch (task->state) {
	case TASK_RUNNING:
	case TASK_SUSPENDED:
		if (task->thread >= 0)
			return why_nodes_add_edge(g, node, task->thread, WHY_RUN_BY, WHY_KNOWN);
		break;
	case TASK_QUEUED:
		return add_runners(g, node, task);
	case TASK_BLOCKED:
		vec_for_each (other, &task->waits_for)
			ok = ok && add_task(g, node, *other);
		if (!ok || task->waits_for.len)
			return ok;
		break;
	case TASK_DETACHED:
		return why_nodes_add_end(g, node, END_EVENT);
	case TASK_STATE_UNKNOWN:
	case NUM_TASK_STATES:
		break;
	}
	g->states.items[node].end = END_UNKNOWN;
	return true;
}
