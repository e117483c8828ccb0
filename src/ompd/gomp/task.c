/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/task.h"

/* A chain of parents: as deep as tasks are nested. */
enum { MAX_ANCESTORS = 1 << 16 };

/* enum gomp_task_kind of libgomp.h */
static const enum gomp_task_kind kinds[] = {
	GOMP_TASK_IMPLICIT, GOMP_TASK_UNDEFERRED, GOMP_TASK_WAITING,
	GOMP_TASK_RUNNING,  GOMP_TASK_ASYNC,      GOMP_TASK_DETACHED,
};

/* Implicit and undeferred tasks have no function stored; what stands there is not initialised. */
static bool has_function(enum gomp_task_kind kind)
{
	return kind != GOMP_TASK_IMPLICIT && kind != GOMP_TASK_UNDEFERRED;
}

static uint64_t completion_of(const struct gomp_layout *l, const uint8_t *b)
{
	return l->task.completion && !b[l->task.deferred] ? gomp_u64(b + l->task.completion) : 0;
}

/* gomp_task_handle_depend() sets the count of what it waits for; without a depend clause nobody
 * does. */
static uint64_t unmet_of(const struct gomp_layout *l, const uint8_t *b)
{
	return gomp_u64(b + l->task.depend_count) ? gomp_u64(b + l->task.num_dependees) : 0;
}

ompd_rc_t gomp_task_read(const ompd_address_space_handle_t *space, uint64_t address,
			 struct gomp_task *ret)
{
	const struct gomp_layout *l = space->layout;
	uint8_t b[GOMP_TASK_MAX];
	uint32_t kind;

	if (!address || address & 7 ||
	    gomp_space_read(space, address, b, l->task.size) != ompd_rc_ok)
		return ompd_rc_unavailable;
	kind = gomp_u32(b + l->task.kind);
	if (kind >= sizeof(kinds) / sizeof(kinds[0]) || b[l->task.final] > 1)
		return ompd_rc_unavailable;
	*ret = (struct gomp_task){
		.address = address,
		.kind = kinds[kind],
		.parent = gomp_u64(b + GOMP_TASK_PARENT),
		.taskgroup = gomp_u64(b + l->task.taskgroup),
		.dependers = gomp_u64(b + l->task.dependers),
		.taskwait = gomp_u64(b + l->task.taskwait),
		.unmet = unmet_of(l, b),
		.completion = completion_of(l, b),
		.final = b[l->task.final],
		/* final_task, copy_ctors_done, parent_depends_on: one byte each, in all releases */
		.awaited = b[l->task.final + 2] == 1,
	};
	if (has_function(ret->kind)) {
		ret->fn = gomp_u64(b + l->task.fn);
		ret->fn_data = gomp_u64(b + l->task.fn_data);
		ret->priority = l->task.priority ? (int32_t)gomp_u32(b + l->task.priority) : 0;
	}
	memcpy(ret->icv, b + l->task.icv, sizeof(ret->icv));
	memcpy(ret->children, b + GOMP_TASK_CHILDREN, sizeof(ret->children));
	return ompd_rc_ok;
}

ompd_rc_t gomp_task_read_taskgroup(const ompd_address_space_handle_t *space, uint64_t address,
				   struct gomp_taskgroup *ret)
{
	const struct gomp_layout *l = space->layout;
	uint8_t b[GOMP_TASKGROUP_MAX];
	ompd_rc_t rc;

	if (!address)
		return ompd_rc_unavailable;
	rc = gomp_space_read(space, address, b, l->taskgroup.num_children + 8U);
	if (rc != ompd_rc_ok)
		return rc;
	*ret = (struct gomp_taskgroup){
		.in_wait = b[l->taskgroup.in_wait] == 1,
		.num_children = gomp_u64(b + l->taskgroup.num_children),
	};
	memcpy(ret->queue, b + GOMP_TASKGROUP_QUEUE, sizeof(ret->queue));
	return ompd_rc_ok;
}

/* ICVs of an initial task without a record are gomp_global_icv. */
static ompd_rc_t read_initial(const ompd_address_space_handle_t *space, struct gomp_task *ret)
{
	uint64_t icv = space->facts.variables[GOMP_STATIC_ICV].address;
	struct gomp_task task = { .kind = GOMP_TASK_IMPLICIT };
	ompd_rc_t rc = icv ? gomp_space_read(space, icv, task.icv, sizeof(task.icv)) : ompd_rc_ok;

	if (rc == ompd_rc_ok)
		*ret = task;
	return rc;
}

ompd_rc_t gomp_task_of_handle(ompd_thread_handle_t *thread, struct gomp_task *ret)
{
	const ompd_address_space_handle_t *space = thread->head.space;
	const struct gomp_thread *t = &thread->thread;
	const struct gomp_team *team = gomp_team_of_handle(thread);
	ompd_rc_t rc;

	if (t->level && !team)
		return ompd_rc_unavailable;
	if (t->level && !t->task)
		return ompd_rc_error;
	rc = t->task ? gomp_task_read(space, t->task, ret) : read_initial(space, ret);
	if (rc == ompd_rc_ok)
		ret->team = team ? team->address : 0;
	return rc;
}

