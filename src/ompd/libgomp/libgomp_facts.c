/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp_facts.h"

#include <string.h>

#include "ompd/picture/by_address.h"

/* ---- threads and regions ---------------------------------------------------------------- */

bool libgomp_facts_is_known(void *thread)
{
	struct gomp_thread_facts facts;

	return gomp_extra_thread(thread, &facts) == ompd_rc_ok &&
	       (facts.team || facts.task || facts.pool);
}

void libgomp_facts_read_region(void *handle, struct picture_region *ret)
{
	struct gomp_barrier barrier;

	ret->handle = gomp_extra_parallel_address(handle);
	if (gomp_extra_barrier(handle, &barrier) == ompd_rc_ok)
		ret->generation = barrier.generation;
}

static bool locate(const struct walk *w, int thread, struct gomp_location *ret)
{
	taddr address = w->parked[thread].address;

	return w->handles[thread] && address &&
	       gomp_extra_locate(w->handles[thread], address, ret) == ompd_rc_ok;
}

/* Of the word for which threads sleep at a barrier (config/linux/bar.h: BAR_INCR is 8): its team
 * counts those that it has passed above them. */
enum { BARRIER_FLAGS = 7 };

/* The barrier in which it slept, or still does, is over. */
static bool is_passed(const struct walk *w, int thread)
{
	const struct parked *parked = &w->parked[thread];

	return blocked_changes(w->target, &parked->blocked) > BARRIER_FLAGS ||
	       blocked_changes(w->target, &parked->left) > BARRIER_FLAGS;
}

/* It waits at a barrier that is over, or has tasks by now, which it has not seen yet. */
static bool is_let_go(const struct walk *w, int thread)
{
	return w->parked[thread].let_go || is_passed(w, thread);
}

/* Workers are let out of the dock when they belong to a team already. */
bool libgomp_facts_is_idle(struct walk *w, int thread)
{
	struct gomp_location at;

	return locate(w, thread, &at) && at.place == GOMP_PLACE_DOCK && !is_let_go(w, thread);
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
	ret->arguments = rows[facts->kind].has_function ? facts->data : 0;
	ret->handle = facts->address;
	ret->waits = facts->in_taskwait || facts->in_taskgroup_wait;
	ret->source = SOURCE_MEMORY;
}

void libgomp_facts_read_task(void *handle, struct picture_task *ret)
{
	struct gomp_task_facts facts;

	if (gomp_extra_task(handle, &facts) == ompd_rc_ok)
		take_facts(&facts, ret);
}

/* Tasks by address, and what is only known by address until all are found. */
struct adding {
	struct walk *w;
	int region;
	struct by_address tasks;
	VEC(struct gomp_task_facts) facts;
};

static bool add(void *context, const struct gomp_task_facts *facts)
{
	struct adding *a = context;
	struct walk *w = a->w;
	struct picture_task task = {
		.region = a->region, .creator = -1, .thread = -1, .unfinished = -1
	};
	struct picture_task *known =
		picture_task(w->picture, by_address_find(&a->tasks, facts->address));

	w->failed |= !vec_push(&a->facts, *facts);
	if (known && known->region < 0)
		known->region = a->region;
	if (known)
		return !w->failed;
	take_facts(facts, &task);
	w->failed |= !vec_push(&w->picture->tasks, task) ||
		     !by_address_add(&a->tasks, facts->address, (int)w->picture->tasks.len - 1);
	return !w->failed;
}

/* Addresses to indices: creators, and what tasks wait for. */
static void connect(struct adding *a)
{
	vec_for_each (facts, &a->facts) {
		struct picture_task *task =
			picture_task(a->w->picture, by_address_find(&a->tasks, facts->address));
		if (task->creator < 0 && facts->parent != facts->address)
			task->creator = by_address_find(&a->tasks, facts->parent);
		if (task->waits_for.len)
			continue;
		for (uint32_t i = facts->nwaits_for; i-- > 0;) {
			int other = by_address_find(&a->tasks, facts->waits_for[i]);
			if (other >= 0)
				a->w->failed |= !vec_push(&task->waits_for, other);
		}
	}
}

void libgomp_facts_add_tasks(struct walk *w, int runtime)
{
	enum { TASKS_MAX = 1 << 16 };
	struct adding a = { .w = w };
	struct picture *p = w->picture;

	for (int i = 0; i < (int)p->tasks.len; i++) {
		taddr handle = picture_task(p, i)->handle;
		w->failed |= handle && !by_address_add(&a.tasks, handle, i);
	}
	for (a.region = 0; !w->failed && a.region < (int)p->regions.len; a.region++) {
		if (picture_region(p, a.region)->runtime == runtime)
			gomp_extra_tasks(w->region_handles.items[a.region], TASKS_MAX, add, &a);
	}
	if (!w->failed)
		connect(&a);
	by_address_fini(&a.tasks);
	vec_fini(&a.facts);
	p->runtimes.items[runtime].lists_tasks = true;
}

