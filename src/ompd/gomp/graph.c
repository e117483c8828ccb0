/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/graph.h"

#include "ompd/gomp/queue.h"

/* Open addressing; what: a task's node, or a taskgroup that has been walked. */
struct gomp_graph_slot {
	uint64_t address; /* 0: free */
	int32_t node;     /* GOMP_GRAPH_NONE: a taskgroup, or no task after all */
};

enum { FIRST_CAP = 64, MAX_TASKS = 1 << 24, BLOCK = 64, MAX_ANCESTORS = 1 << 16 };

struct search {
	const ompd_address_space_handle_t *space;
	const ompd_parallel_handle_t *parallel;
	struct gomp_graph *graph;
	uint64_t budget;
	bool nomem;
};

static void spend(struct search *s)
{
	s->budget -= s->budget ? 1 : 0;
}

/* Room for one more item. */
static bool grow(struct search *s, void *slot, uint32_t *cap, uint32_t n, size_t size)
{
	uint32_t wanted = *cap ? *cap * 2 : FIRST_CAP;
	void *items, *old;

	if (n < *cap)
		return true;
	items = gomp_client_alloc(wanted * size);
	if (!items) {
		s->nomem = true;
		return false;
	}
	memcpy(&old, slot, sizeof(old));
	if (old)
		memcpy(items, old, *cap * size);
	gomp_client_free(old);
	memcpy(slot, &items, sizeof(items));
	*cap = wanted;
	return true;
}

static struct gomp_graph_slot *find(struct gomp_graph_slot *slots, uint32_t cap, uint64_t address)
{
	uint64_t hash = address * 0x9e3779b97f4a7c15ULL >> 32;

	for (uint32_t i = 0; i < cap; i++) {
		struct gomp_graph_slot *s = &slots[(hash + i) & (cap - 1)];

		if (!s->address || s->address == address)
			return s;
	}
	return NULL;
}

static bool rehash(struct search *s)
{
	struct gomp_graph *g = s->graph;
	uint32_t cap = g->slots_cap ? g->slots_cap * 2 : FIRST_CAP;
	struct gomp_graph_slot *slots = gomp_client_alloc(cap * sizeof(*slots));

	if (!slots) {
		s->nomem = true;
		return false;
	}
	for (uint32_t i = 0; i < g->slots_cap; i++)
		if (g->slots[i].address)
			*find(slots, cap, g->slots[i].address) = g->slots[i];
	gomp_client_free(g->slots);
	g->slots = slots;
	g->slots_cap = cap;
	return true;
}

/* The slot of an address; *ret_new: it was not there. NULL: no memory. */
static struct gomp_graph_slot *enter(struct search *s, uint64_t address, bool *ret_new)
{
	struct gomp_graph *g = s->graph;
	struct gomp_graph_slot *slot;

	if (g->nslots * 2 >= g->slots_cap && !rehash(s))
		return NULL;
	slot = find(g->slots, g->slots_cap, address);
	*ret_new = !slot->address;
	if (*ret_new) {
		*slot = (struct gomp_graph_slot){ address, GOMP_GRAPH_NONE };
		g->nslots++;
	}
	return slot;
}

/* The node of a task, a new one if need be; GOMP_GRAPH_NONE: it is no task, or there is no room. */
static int32_t add_task(struct search *s, uint64_t address)
{
	struct gomp_graph *g = s->graph;
	struct gomp_graph_slot *slot;
	struct gomp_graph_node node = { .first_edge = GOMP_GRAPH_NONE };
	bool is_new;

	if (!address || s->nomem)
		return GOMP_GRAPH_NONE;
	slot = find(g->slots, g->slots_cap, address);
	if (slot && slot->address)
		return slot->node;
	if (g->nnodes == g->most || !s->budget ||
	    gomp_task_read(s->space, address, &node.task) != ompd_rc_ok) {
		g->incomplete = true;
		spend(s);
		return GOMP_GRAPH_NONE;
	}
	spend(s);
	if (!grow(s, &g->nodes, &g->nodes_cap, g->nnodes, sizeof(node)))
		return GOMP_GRAPH_NONE;
	slot = enter(s, address, &is_new);
	if (!slot)
		return GOMP_GRAPH_NONE;
	slot->node = (int32_t)g->nnodes;
	g->nodes[g->nnodes++] = node;
	return slot->node;
}

static void add_edge(struct search *s, int32_t waiter, uint64_t on)
{
	struct gomp_graph *g = s->graph;

	if (waiter == GOMP_GRAPH_NONE ||
	    !grow(s, &g->edges, &g->edges_cap, g->nedges, sizeof(*g->edges)))
		return;
	g->edges[g->nedges] = (struct gomp_graph_edge){ on, g->nodes[waiter].first_edge };
	g->nodes[waiter].first_edge = (int32_t)g->nedges++;
}

static bool found_in_queue(void *context, uint64_t task)
{
	struct search *s = context;

	add_task(s, task);
	return !s->nomem;
}

static void walk_queue(struct search *s, const uint8_t *queue, enum gomp_queue kind)
{
	struct gomp_queue_walk walk = { s->space, s->budget, found_in_queue, s };

	if (!gomp_queue_walk(&walk, queue, kind))
		s->graph->incomplete = true;
	s->budget = walk.budget < s->budget ? walk.budget : s->budget;
}

