/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/gomp_extra.h"

#include "ompd/gomp/graph.h"
#include "ompd/gomp/queue.h"

ompd_rc_t gomp_extra_release(ompd_address_space_handle_t *space, struct gomp_release *ret)
{
	ompd_rc_t rc = gomp_space_check(space, GOMP_MAGIC_SPACE);

	if (rc == ompd_rc_ok)
		*ret = space->release;
	return rc;
}

ompd_rc_t gomp_extra_own(ompd_address_space_handle_t *space, struct gomp_own *ret)
{
	ompd_rc_t rc = gomp_space_check_known(space, GOMP_MAGIC_SPACE);

	if (rc == ompd_rc_ok)
		*ret = (struct gomp_own){
			.state = space->tpoff + GOMP_THREAD_TS,
			.number = GOMP_TS_TEAM_ID,
			.level = GOMP_TS_LEVEL,
			.team = GOMP_TS_TEAM,
			.team_size = GOMP_TEAM_NTHREADS,
		};
	return rc;
}

/* ---- Where a thread waits ---- */

struct place {
	uint64_t start; /* 0: there is none */
	uint32_t at;
	enum gomp_place place;
	uint64_t team;
};

static struct gomp_location locate(const ompd_address_space_handle_t *space,
				   const struct gomp_thread *t, const struct gomp_task *task,
				   uint64_t address)
{
	const struct gomp_layout *l = space->layout;
	const struct gomp_variable *variables = space->facts.variables;
	uint64_t team = t->level ? t->team : 0;
	uint64_t share = team ? t->work_share : 0, last = team ? t->last_work_share : 0;
	const struct place places[] = {
		{ t->pool, GOMP_POOL_DOCK + GOMP_BARRIER_GENERATION, GOMP_PLACE_DOCK, t->pool },
		{ variables[GOMP_STATIC_DEFAULT_LOCK].address, 0, GOMP_PLACE_DEFAULT_LOCK, 0 },
		{ variables[GOMP_STATIC_ATOMIC_LOCK].address, 0, GOMP_PLACE_ATOMIC_LOCK, 0 },
		{ team, GOMP_TEAM_BARRIER + GOMP_BARRIER_GENERATION, GOMP_PLACE_BARRIER, team },
		/* A thread's own turn, see is_member() in team.c. */
		{ t->team_id ? 0 : team, l->team.master_release, GOMP_PLACE_ORDERED, team },
		{ team && t->team_id ? t->address : 0, l->thread.release, GOMP_PLACE_ORDERED,
		  team },
		{ team, GOMP_TEAM_TASK_LOCK, GOMP_PLACE_TASK_LOCK, team },
		{ share, GOMP_WORK_SHARE_LOCK, GOMP_PLACE_WORK_SHARE, team },
		{ share, GOMP_WORK_SHARE_NEXT, GOMP_PLACE_WORK_SHARE, team },
		{ last, GOMP_WORK_SHARE_LOCK, GOMP_PLACE_WORK_SHARE, team },
		{ last, GOMP_WORK_SHARE_NEXT, GOMP_PLACE_WORK_SHARE, team },
		{ task->taskwait, l->taskwait_sem, GOMP_PLACE_TASKWAIT, team },
		{ task->taskgroup, l->taskgroup.sem, GOMP_PLACE_TASKGROUP, team },
		{ task->kind == GOMP_TASK_UNDEFERRED ? task->completion : 0, 0,
		  GOMP_PLACE_COMPLETION, team },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (address && places[i].start && address == places[i].start + places[i].at)
			return (struct gomp_location){ places[i].place, places[i].team, false };
	return (struct gomp_location){ .place = GOMP_PLACE_OTHER };
}

ompd_rc_t gomp_extra_locate(ompd_thread_handle_t *thread, uint64_t address,
			    struct gomp_location *ret)
{
	const ompd_address_space_handle_t *space;
	struct gomp_task task = { 0 };
	ompd_rc_t rc = gomp_space_check_known(thread, GOMP_MAGIC_THREAD);

	if (rc != ompd_rc_ok)
		return rc;
	space = thread->head.space;
	/* Where there is no task, all of it stays 0. */
	gomp_task_read(space, thread->thread.task, &task);
	*ret = locate(space, &thread->thread, &task, address);
	if (ret->place == GOMP_PLACE_TASKWAIT)
		ret->depend = gomp_task_read_waits(space, &task).in_depend_wait;
	return ompd_rc_ok;
}

/* ---- Threads and regions ---- */

ompd_rc_t gomp_extra_thread(ompd_thread_handle_t *thread, struct gomp_thread_facts *ret)
{
	const struct gomp_thread *t;
	const struct gomp_team *team;
	ompd_rc_t rc = gomp_space_check_known(thread, GOMP_MAGIC_THREAD);

	if (rc != ompd_rc_ok)
		return rc;
	t = &thread->thread;
	team = gomp_team_of_handle(thread);
	*ret = (struct gomp_thread_facts){
		.gomp_thread = t->address,
		.pool = t->pool,
		.function = t->fn,
		.data = t->data,
		.idle = gomp_team_is_idle(thread),
	};
	/* What an idle thread keeps is of a team that has ended. */
	if (!team && t->level)
		return ompd_rc_ok;
	ret->team = team ? team->address : 0;
	ret->task = t->task;
	ret->number = t->team_id;
	ret->level = t->level;
	ret->active_level = t->active_level;
	ret->work_share = t->work_share;
	return ompd_rc_ok;
}

/*
 * Threads count down "awaited" at a barrier, and "awaited_final" at a region's end; who comes last
 * puts both back, and then runs the tasks that are left with the others.
 */
static uint32_t count_arrived(const struct gomp_team *t, uint32_t awaited)
{
	if (t->generation & GOMP_BARRIER_WAITING_FOR_TASK)
		return t->total;
	return awaited <= t->total ? t->total - awaited : 0;
}

ompd_rc_t gomp_extra_barrier(ompd_parallel_handle_t *parallel, struct gomp_barrier *ret)
{
	const struct gomp_team *t;
	ompd_rc_t rc = gomp_space_check_known(parallel, GOMP_MAGIC_PARALLEL);

	if (rc != ompd_rc_ok)
		return rc;
	t = &parallel->team;
	*ret = (struct gomp_barrier){
		.address = t->address,
		.total = t->total,
		.arrived = count_arrived(t, t->awaited),
		.arrived_final = count_arrived(t, t->awaited_final),
		.generation = t->generation >> 3,
		.final = t->awaited_final < t->total,
		.tasks_pending = t->generation & GOMP_BARRIER_TASK_PENDING,
		.waiting_for_tasks = t->generation & GOMP_BARRIER_WAITING_FOR_TASK,
		.cancelled = t->generation & GOMP_BARRIER_CANCELLED || t->cancelled,
		.task_count = t->task_count,
		.queued = t->queued,
		.running = t->running,
	};
	return ompd_rc_ok;
}

static uint64_t address_of(const void *handle, uint32_t magic)
{
	const struct gomp_handle *head = handle;

	return gomp_space_check(head, magic) == ompd_rc_ok ? head->address : 0;
}

uint64_t gomp_extra_parallel_address(const ompd_parallel_handle_t *parallel)
{
	return address_of(parallel, GOMP_MAGIC_PARALLEL);
}

/* ---- Tasks ---- */

uint64_t gomp_extra_task_address(const ompd_task_handle_t *task)
{
	return address_of(task, GOMP_MAGIC_TASK);
}

static void tell_task(const ompd_address_space_handle_t *space, const struct gomp_task *task,
		      struct gomp_task_facts *ret)
{
	struct gomp_task_waits waits;

	*ret = (struct gomp_task_facts){
		.address = task->address,
		.kind = task->kind,
		.parent = task->parent,
		.function = task->fn,
		.data = task->fn_data,
		.priority = task->priority,
		/* Only of a task that waits for its start the count means anything. */
		.unmet = task->kind == GOMP_TASK_WAITING ? task->unmet : 0,
		.taskgroup = task->taskgroup,
	};
	/* Those that have not begun wait for nothing of their own. */
	if (task->kind == GOMP_TASK_WAITING || task->kind == GOMP_TASK_DETACHED)
		return;
	waits = gomp_task_read_waits(space, task);
	ret->in_taskwait = waits.in_taskwait;
	ret->in_depend_wait = waits.in_depend_wait;
	ret->in_taskgroup_wait = waits.in_taskgroup;
	ret->taskgroup_children = waits.taskgroup_children < UINT32_MAX
					  ? (uint32_t)waits.taskgroup_children
					  : UINT32_MAX;
}

ompd_rc_t gomp_extra_task(ompd_task_handle_t *task, struct gomp_task_facts *ret)
{
	ompd_rc_t rc = gomp_space_check_known(task, GOMP_MAGIC_TASK);

	if (rc == ompd_rc_ok)
		tell_task(task->head.space, &task->task, ret);
	return rc;
}

static void tell_dependences(const struct gomp_graph *g, int32_t edge, struct gomp_task_facts *ret)
{
	/* depend(out: omp_all_memory) may be the only dependence, and is not in the list of the
	 * task. */
	if (edge != GOMP_GRAPH_NONE && !ret->unmet)
		ret->unmet = 1;
	for (; edge != GOMP_GRAPH_NONE && ret->nwaits_for < GOMP_TASK_DEPENDS_MAX;
	     edge = g->edges[edge].next)
		ret->waits_for[ret->nwaits_for++] = g->edges[edge].on;
}

ompd_rc_t gomp_extra_tasks(ompd_parallel_handle_t *parallel, uint32_t most,
			   bool (*found)(void *context, const struct gomp_task_facts *task),
			   void *context)
{
	struct gomp_task_facts facts;
	struct gomp_graph graph;
	ompd_rc_t rc = gomp_space_check_known(parallel, GOMP_MAGIC_PARALLEL);

	if (rc != ompd_rc_ok)
		return rc;
	rc = gomp_graph_collect(parallel, most, &graph);
	for (uint32_t i = 0; rc == ompd_rc_ok && i < graph.nnodes; i++) {
		tell_task(parallel->head.space, &graph.nodes[i].task, &facts);
		tell_dependences(&graph, graph.nodes[i].first_edge, &facts);
		if (!found(context, &facts))
			break;
	}
	if (rc == ompd_rc_ok && graph.incomplete)
		rc = ompd_rc_incomplete;
	gomp_graph_fini(&graph);
	return rc;
}

ompd_rc_t gomp_extra_depends(ompd_parallel_handle_t *parallel, uint64_t task,
			     struct gomp_depend *ret, uint32_t most, uint32_t *ret_n)
{
	/* gomp_task_depend_entry: address, next, prev, task, kind, redundant, redundant_out */
	enum { ENTRY = 40, KIND = 32, REDUNDANT = 33, REDUNDANT_OUT = 34 };
	ompd_rc_t rc = gomp_space_check_known(parallel, GOMP_MAGIC_PARALLEL);
	uint8_t b[ENTRY];
	uint64_t n;

	if (rc != ompd_rc_ok)
		return rc;
	const ompd_address_space_handle_t *space = parallel->head.space;
	const struct gomp_layout *l = space->layout;
	rc = gomp_space_read_word(space, task + l->task.depend_count, &n);
	for (uint64_t i = 0; rc == ompd_rc_ok && i < n && *ret_n < most; i++) {
		rc = gomp_space_read(space, task + l->task.size + ENTRY * i, b, sizeof(b));
		if (rc == ompd_rc_ok && !b[REDUNDANT])
			ret[(*ret_n)++] =
				(struct gomp_depend){ gomp_u64(b), b[KIND], b[REDUNDANT_OUT] == 1 };
	}
	return rc == ompd_rc_ok && *ret_n == most ? ompd_rc_incomplete : rc;
}

/*
 * With priorities, a thread that waits for its children or its taskgroup may take a task from the
 * team that is neither (priority_queue_next_task()).
 */
static bool may_take_others(const ompd_address_space_handle_t *space, const uint8_t *queue,
			    const struct gomp_team *team)
{
	return gomp_queue_has_priorities(space, queue) ||
	       gomp_queue_has_priorities(space, team->queue);
}

static uint64_t find_group_owner(const ompd_address_space_handle_t *space,
				 const struct gomp_task *task, const struct gomp_team *team)
{
	struct gomp_taskgroup group;
	uint64_t owner;

	if (gomp_task_read_taskgroup(space, task->taskgroup, &group) != ompd_rc_ok ||
	    may_take_others(space, group.queue, team))
		return 0;
	owner = gomp_task_group_owner(space, task);
	return owner == task->address ? 0 : owner;
}

static uint64_t find_waiting_parent(const ompd_address_space_handle_t *space,
				    const struct gomp_task *task, const struct gomp_team *team)
{
	struct gomp_task parent;

	if (gomp_task_read(space, task->parent, &parent) != ompd_rc_ok ||
	    may_take_others(space, parent.children, team))
		return 0;
	return parent.address;
}

uint64_t gomp_extra_suspended(ompd_thread_handle_t *thread, uint64_t task_address,
			      enum gomp_scheduling_point point)
{
	const ompd_address_space_handle_t *space;
	const struct gomp_team *team;
	struct gomp_task task;

	if (gomp_space_check_known(thread, GOMP_MAGIC_THREAD) != ompd_rc_ok)
		return 0;
	space = thread->head.space;
	if (gomp_task_read(space, task_address, &task) != ompd_rc_ok ||
	    task.kind == GOMP_TASK_IMPLICIT)
		return 0;
	if (point == GOMP_POINT_UNDEFERRED)
		return task.parent;
	team = gomp_team_of_handle(thread);
	if (!team)
		return 0;
	switch (point) {
	case GOMP_POINT_UNDEFERRED:
		break;
	case GOMP_POINT_TASKWAIT:
		return find_waiting_parent(space, &task, team);
	case GOMP_POINT_TASKGROUP:
		return find_group_owner(space, &task, team);
	case GOMP_POINT_BARRIER:
		return gomp_team_implicit_task(space, team->address, thread->thread.team_id);
	}
	return 0;
}

/* ---- Ordered loops and locks ---- */

/*
 * ordered.c of libgomp: the owner while a thread has its turn, -1 between two turns. Then it is the
 * one in the ring of waiting threads, which has one entry for static schedules.
 */
static bool read_turn(const ompd_address_space_handle_t *space, const uint8_t *ws,
		      uint32_t nthreads, uint32_t *ret)
{
	uint32_t owner = gomp_u32(ws + GOMP_WORK_SHARE_ORDERED_OWNER);
	uint32_t used = gomp_u32(ws + GOMP_WORK_SHARE_ORDERED_USED);
	uint32_t cur = gomp_u32(ws + GOMP_WORK_SHARE_ORDERED_CUR);
	uint64_t ids = gomp_u64(ws + GOMP_WORK_SHARE_ORDERED_IDS);
	uint8_t id[4];

	if (owner < nthreads) {
		*ret = owner;
		return true;
	}
	if (owner != UINT32_MAX || used > nthreads || cur >= nthreads || !ids ||
	    gomp_space_read(space, ids + 4ULL * (used ? cur : 0), id, sizeof(id)) != ompd_rc_ok ||
	    gomp_u32(id) >= nthreads)
		return false;
	*ret = gomp_u32(id);
	return true;
}

bool gomp_extra_ordered_turn(ompd_thread_handle_t *thread, uint32_t *ret_number)
{
	const ompd_address_space_handle_t *space;
	uint8_t ws[GOMP_WORK_SHARE_READ];
	const struct gomp_team *team;

	if (gomp_space_check_known(thread, GOMP_MAGIC_THREAD) != ompd_rc_ok)
		return false;
	space = thread->head.space;
	team = gomp_team_of_handle(thread);
	if (!team || !thread->thread.work_share ||
	    gomp_space_read(space, thread->thread.work_share, ws, sizeof(ws)) != ompd_rc_ok)
		return false;
	return read_turn(space, ws, team->nthreads, ret_number);
}

/* Where a thread's work share is, and the one before, if it has not been left. */
static ompd_rc_t find_work_share(ompd_thread_handle_t *thread, const ompd_parallel_handle_t *inner,
				 uint64_t *ret_share, uint64_t *ret_last)
{
	uint64_t prev = inner ? inner->team.address + GOMP_TEAM_PREV_TS : 0;
	ompd_rc_t rc;

	if (!inner) {
		*ret_share = thread->thread.work_share;
		*ret_last = thread->thread.last_work_share;
		return thread->thread.level && !gomp_team_of_handle(thread) ? ompd_rc_unavailable
									    : ompd_rc_ok;
	}
	rc = gomp_space_read_word(thread->head.space, prev + GOMP_TS_WORK_SHARE, ret_share);
	return rc != ompd_rc_ok ? rc
				: gomp_space_read_word(thread->head.space,
						       prev + GOMP_TS_LAST_WORK_SHARE, ret_last);
}

ompd_rc_t gomp_extra_work_share(ompd_thread_handle_t *thread, const ompd_parallel_handle_t *inner,
				struct gomp_work_share *ret)
{
	uint64_t share, last;
	uint8_t b[GOMP_WORK_SHARE_ALL];
	uint32_t schedule;
	ompd_rc_t rc = gomp_space_check_known(thread, GOMP_MAGIC_THREAD);

	if (rc == ompd_rc_ok && inner)
		rc = gomp_space_check_known(inner, GOMP_MAGIC_PARALLEL);
	if (rc == ompd_rc_ok)
		rc = find_work_share(thread, inner, &share, &last);
	if (rc == ompd_rc_ok && !share)
		rc = ompd_rc_unavailable;
	if (rc == ompd_rc_ok)
		rc = gomp_space_read(thread->head.space, share, b, sizeof(b));
	if (rc != ompd_rc_ok)
		return rc;
	schedule = gomp_u32(b + GOMP_WORK_SHARE_SCHED);
	if ((schedule & ~GOMP_SCHED_MONOTONIC) > GOMP_SCHED_AUTO)
		return ompd_rc_unavailable;
	*ret = (struct gomp_work_share){
		.address = share,
		.schedule = schedule & ~GOMP_SCHED_MONOTONIC,
		.monotonic = schedule & GOMP_SCHED_MONOTONIC,
		.chunk = gomp_u64(b + GOMP_WORK_SHARE_CHUNK),
		.end = gomp_u64(b + GOMP_WORK_SHARE_END),
		.increment = gomp_u64(b + GOMP_WORK_SHARE_INCR),
		.next = gomp_u64(b + GOMP_WORK_SHARE_NEXT_CHUNK),
		.entered = last,
	};
	return ompd_rc_ok;
}

ompd_rc_t gomp_extra_nest_lock(ompd_address_space_handle_t *space, uint64_t lock,
			       uint64_t *ret_task, uint32_t *ret_count)
{
	uint8_t b[GOMP_NEST_SIZE];
	struct gomp_task task;
	uint64_t owner;
	ompd_rc_t rc = gomp_space_check_known(space, GOMP_MAGIC_SPACE);

	if (rc == ompd_rc_ok)
		rc = gomp_space_read(space, lock, b, sizeof(b));
	if (rc != ompd_rc_ok)
		return rc;
	/* The owner is the address of a task's ICVs. */
	owner = gomp_u64(b + GOMP_NEST_OWNER) - space->layout->task.icv;
	if (!gomp_u32(b + GOMP_NEST_LOCK) || !gomp_u32(b + GOMP_NEST_COUNT) ||
	    gomp_task_read(space, owner, &task) != ompd_rc_ok)
		return ompd_rc_unavailable;
	*ret_task = owner;
	*ret_count = gomp_u32(b + GOMP_NEST_COUNT);
	return ompd_rc_ok;
}