/* ---- dependences -------------------------------------------------------------------------- */

/* How libgomp has the kind; what is neither is of the kind "out". */
static uint8_t kind_of(const struct dependence *d)
{
	if (!d->kind)
		return GOMP_DEPEND_OUT;
	return !strcmp(d->kind, "in")         ? GOMP_DEPEND_IN
	       : !strcmp(d->kind, "inoutset") ? GOMP_DEPEND_INOUTSET
					      : GOMP_DEPEND_OUT;
}

/* What gomp_task_handle_depend() would find. Object 0 is omp_all_memory. */
static bool must_wait(const struct dependence *d, const struct gomp_depend *earlier)
{
	const uint8_t kind = kind_of(d);

	return !earlier->superseded &&
	       (d->object == earlier->object || !d->object || !earlier->object) &&
	       (!kind || kind != earlier->kind);
}

bool libgomp_facts_add_predecessors(struct walk *w, int task, const struct dependence *all,
				    size_t len)
{
	enum { MOST = 64 };
	struct gomp_depend depends[MOST];
	bool whole = true;

	for (int i = 0; i < (int)w->picture->tasks.len; i++) {
		const struct picture_task *t = picture_task(w->picture, i);
		uint32_t n = 0;
		if (t->creator != task || t->kind == TASK_IMPLICIT || !t->handle || t->region < 0)
			continue;
		whole &= gomp_extra_depends(w->region_handles.items[t->region], t->handle, depends,
					    MOST, &n) == ompd_rc_ok;
		for (size_t k = 0; k < n * len; k++) {
			if (must_wait(&all[k % len], &depends[k / len]))
				walk_add_predecessor(w, i);
		}
	}
	return whole;
}

static int find_task(const struct walk *w, taddr address)
{
	for (size_t i = 0; address && i < w->picture->tasks.len; i++) {
		if (w->picture->tasks.items[i].handle == address)
			return (int)i;
	}
	return -1;
}

int libgomp_facts_suspended(struct walk *w, int thread, int task, const struct span *span)
{
	static const enum gomp_scheduling_point points[] = {
		[POINT_BARRIER] = GOMP_POINT_BARRIER,
		[POINT_TASKWAIT] = GOMP_POINT_TASKWAIT,
		[POINT_TASKGROUP] = GOMP_POINT_TASKGROUP,
		[POINT_CREATION] = GOMP_POINT_UNDEFERRED,
	};

	if (!walk_session(w, thread, span) || !w->handles[thread])
		return -1;
	taddr address = picture_task(w->picture, task)->handle;
	return find_task(
		w, gomp_extra_suspended(w->handles[thread], address,
					points[span->entry ? span->entry->point : POINT_BARRIER]));
}

/* ---- waits ------------------------------------------------------------------------------ */

static void use_location(struct walk *w, int thread, const struct span *span,
			 const struct gomp_location *at)
{
	static const enum wait_kind kinds[] = {
		[GOMP_PLACE_OTHER] = WAIT_NONE,
		[GOMP_PLACE_DOCK] = WAIT_IDLE,
		[GOMP_PLACE_BARRIER] = WAIT_NONE,
		[GOMP_PLACE_TASKWAIT] = WAIT_TASKWAIT,
		[GOMP_PLACE_TASKGROUP] = WAIT_TASKGROUP,
		[GOMP_PLACE_ORDERED] = WAIT_ORDERED,
		[GOMP_PLACE_TASK_LOCK] = WAIT_RUNTIME,
		[GOMP_PLACE_WORK_SHARE] = WAIT_RUNTIME,
		[GOMP_PLACE_DEFAULT_LOCK] = WAIT_CRITICAL,
		[GOMP_PLACE_ATOMIC_LOCK] = WAIT_ATOMIC,
		[GOMP_PLACE_COMPLETION] = WAIT_TASK_EVENT,
	};
	struct picture_thread *th = picture_thread(w->picture, thread);
	struct picture_wait *wait = &th->wait;

	wait->source = SOURCE_MEMORY;
	wait->object = at->place == GOMP_PLACE_BARRIER ? at->team : w->parked[thread].address;
	if (at->place == GOMP_PLACE_DOCK && th->role != ROLE_IDLE)
		wait->kind = WAIT_TEAM_START; /* they are to come back from the last region */
	else if (at->place != GOMP_PLACE_BARRIER)
		wait->kind = at->depend ? WAIT_DEPENDENCE : kinds[at->place];
	else if (span->root)
		wait->kind = WAIT_REGION_END;
	else if (!span->api || wait->kind == WAIT_RUNTIME)
		wait->kind = WAIT_BARRIER;
}