ompd_rc_t gomp_task_parent(const ompd_address_space_handle_t *space, const struct gomp_task *task,
			   struct gomp_task *ret)
{
	bool implicit = task->kind == GOMP_TASK_IMPLICIT;
	uint64_t team = task->team;
	struct gomp_team inner;
	ompd_rc_t rc;

	if (implicit) {
		if (gomp_team_read(space, team, &inner) != ompd_rc_ok)
			return ompd_rc_unavailable;
		team = inner.prev_team;
	}
	if (task->parent)
		rc = gomp_task_read(space, task->parent, ret);
	else if (!team && (implicit || task->kind == GOMP_TASK_UNDEFERRED))
		rc = read_initial(space, ret);
	else
		rc = ompd_rc_unavailable;
	if (rc == ompd_rc_ok)
		ret->team = team;
	return rc;
}

uint64_t gomp_task_group_owner(const ompd_address_space_handle_t *space,
			       const struct gomp_task *task)
{
	struct gomp_task at = *task, parent;

	/* GOMP_taskgroup_start() changes the taskgroup of a task, and new tasks inherit it. */
	for (int i = 0; task->taskgroup && i < MAX_ANCESTORS; i++) {
		if (at.kind == GOMP_TASK_IMPLICIT)
			return at.address;
		if (gomp_task_read(space, at.parent, &parent) != ompd_rc_ok)
			return 0;
		if (parent.taskgroup != task->taskgroup)
			return at.address;
		at = parent;
	}
	return 0;
}

static bool is_implicit(const ompd_address_space_handle_t *space, uint64_t address)
{
	struct gomp_task task;

	return gomp_task_read(space, address, &task) == ompd_rc_ok &&
	       task.kind == GOMP_TASK_IMPLICIT;
}

/*
 * Explicit tasks that wait execute their own children and what is in their own taskgroups, but for
 * tasks of a higher priority: any other task was begun by the implicit task of its thread.
 */
static bool is_begun_by_implicit(const ompd_address_space_handle_t *space,
				 const struct gomp_task *task)
{
	return task->kind == GOMP_TASK_RUNNING && !task->priority &&
	       is_implicit(space, task->parent) &&
	       (!task->taskgroup || is_implicit(space, gomp_task_group_owner(space, task)));
}

ompd_rc_t gomp_task_suspended_for(const ompd_task_handle_t *task, struct gomp_task *ret)
{
	const ompd_address_space_handle_t *space = task->head.space;
	struct gomp_thread thread;
	ompd_rc_t rc;

	if (task->task.kind == GOMP_TASK_IMPLICIT)
		return ompd_rc_unavailable;
	/* It runs inside the one that met it. */
	if (task->task.kind == GOMP_TASK_UNDEFERRED)
		return gomp_task_parent(space, &task->task, ret);
	if (!is_begun_by_implicit(space, &task->task) ||
	    gomp_thread_read(space, task->via, &thread) != ompd_rc_ok ||
	    thread.task != task->task.address || thread.team != task->task.team)
		return ompd_rc_unsupported;
	rc = gomp_task_read(space, gomp_team_implicit_task(space, thread.team, thread.team_id),
			    ret);
	if (rc == ompd_rc_ok)
		ret->team = thread.team;
	return rc;
}

struct gomp_task_waits gomp_task_read_waits(const ompd_address_space_handle_t *space,
					    const struct gomp_task *task)
{
	struct gomp_task_waits waits = { 0 };
	struct gomp_taskgroup group;
	uint8_t b[2];

	if (task->taskwait && gomp_space_read(space, task->taskwait, b, sizeof(b)) == ompd_rc_ok) {
		waits.in_taskwait = b[GOMP_TASKWAIT_IN_TASKWAIT] == 1;
		waits.in_depend_wait = b[GOMP_TASKWAIT_IN_DEPEND] == 1;
	}
	if (gomp_task_read_taskgroup(space, task->taskgroup, &group) == ompd_rc_ok &&
	    group.in_wait && gomp_task_group_owner(space, task) == task->address) {
		waits.in_taskgroup = true;
		waits.taskgroup_children = group.num_children;
	}
	return waits;
}

ompd_rc_t gomp_task_new_handle(ompd_address_space_handle_t *space, const struct gomp_task *task,
			       uint64_t via, ompd_task_handle_t **ret)
{
	ompd_task_handle_t *h =
		gomp_space_new_handle(space, GOMP_MAGIC_TASK, sizeof(*h), task->address);

	if (!h)
		return ompd_rc_nomem;
	h->task = *task;
	h->via = via;
	*ret = h;
	return ompd_rc_ok;
}
