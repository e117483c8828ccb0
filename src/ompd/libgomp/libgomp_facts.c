/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp_facts.h"

#include "base/text.h"
#include "ompd/by_address.h"

/* ---- threads and regions ---------------------------------------------------------------- */

bool libgomp_facts_is_known(ompd_thread_handle_t *thread)
{
	struct gomp_thread_facts facts;

	return gomp_extra_thread(thread, &facts) == ompd_rc_ok &&
	       (facts.team || facts.task || facts.pool);
}

bool libgomp_facts_is_idle(ompd_thread_handle_t *thread, const struct parked *parked)
{
	struct gomp_location at;

	return parked->address && gomp_extra_locate(thread, parked->address, &at) == ompd_rc_ok &&
	       at.place == GOMP_PLACE_DOCK;
}

taddr libgomp_facts_region_address(ompd_parallel_handle_t *region)
{
	return gomp_extra_parallel_address(region);
}

static bool is_gomp(const struct walk *w, int thread)
{
	const struct picture_thread *th = &w->picture->threads.items[thread];

	return th->runtime >= 0 && w->handles[thread] &&
	       w->known[th->runtime].openmp->runtime->kind == RUNTIME_GOMP;
}

bool libgomp_facts_locate(struct walk *w, int thread, struct gomp_location *ret)
{
	return is_gomp(w, thread) && w->parked[thread].address &&
	       gomp_extra_locate(w->handles[thread], w->parked[thread].address, ret) == ompd_rc_ok;
}

bool libgomp_facts_barrier(struct walk *w, int region, struct gomp_barrier *ret)
{
	if (region < 0)
		return false;
	const struct picture_region *r = &w->picture->regions.items[region];
	const struct openmp *o = w->known[r->runtime].openmp;
	ompd_parallel_handle_t *handle = w->region_handles.items[region];

	return o->runtime->kind == RUNTIME_GOMP && handle &&
	       gomp_extra_barrier(handle, ret) == ompd_rc_ok;
}

/* ---- tasks ------------------------------------------------------------------------------ */

/* Whether a thread executes it, or did before it began another, is for others to say. */
static void take_facts(const struct gomp_task_facts *facts, struct picture_task *ret)
{
	static const struct {
		enum task_kind kind;
		enum task_state state;
		bool has_function;
	} rows[] = {
		[GOMP_TASK_IMPLICIT] = { TASK_IMPLICIT, TASK_SUSPENDED, false },
		[GOMP_TASK_UNDEFERRED] = { TASK_UNDEFERRED, TASK_SUSPENDED, false },
		[GOMP_TASK_WAITING] = { TASK_EXPLICIT, TASK_QUEUED, true },
		[GOMP_TASK_RUNNING] = { TASK_EXPLICIT, TASK_SUSPENDED, true },
		[GOMP_TASK_ASYNC] = { TASK_EXPLICIT, TASK_RUNNING, true },
		[GOMP_TASK_DETACHED] = { TASK_EXPLICIT, TASK_DETACHED, true },
		[GOMP_TASK_UNKNOWN] = { TASK_EXPLICIT, TASK_STATE_UNKNOWN, false },
	};

	ret->kind = rows[facts->kind].kind;
	ret->state = rows[facts->kind].state;
	if (ret->state == TASK_QUEUED && facts->unmet)
		ret->state = TASK_BLOCKED;
	ret->function = rows[facts->kind].has_function ? facts->function : 0;
	ret->handle = facts->address;
	ret->waits = facts->in_taskwait || facts->in_taskgroup_wait;
	ret->source = SOURCE_MEMORY;
}

void libgomp_facts_read_task(ompd_task_handle_t *task, struct picture_task *ret)
{
	struct gomp_task_facts facts;

	if (gomp_extra_task(task, &facts) == ompd_rc_ok)
		take_facts(&facts, ret);
}

/* Tasks by address, and what is only known by address until all are found. */
struct adding {
	struct walk *w;
	int region;
	struct by_address tasks;
	VEC(struct gomp_task_facts) facts;
	bool failed;
};

