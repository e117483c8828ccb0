/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why_graph.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/wait.h"

/* Of many tasks that are alike, so many are shown. */
enum { TASKS_MAX = 64 };

const enum why_relation why_graph_relations[NUM_WAIT_KINDS] = {
	[WAIT_NONE] = FOR_NOBODY,         [WAIT_IDLE] = FOR_WORK,
	[WAIT_BARRIER] = FOR_TEAM,        [WAIT_EXPLICIT_BARRIER] = FOR_TEAM,
	[WAIT_REGION_END] = FOR_TEAM,     [WAIT_WORKSHARE_END] = FOR_TEAM,
	[WAIT_COPYPRIVATE] = FOR_TEAM,    [WAIT_SINGLE] = FOR_TEAM,
	[WAIT_TASKWAIT] = FOR_CHILDREN,   [WAIT_TASKGROUP] = FOR_CHILDREN,
	[WAIT_DEPENDENCE] = FOR_CHILDREN, [WAIT_CRITICAL] = FOR_HOLDER,
	[WAIT_LOCK] = FOR_HOLDER,         [WAIT_NEST_LOCK] = FOR_HOLDER,
	[WAIT_ATOMIC] = FOR_HOLDER,       [WAIT_MUTEX] = FOR_HOLDER,
	[WAIT_ORDERED] = FOR_TURN,        [WAIT_DOACROSS] = FOR_TURN,
	[WAIT_TASK_EVENT] = FOR_EVENT,    [WAIT_TEAMS] = FOR_LEAGUE,
	[WAIT_CONDITION] = FOR_SIGNAL,    [WAIT_SYSCALL] = FOR_WORLD,
	[WAIT_MPI] = FOR_WORLD,           [WAIT_RUNTIME] = FOR_RUNTIME,
	[WAIT_UNKNOWN] = NOT_KNOWN,
};

/* Functions in which a thread sleeps until another one of the process wakes it. */
static const char *const signalled[] = {
	"sem_wait",
	"pthread_join",
	"pthread_barrier_wait",
	"pthread_rwlock_rdlock",
	"pthread_rwlock_wrlock",
	"thrd_join",
};

static enum why_relation relation_of(const struct picture_wait *w)
{
	enum why_relation r = why_graph_relations[w->kind];

	if (r == FOR_SIGNAL && w->limited)
		return FOR_WORLD;
	for (size_t i = 0;
	     r == FOR_WORLD && w->name && !w->limited && i < sizeof(signalled) / sizeof(*signalled);
	     i++) {
		if (!strcmp(w->name, signalled[i]))
			return FOR_SIGNAL;
	}
	return r;
}

/* ---- nodes and edges -------------------------------------------------------------------- */

static bool add_node(struct why_graph *g, enum why_node_kind kind, int index, int waiter, int *ret)
{
	struct why_node node = { .kind = kind, .index = index };
	struct why_more more = { .waiter = waiter, .next = -1 };

	if (!vec_push(&g->why->nodes, node))
		return false;
	*ret = (int)g->why->nodes.len - 1;
	return vec_push(&g->more, more);
}

static bool add_edge(struct why_graph *g, int from, int to, enum why_edge_kind kind,
		     enum why_knowledge knowledge)
{
	struct why_edge edge = { .kind = kind, .from = from, .to = to, .knowledge = knowledge };

	return vec_push(&g->why->edges, edge);
}

/* A node of its own at the end of another one. */
static bool add_end(struct why_graph *g, int from, enum why_end end)
{
	static const enum why_edge_kind kinds[] = {
		[END_HOLDER] = WHY_HELD_BY,   [END_LOST] = WHY_HELD_BY,
		[END_WORKER] = WHY_MUST_COME, [END_EVENT] = WHY_WAITS_FOR,
		[END_TASK] = WHY_WAITS_FOR,
	};
	int waiter = g->more.items[from].waiter, node;

	if (!add_node(g, WHY_NODE_NOBODY, waiter, waiter, &node))
		return false;
	g->more.items[node].end = end;
	return add_edge(g, from, node, kinds[end],
			end == END_HOLDER || end == END_TASK ? WHY_NOT_KNOWN : WHY_KNOWN);
}

/* ---- barriers --------------------------------------------------------------------------- */

static enum why_arrival arrival_by(const struct picture_wait *w)
{
	if (why_graph_relations[w->kind] != FOR_TEAM)
		return ARRIVED_NOT;
	if (w->kind == WAIT_BARRIER && (!w->place.pc || wait_of_entry(w->api) != WAIT_BARRIER))
		return ARRIVED_SOMEWHERE;
	return w->kind == WAIT_REGION_END ? ARRIVED_END : ARRIVED_PLAIN;
}