static void walk_taskgroup(struct search *s, uint64_t address)
{
	struct gomp_taskgroup group;
	bool is_new = false;

	if (!address || !enter(s, address, &is_new) || !is_new)
		return;
	if (gomp_task_read_taskgroup(s->space, address, &group) == ompd_rc_ok)
		walk_queue(s, group.queue, GOMP_QUEUE_TASKGROUP);
	else
		s->graph->incomplete = true;
}

/* Calls "each" for n words, until the budget is used up. */
static void walk_words(struct search *s, uint64_t from, uint64_t n,
		       void (*each)(struct search *s, uint64_t word, uint64_t context),
		       uint64_t context)
{
	uint8_t b[BLOCK * 8];
	uint64_t i = 0;

	while (i < n && s->budget) {
		uint64_t now = n - i < BLOCK ? n - i : BLOCK;

		if (gomp_space_read(s->space, from + 8 * i, b, 8 * now) != ompd_rc_ok)
			break;
		for (uint64_t k = 0; k < now && s->budget; k++, i++)
			each(s, gomp_u64(b + 8 * k), context);
	}
	s->graph->incomplete |= i < n;
}

static void add_depender(struct search *s, uint64_t waiter, uint64_t on)
{
	add_edge(s, add_task(s, waiter), on);
	spend(s);
}

/* gomp_dependers_vec: { number of elements, allocated, tasks ... } */
static void walk_dependers(struct search *s, const struct gomp_task *task)
{
	uint64_t n;

	if (!task->dependers)
		return;
	if (gomp_space_read_word(s->space, task->dependers, &n) == ompd_rc_ok)
		walk_words(s, task->dependers + 16, n, add_depender, task->address);
	else
		s->graph->incomplete = true;
}

/* The tasks that a member of the team has begun: from its current one out to the implicit one. */
static void walk_thread(struct search *s, uint64_t gomp_thread)
{
	uint64_t ours = s->parallel->team.address;
	ompd_thread_handle_t h = { .head.space = s->parallel->head.space };
	struct gomp_task task;

	if (gomp_thread_read(s->space, gomp_thread, &h.thread) != ompd_rc_ok || !h.thread.level ||
	    gomp_task_of_handle(&h, &task) != ompd_rc_ok)
		return;
	for (int i = 0; i < MAX_ANCESTORS && s->budget; i++, spend(s)) {
		if (task.team == ours)
			add_task(s, task.address);
		if ((task.team == ours && task.kind == GOMP_TASK_IMPLICIT) ||
		    gomp_task_parent(s->space, &task, &task) != ompd_rc_ok)
			return;
	}
	s->graph->incomplete = true;
}

/* The semaphore for a member's turn in ordered loops is a part of its gomp_thread. */
static void walk_member(struct search *s, uint64_t semaphore, uint64_t release)
{
	walk_thread(s, semaphore - release);
}

static void walk_members(struct search *s)
{
	const struct gomp_team *team = &s->parallel->team;
	uint64_t thread;

	if (gomp_team_member(s->parallel, 0, &thread) == ompd_rc_ok)
		walk_thread(s, thread);
	walk_words(s, team->ordered_release + 8, team->nthreads - 1, walk_member,
		   s->space->layout->thread.release);
}

/* A task that waits for dependences itself, in a taskwait or before an undeferred task. */
static void add_awaited(struct search *s, const struct gomp_task *task)
{
	struct gomp_graph *g = s->graph;
	const struct gomp_graph_slot *slot = find(g->slots, g->slots_cap, task->parent);
	const int32_t parent = slot && slot->address ? slot->node : GOMP_GRAPH_NONE;

	if (parent != GOMP_GRAPH_NONE &&
	    gomp_task_read_waits(s->space, &g->nodes[parent].task).in_depend_wait)
		add_edge(s, parent, task->address);
}

ompd_rc_t gomp_graph_collect(const ompd_parallel_handle_t *parallel, uint32_t most,
			     struct gomp_graph *ret)
{
	const ompd_address_space_handle_t *space = parallel->head.space;
	const struct gomp_team *team = &parallel->team;
	struct search s = { .space = space, .parallel = parallel, .graph = ret };

	most = most < MAX_TASKS ? most : MAX_TASKS;
	/* Each task is met in up to three queues, and by those that it depends on. */
	s.budget = 16ULL * most + 4096;
	/* While the lock is held, somebody is changing the queues. */
	*ret = (struct gomp_graph){ .incomplete = team->task_lock != 0, .most = most };
	for (uint32_t i = 0; i < team->nthreads && s.budget && ret->nnodes < most; i++)
		add_task(&s, gomp_team_implicit_task(space, team->address, i));
	walk_members(&s);
	walk_queue(&s, team->queue, GOMP_QUEUE_TEAM);
	for (uint32_t i = 0; i < ret->nnodes && !s.nomem; i++) {
		struct gomp_task task = ret->nodes[i].task;

		walk_queue(&s, task.children, GOMP_QUEUE_CHILDREN);
		walk_taskgroup(&s, task.taskgroup);
		walk_dependers(&s, &task);
	}
	for (uint32_t i = 0; i < ret->nnodes && !s.nomem; i++) {
		const struct gomp_task task = ret->nodes[i].task;

		if (task.awaited && task.parent)
			add_awaited(&s, &task);
	}
	ret->incomplete |= !s.budget || ret->nnodes < team->nthreads;
	return s.nomem ? ompd_rc_nomem : ompd_rc_ok;
}

void gomp_graph_fini(struct gomp_graph *g)
{
	gomp_client_free(g->nodes);
	gomp_client_free(g->edges);
	gomp_client_free(g->slots);
	*g = (struct gomp_graph){ 0 };
}