static bool add(void *context, const struct gomp_task_facts *facts)
{
	struct adding *a = context;
	struct picture *p = a->w->picture;
	struct picture_task task = {
		.region = a->region, .creator = -1, .thread = -1, .unfinished = -1
	};
	int known = by_address_find(&a->tasks, facts->address);

	a->failed |= !vec_push(&a->facts, *facts);
	if (known >= 0) {
		if (p->tasks.items[known].region < 0)
			p->tasks.items[known].region = a->region;
		return !a->failed;
	}
	take_facts(facts, &task);
	a->failed |= !vec_push(&p->tasks, task) ||
		     !by_address_add(&a->tasks, facts->address, (int)p->tasks.len - 1);
	return !a->failed;
}

/* Addresses to indices: creators, and what tasks wait for. */
static void connect(struct adding *a)
{
	struct picture *p = a->w->picture;

	vec_for_each (facts, &a->facts) {
		int index = by_address_find(&a->tasks, facts->address);
		struct picture_task *task = &p->tasks.items[index];
		if (task->creator < 0 && facts->parent != facts->address)
			task->creator = by_address_find(&a->tasks, facts->parent);
		if (task->waits_for.len)
			continue;
		for (uint32_t i = 0; i < facts->nwaits_for && i < GOMP_TASK_DEPENDS_MAX; i++) {
			int other = by_address_find(&a->tasks, facts->waits_for[i]);
			if (other >= 0)
				a->failed |= !vec_push(&task->waits_for, other);
		}
	}
}

struct error *libgomp_facts_add_tasks(struct walk *w)
{
	enum { TASKS_MAX = 1 << 16 };
	struct adding a = { .w = w };
	struct picture *p = w->picture;

	for (size_t i = 0; i < p->tasks.len; i++) {
		if (p->tasks.items[i].handle)
			a.failed |= !by_address_add(&a.tasks, p->tasks.items[i].handle, (int)i);
	}
	for (size_t i = 0; !a.failed && i < p->regions.len; i++) {
		const struct openmp *o = w->known[p->regions.items[i].runtime].openmp;
		a.region = (int)i;
		if (o->runtime->kind == RUNTIME_GOMP)
			gomp_extra_tasks(w->region_handles.items[i], TASKS_MAX, add, &a);
	}
	if (!a.failed)
		connect(&a);
	by_address_fini(&a.tasks);
	vec_fini(&a.facts);
	return a.failed ? &error_nomem : NULL;
}

static int find_task(const struct walk *w, taddr address)
{
	for (size_t i = 0; address && i < w->picture->tasks.len; i++) {
		if (w->picture->tasks.items[i].handle == address)
			return (int)i;
	}
	return -1;
}

int libgomp_facts_suspended(struct walk *w, int thread, int task, const char *api)
{
	static const struct {
		const char *start;
		enum gomp_scheduling_point point;
	} points[] = {
		{ "GOMP_taskgroup", GOMP_POINT_TASKGROUP },
		{ "GOMP_taskwait", GOMP_POINT_TASKWAIT },
		{ "GOMP_taskloop", GOMP_POINT_UNDEFERRED },
		{ "GOMP_task", GOMP_POINT_UNDEFERRED },
	};
	enum gomp_scheduling_point point = GOMP_POINT_BARRIER;

	if (!is_gomp(w, thread))
		return -1;
	for (size_t i = sizeof(points) / sizeof(*points); api && i-- > 0;) {
		if (text_starts_with(api, points[i].start))
			point = points[i].point;
	}
	taddr address = w->picture->tasks.items[task].handle;
	return find_task(w, gomp_extra_suspended(w->handles[thread], address, point));
}

/* ---- holders ---------------------------------------------------------------------------- */

int libgomp_facts_nest_lock_holder(struct walk *w, int thread, taddr lock)
{
	uint64_t task = 0;
	uint32_t count = 0;

	if (!is_gomp(w, thread))
		return -1;
	ompd_address_space_handle_t *space =
		w->known[w->picture->threads.items[thread].runtime].openmp->space;
	if (gomp_extra_nest_lock(space, lock, &task, &count) != ompd_rc_ok)
		return -1;
	int index = find_task(w, task);
	return index >= 0 ? w->picture->tasks.items[index].thread : -1;
}

int libgomp_facts_ordered_turn(struct walk *w, int thread)
{
	int region = w->picture->threads.items[thread].region;
	uint32_t number = 0;

	if (!is_gomp(w, thread) || region < 0 ||
	    !gomp_extra_ordered_turn(w->handles[thread], &number))
		return -1;
	const struct picture_region *r = &w->picture->regions.items[region];
	return number < r->members.len ? r->members.items[number] : -1;
}