/* Where a thread was when it began to execute a task: at a barrier? */
static enum why_arrival arrival_before(const struct span *s)
{
	if (s->root)
		return ARRIVED_END;
	enum wait_kind kind = wait_of_entry(s->api);
	if (why_graph_relations[kind] != FOR_TEAM)
		return ARRIVED_NOT;
	return kind == WAIT_REGION_END ? ARRIVED_END : ARRIVED_PLAIN;
}

enum why_arrival why_graph_arrival(const struct picture *p, int thread, int region)
{
	const struct picture_thread *th = &p->threads.items[thread];
	int now = th->region;

	if (now == region && arrival_by(&th->wait))
		return arrival_by(&th->wait);
	for (size_t i = 0; i < th->spans.list.len && now >= 0; i++) {
		const struct span *s = &th->spans.list.items[i];
		if (now == region && s->call == SPAN_TASK && arrival_before(s))
			return arrival_before(s);
		if (s->call == SPAN_PARALLEL)
			now = p->regions.items[now].parent;
	}
	return ARRIVED_NOT;
}

/* A thread that is being made, or not known yet: it may be the one that is missing. */
static bool has_newcomer(const struct picture *p)
{
	vec_for_each (th, &p->threads) {
		if (th->role == ROLE_NONE && !th->wait.settled)
			return true;
	}
	return false;
}

static bool add_missing(struct why_graph *g, int node, int region)
{
	const struct picture_region *r = &g->picture->regions.items[region];
	enum why_arrival wanted = g->more.items[node].plain ? ARRIVED_PLAIN : ARRIVED_END;
	bool lost = false;

	vec_for_each (member, &r->members) {
		if (*member < 0) {
			lost = true;
			continue;
		}
		enum why_arrival its = why_graph_arrival(g->picture, *member, region);
		if (its != wanted && its != ARRIVED_SOMEWHERE &&
		    !add_edge(g, node, *member, WHY_MUST_COME, WHY_KNOWN))
			return false;
	}
	if (lost && has_newcomer(g->picture)) {
		g->more.items[node].end = END_BUSY;
		return true;
	}
	return !lost || add_end(g, node, END_WORKER);
}

/* ---- tasks ------------------------------------------------------------------------------ */

static const struct picture_task *task_at(const struct why_graph *g, int task)
{
	return &g->picture->tasks.items[task];
}

static bool add_task(struct why_graph *g, int from, int task)
{
	int *node = &g->tasks[task].node;

	if (*node < 0 && !add_node(g, WHY_NODE_TASK, task, g->more.items[from].waiter, node))
		return false;
	return add_edge(g, from, *node, WHY_WAITS_FOR, WHY_KNOWN);
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
		return add_end(g, node, r->detaches ? END_EVENT : END_TASK);
	g->more.items[node].end = r && r->lists_tasks ? END_BUSY : END_UNKNOWN;
	return true;
}

static bool add_children(struct why_graph *g, int thread)
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
		g->more.items[thread].any = true;
		if (!left)
			g->more.items[thread].end = END_UNKNOWN;
	}
	/* A thread that waits for what a task of its own depends on has created that one, too. */
	long own = th->wait.kind == WAIT_DEPENDENCE;
	bool unseen = task && has_unseen(g, th->task, own);
	if (!task || !task->children || unseen)
		return add_unseen(g, thread, th->runtime, unseen);
	return true;
}

/* All have arrived: the barrier is through when the tasks are. */
static bool add_region_tasks(struct why_graph *g, int node, int region)
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
	return th->task == task->creator && why_graph_relations[th->wait.kind] == FOR_CHILDREN;
}

static bool add_runners(struct why_graph *g, int node, const struct picture_task *task)
{
	bool ok = true;

	if (task->region < 0 || may_be_run(g, task)) {
		g->more.items[node].end = END_UNKNOWN;
		return true;
	}
	g->more.items[node].any = true;
	vec_for_each (member, &g->picture->regions.items[task->region].members)
		ok = ok && (*member < 0 || add_edge(g, node, *member, WHY_RUN_BY, WHY_LIKELY));
	return ok;
}

static bool connect_task(struct why_graph *g, int node)
{
	const struct picture_task *task = task_at(g, g->why->nodes.items[node].index);
	bool ok = true;

	switch (task->state) {
	case TASK_RUNNING:
	case TASK_SUSPENDED:
		if (task->thread >= 0)
			return add_edge(g, node, task->thread, WHY_RUN_BY, WHY_KNOWN);
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
		return add_end(g, node, END_EVENT);
	case TASK_STATE_UNKNOWN:
	case NUM_TASK_STATES:
		break;
	}
	g->more.items[node].end = END_UNKNOWN;
	return true;
}