static bool read_barrier(const struct walk *w, int region, struct gomp_barrier *ret)
{
	ompd_parallel_handle_t *handle = region >= 0 ? w->region_handles.items[region] : NULL;

	return handle && gomp_extra_barrier(handle, ret) == ompd_rc_ok;
}

static void note_arrivals(const struct gomp_barrier *team, struct picture_wait *wait)
{
	wait->arrived = wait->kind == WAIT_REGION_END ? team->arrived_final : team->arrived;
	wait->total = team->total;
	wait->counted = true;
}

/*
 * Others have come to the team's barrier of the other kind, and nobody is counted at the one where
 * the thread seems to be, neither in the kernel nor in a loop: it is on the way from there.
 */
static bool is_on_its_way(const struct walk *w, int thread, const struct gomp_barrier *team)
{
	const enum wait_kind kind = picture_thread(w->picture, thread)->wait.kind;
	const struct parked *parked = &w->parked[thread];
	const bool at_end = kind == WAIT_REGION_END;

	return wait_kind_traits(kind)->is_barrier && !parked->blocked.in_call && !parked->address &&
	       !(at_end ? team->arrived_final : team->arrived) &&
	       (at_end ? team->arrived : team->arrived_final);
}

/* The last one to come to a barrier wakes all others, and passes it. */
static bool wakes_team(const struct walk *w, int thread)
{
	const struct parked *parked = &w->parked[thread];
	struct gomp_location at;
	taddr address;

	return w->handles[thread] &&
	       (blocked_wakes_all(&parked->blocked, &address) ||
		blocked_wakes_all(&parked->left, &address)) &&
	       gomp_extra_locate(w->handles[thread], address, &at) == ompd_rc_ok &&
	       at.place == GOMP_PLACE_BARRIER;
}

void libgomp_facts_refine_wait(struct walk *w, int thread, const struct span *span)
{
	struct picture_thread *th = picture_thread(w->picture, thread);
	struct picture_wait *wait = &th->wait;
	const struct parked *parked = &w->parked[thread];
	struct gomp_barrier barrier;
	struct gomp_location at;

	wait->object = parked->address;
	wait->sleeps = wait->kind != WAIT_DOACROSS; /* whose loop polls for ever */
	const bool known = read_barrier(w, th->region, &barrier);
	const bool wakes = wakes_team(w, thread);
	wait->over = parked->let_go || wakes || (known && is_on_its_way(w, thread, &barrier));
	wait->no_tasks = wakes || (wait->over && known && !barrier.waiting_for_tasks);
	const bool located = walk_session(w, thread, span) && locate(w, thread, &at);
	/* It makes a task, which may have none. */
	if (wait->kind == WAIT_DEPENDENCE &&
	    (!parked->address || (located && at.place == GOMP_PLACE_OTHER)))
		wait->kind = WAIT_RUNTIME;
	if (!located)
		return;
	/* At the barrier of a team that it has left, until its workers leave it, too. */
	if (at.place == GOMP_PLACE_OTHER && wait->settled && wait->kind == WAIT_REGION_END)
		wait->kind = WAIT_RUNTIME;
	if (at.place == GOMP_PLACE_OTHER)
		return;
	use_location(w, thread, span, &at);
	if (known && wait->object && barrier.address == wait->object)
		note_arrivals(&barrier, wait);
	if (at.place == GOMP_PLACE_BARRIER && is_passed(w, thread))
		wait->over = wait->no_tasks = true;
}

/* ---- holders ---------------------------------------------------------------------------- */

static int nest_lock_holder(struct walk *w, const struct openmp *o, taddr lock)
{
	uint64_t task = 0;
	uint32_t count = 0;

	if (gomp_extra_nest_lock(o->space, lock, &task, &count) != ompd_rc_ok)
		return -1;
	int index = find_task(w, task);
	return index >= 0 ? picture_task(w->picture, index)->thread : -1;
}

static int ordered_turn(struct walk *w, int thread)
{
	const struct picture_region *r =
		picture_region(w->picture, picture_thread(w->picture, thread)->region);
	uint32_t number = 0;

	if (!r || !gomp_extra_ordered_turn(w->handles[thread], &number))
		return -1;
	return number < r->members.len ? r->members.items[number] : -1;
}

int libgomp_facts_holder(struct walk *w, int thread, const struct span *span)
{
	const struct picture_wait *wait = &picture_thread(w->picture, thread)->wait;
	const struct openmp *o = walk_session(w, thread, span);

	if (!o || !w->handles[thread])
		return -1;
	if (wait->kind == WAIT_NEST_LOCK && wait->object)
		return nest_lock_holder(w, o, wait->object);
	return wait->kind == WAIT_ORDERED ? ordered_turn(w, thread) : -1;
}