/* ---- locks and turns -------------------------------------------------------------------- */

/* Somebody who waits for the same thing is not at rest: it may just have got it. */
static bool is_in_flux(const struct why_graph *g, const struct picture_wait *w)
{
	vec_for_each (th, &g->restless) {
		const struct picture_wait *its = &g->picture->threads.items[*th].wait;
		if (its->kind == w->kind &&
		    (!its->object || !w->object || its->object == w->object))
			return true;
	}
	return false;
}

/* No thread has taken it and not given it back, nor anything that it could be. */
static bool is_lost(const struct why_graph *g)
{
	return g->picture->holds_complete && !why_graph_unknown_hold(g->picture);
}

static bool add_holder(struct why_graph *g, int node, int waiter)
{
	const struct picture_wait *w = &g->picture->threads.items[waiter].wait;

	if (w->holder >= 0)
		return add_edge(g, node, w->holder, WHY_HELD_BY,
				w->holder_source == SOURCE_INFERRED ? WHY_LIKELY : WHY_KNOWN);
	if (w->kind == WAIT_MUTEX || w->kind == WAIT_ATOMIC)
		return add_end(g, node, END_HOLDER);
	if (is_in_flux(g, w)) {
		g->more.items[node].end = END_BUSY;
		return true;
	}
	return add_end(g, node, is_lost(g) ? END_LOST : END_HOLDER);
}

/* Whose turn it is; not known: one of those who do not wait for theirs, or may be about to go on.
 */
static bool add_turn(struct why_graph *g, int node, int waiter)
{
	const struct picture_thread *th = &g->picture->threads.items[waiter];
	bool ok = true;

	int turn = th->wait.holder;
	if (turn >= 0 && g->picture->threads.items[turn].wait.kind != th->wait.kind)
		return add_edge(g, node, turn, WHY_HELD_BY, WHY_KNOWN);
	if (turn >= 0) {
		g->more.items[node].end = END_BUSY; /* it has just become its turn */
		return true;
	}
	if (th->region < 0) {
		g->more.items[node].end = END_UNKNOWN;
		return true;
	}
	g->more.items[node].any = true;
	vec_for_each (member, &g->picture->regions.items[th->region].members) {
		bool waits = *member >= 0 &&
			     g->picture->threads.items[*member].wait.kind == th->wait.kind;
		if (waits && !why_graph_is_calm(g, *member))
			g->more.items[node].end = END_BUSY; /* it may be the one */
		if (*member >= 0 && !waits)
			ok = ok && add_edge(g, node, *member, WHY_HELD_BY, WHY_LIKELY);
	}
	return ok;
}

static bool add_league(struct why_graph *g, int thread)
{
	const struct picture_thread *th = &g->picture->threads.items[thread];
	int left = TASKS_MAX;
	bool ok = true;

	g->more.items[thread].any = true;
	for (size_t i = 0; ok && left > 0 && i < g->picture->threads.len; i++) {
		const struct picture_thread *its = &g->picture->threads.items[i];
		if (its->runtime != th->runtime || its->region < 0 || its->wait.kind == WAIT_TEAMS)
			continue;
		left--;
		ok = add_edge(g, thread, (int)i, WHY_MUST_COME, WHY_LIKELY);
	}
	if (!left || left == TASKS_MAX)
		g->more.items[thread].end = END_UNKNOWN;
	return ok;
}

/* ---- threads ---------------------------------------------------------------------------- */

/*
 * CPU time in which a thread that spins looks at what it waits for at least once; and what a look
 * at it may cost one that sleeps.
 */
#define SPIN_SECONDS  0.0003
#define SLEEP_SECONDS 0.0005

bool why_graph_is_calm(const struct why_graph *g, int thread)
{
	const struct picture_wait *w = &g->picture->threads.items[thread].wait;
	const struct progress *p = g->progress;

	if (p->looks > 1) {
		if ((size_t)thread >= p->threads.len || p->threads.items[thread].moved)
			return false;
		double load = p->threads.items[thread].load, used = load * p->seconds;
		if (w->kind == WAIT_NONE || load < 0)
			return w->kind != WAIT_NONE && w->settled;
		return w->spinning ? used > SPIN_SECONDS : w->settled && used < SLEEP_SECONDS;
	}
	return w->settled || (g->trusting && w->spinning);
}

/* The node that all who wait for one thing share. */
static bool find_shared(struct why_graph *g, enum why_shared which, int waiter, int *ret)
{
	int region = g->picture->threads.items[waiter].region;

	if (region < 0)
		return add_node(g, WHY_NODE_OBJECT, waiter, waiter, ret);
	int *node = &g->shared[region * NUM_WHY_SHARED + (int)which];
	bool barrier = which == SHARED_PLAIN || which == SHARED_END;
	if (*node < 0 && !add_node(g, barrier ? WHY_NODE_BARRIER : WHY_NODE_OBJECT,
				   barrier ? region : waiter, waiter, node))
		return false;
	g->more.items[*node].plain = which == SHARED_PLAIN;
	*ret = *node;
	return true;
}

static bool same_lock(const struct picture_wait *a, const struct picture_wait *b)
{
	return a->object == b->object && a->kind == b->kind;
}

static bool find_lock(struct why_graph *g, int waiter, int *ret)
{
	const struct picture_thread *threads = g->picture->threads.items;
	const struct picture_wait *w = &threads[waiter].wait;
	size_t slot = (w->object >> 3) * 0x9e3779b97f4a7c15 + (unsigned int)w->kind;

	if (!w->object)
		return add_node(g, WHY_NODE_OBJECT, waiter, waiter, ret);
	for (slot %= g->nlocks; g->locks[slot] >= 0; slot = (slot + 1) % g->nlocks) {
		*ret = g->locks[slot];
		if (same_lock(w, &threads[g->more.items[*ret].waiter].wait))
			return true;
	}
	if (!add_node(g, WHY_NODE_OBJECT, waiter, waiter, ret))
		return false;
	g->locks[slot] = *ret;
	return true;
}

static bool connect_thread(struct why_graph *g, int thread)
{
	static const enum why_end ends[] = {
		[FOR_NOBODY] = END_COMPUTES, [FOR_SIGNAL] = END_SIGNAL, [FOR_WORLD] = END_OUTSIDE,
		[FOR_RUNTIME] = END_BUSY,    [FOR_WORK] = END_IDLE,     [NOT_KNOWN] = END_UNKNOWN,
	};
	const struct picture_wait *w = &g->picture->threads.items[thread].wait;
	enum why_relation relation = relation_of(w);
	int to;

	switch (relation) {
	case FOR_CHILDREN:
		return add_children(g, thread);
	case FOR_EVENT:
		return add_end(g, thread, END_EVENT);
	case FOR_TEAM:
		return find_shared(g, w->kind == WAIT_REGION_END ? SHARED_END : SHARED_PLAIN,
				   thread, &to) &&
		       add_edge(g, thread, to, WHY_WAITS_FOR, WHY_KNOWN);
	case FOR_TURN:
		return find_shared(g, w->kind == WAIT_ORDERED ? SHARED_TURN : SHARED_ITERATION,
				   thread, &to) &&
		       add_edge(g, thread, to, WHY_WAITS_FOR, WHY_KNOWN);
	case FOR_LEAGUE:
		return add_league(g, thread);
	case FOR_HOLDER:
		return find_lock(g, thread, &to) &&
		       add_edge(g, thread, to, WHY_WAITS_FOR, WHY_KNOWN);
	case FOR_NOBODY:
	case FOR_SIGNAL:
	case FOR_WORLD:
	case FOR_RUNTIME:
	case FOR_WORK:
	case NOT_KNOWN:
		g->more.items[thread].end = ends[relation];
		return true;
	}
	return true;
}

static bool connect_object(struct why_graph *g, int node)
{
	int waiter = g->more.items[node].waiter;
	enum why_relation relation =
		why_graph_relations[g->picture->threads.items[waiter].wait.kind];

	if (relation == FOR_TURN)
		return add_turn(g, node, waiter);
	if (relation == FOR_HOLDER)
		return add_holder(g, node, waiter);
	g->more.items[node].end = END_UNKNOWN; /* the barrier of a team that is not known */
	return true;
}

static bool connect_barrier(struct why_graph *g, int node)
{
	int region = g->why->nodes.items[node].index;
	size_t before = g->why->edges.len;

	if (!add_missing(g, node, region))
		return false;
	return g->why->edges.len > before || g->more.items[node].end != END_NONE ||
	       add_region_tasks(g, node, region);
}

static bool connect(struct why_graph *g, int node)
{
	switch (g->why->nodes.items[node].kind) {
	case WHY_NODE_THREAD:
		return connect_thread(g, node);
	case WHY_NODE_TASK:
		return connect_task(g, node);
	case WHY_NODE_OBJECT:
		return connect_object(g, node);
	case WHY_NODE_BARRIER:
		return connect_barrier(g, node);
	case WHY_NODE_NOBODY:
		return true;
	}
	return true;
}

/* ---- all -------------------------------------------------------------------------------- */

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

static int *all_none(size_t n)
{
	int *ret = malloc((n + 1) * sizeof(*ret));

	if (ret)
		memset(ret, 0xff, (n + 1) * sizeof(*ret));
	return ret;
}

static bool prepare(struct why_graph *g)
{
	const struct picture *p = g->picture;
	int node;

	g->tasks = calloc(p->tasks.len + 1, sizeof(*g->tasks));
	g->first_task = all_none(p->regions.len);
	g->shared = all_none(p->regions.len * NUM_WHY_SHARED);
	g->nlocks = 2 * p->threads.len + 1;
	g->locks = all_none(g->nlocks);
	if (!g->tasks || !g->first_task || !g->shared || !g->locks)
		return false;
	for (size_t i = 0; i < p->tasks.len; i++)
		g->tasks[i] = (struct why_task){ -1, -1, -1, -1, 0 };
	link_tasks(g, true);
	link_tasks(g, false);
	for (size_t i = 0; i < p->threads.len; i++) {
		const struct picture_wait *w = &p->threads.items[i].wait;
		if (!add_node(g, WHY_NODE_THREAD, (int)i, (int)i, &node))
			return false;
		if (why_graph_relations[w->kind] == FOR_HOLDER && !why_graph_is_calm(g, node) &&
		    !vec_push(&g->restless, node))
			return false;
	}
	return true;
}

static bool make(struct why_graph *g)
{
	bool ok = prepare(g);

	/* Nodes are added on the way. */
	for (size_t i = 0; ok && i < g->more.len; i++) {
		g->more.items[i].first = g->why->edges.len;
		ok = connect(g, (int)i);
		g->more.items[i].count = g->why->edges.len - g->more.items[i].first;
	}
	return ok;
}

struct error *why_graph_make(const struct picture *p, const struct progress *progress,
			     bool trusting, struct why *why, struct why_graph *ret)
{
	*ret = (struct why_graph){
		.picture = p, .progress = progress, .trusting = trusting, .why = why
	};
	return make(ret) ? NULL : &error_nomem;
}

void why_graph_fini(struct why_graph *g)
{
	free(g->tasks);
	free(g->first_task);
	free(g->shared);
	free(g->locks);
	vec_fini(&g->restless);
	vec_fini(&g->more);
}

bool why_graph_unknown_hold(const struct picture *p)
{
	vec_for_each (hold, &p->holds) {
		if (!hold->object)
			return true;
	}
	return false;
}

const struct picture_leak *why_graph_leak(const struct picture *p, int waiter)
{
	const struct picture_wait *w = &p->threads.items[waiter].wait;

	vec_for_each (leak, &p->leaks) {
		if (leak->kind == w->kind && leak->object && leak->object == w->object &&
		    !leak->always)
			return leak;
	}
	return NULL;
}

/* ---- reading it -------------------------------------------------------------------------- */

const struct why_edge *why_graph_edge(const struct why_graph *g, int from, int to)
{
	const struct why_more *more = &g->more.items[from];

	for (size_t i = 0; i < more->count; i++) {
		if (g->why->edges.items[more->first + i].to == to)
			return &g->why->edges.items[more->first + i];
	}
	return NULL;
}

static bool is_same_place(const struct picture *p, int a, int b)
{
	const struct place *x = &p->threads.items[a].wait.place,
			   *y = &p->threads.items[b].wait.place;

	return x->line == y->line && (x->line || x->pc == y->pc) &&
	       (x->file == y->file || (x->file && y->file && !strcmp(x->file, y->file)));
}

/* Whether two threads wait for one node, or both for somebody of their team to wake them. */
static bool waits_alike(const struct why_graph *g, int a, int b)
{
	const struct why_more *x = &g->more.items[a], *y = &g->more.items[b];

	if (x->end == END_SIGNAL)
		return y->end == END_SIGNAL &&
		       g->picture->threads.items[a].region == g->picture->threads.items[b].region;
	return x->count == 1 && y->count == 1 &&
	       g->why->edges.items[x->first].to == g->why->edges.items[y->first].to;
}

bool why_graph_group(const struct why_graph *g, int thread, struct why_threads *ret)
{
	for (size_t i = 0; i < g->picture->threads.len; i++) {
		bool alike = (int)i == thread || (waits_alike(g, thread, (int)i) &&
						  is_same_place(g->picture, thread, (int)i));
		if (alike && !vec_push(ret, (int)i))
			return false;
	}
	return true;
}
