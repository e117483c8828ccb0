/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/constructs.h"

enum {
	DEPTH_MAX = 1 << 10,   /* of nested regions, of tasks that create tasks        */
	REGIONS_MAX = 1 << 16, /* in all; a target with wild memory must not take ours */
	TASKS_MAX = 1 << 18,
};

/* ---- regions ---------------------------------------------------------------------------- */

/* The user's function: LLVM's runtime has one of its own around those of code by GCC. */
static taddr user_function(const struct walk *w, taddr function)
{
	return function && runtime_code_at(&w->runtimes, function) == CODE_USER ? function : 0;
}

static taddr region_function(const struct walk *w, struct openmp *o, ompd_parallel_handle_t *region)
{
	ompd_task_handle_t *task = openmp_implicit_task(o, region, 0);

	return task ? user_function(w, openmp_task_function(o, task)) : 0;
}

/* false: it is none that a program has made: the implicit one around everything has level 0. */
static bool read_region(const struct walk *w, struct openmp *o, ompd_parallel_handle_t *handle,
			struct picture_region *ret)
{
	int64_t level = 0, size = 0;

	if (!openmp_icv(o, handle, ICV_LEVELS, &level) || level < 1 || level > DEPTH_MAX)
		return false;
	openmp_icv(o, handle, ICV_TEAM_SIZE, &size);
	*ret = (struct picture_region){
		.parent = -1,
		.level = (int)level,
		.size = size > 0 && size <= MEMBERS_MAX ? (long)size : 0,
		.active = size > 1,
		.source = SOURCE_OMPD,
		.primary = -1,
		.generation = -1,
		.function = region_function(w, o, handle),
	};
	if (o->ops->read_region)
		o->ops->read_region(handle, ret);
	return true;
}

/*
 * LLVM's hidden helpers (kmp_tasking.cpp) are a team of the runtime's own, for target tasks: of the
 * outermost level, of no function of the user's, and made by no thread of the user's.
 */
static bool is_made_by_runtime(const struct walk *w, const struct picture_thread *primary)
{
	const struct spans *s = &primary->spans;
	const struct span *outermost = s->list.len ? &s->list.items[s->list.len - 1] : NULL;

	return outermost && outermost->root &&
	       (outermost->call == SPAN_WAITS || outermost->call == SPAN_TASK) &&
	       primary->lwp != w->target->pid;
}

bool constructs_is_of_helpers(const struct walk *w, struct known *k, ompd_parallel_handle_t *region)
{
	int64_t level = 0;

	if (!k->openmp->ops->has_helpers || !region ||
	    known_find(k, HANDLE_PARALLEL, region) >= 0 ||
	    !openmp_icv(k->openmp, region, ICV_LEVELS, &level) || level != 1 ||
	    region_function(w, k->openmp, region))
		return false;
	const struct picture_thread *primary =
		picture_thread(w->picture, openmp_member(k->openmp, region, 0));
	return primary && is_made_by_runtime(w, primary);
}

int constructs_find_region(struct walk *w, struct known *k, ompd_parallel_handle_t *handle)
{
	VEC(ompd_parallel_handle_t *) chain = { 0 };
	int parent = -1;

	for (int i = 0; handle && i < DEPTH_MAX; i++) {
		parent = known_find(k, HANDLE_PARALLEL, handle);
		if (parent >= 0)
			break;
		w->failed |= !vec_push(&chain, handle);
		handle = w->failed ? NULL : openmp_enclosing(k->openmp, handle);
	}
	while (!w->failed && chain.len > 0 && w->picture->regions.len < REGIONS_MAX) {
		struct picture_region region;
		ompd_parallel_handle_t *next = chain.items[--chain.len];
		if (!read_region(w, k->openmp, next, &region))
			continue;
		region.parent = parent;
		region.runtime = (int)(k - w->known);
		parent = walk_add_region(w, &region, next, region.size, -1);
		w->failed |= parent < 0 || !known_add(k, HANDLE_PARALLEL, next, parent);
	}
	vec_fini(&chain);
	return parent;
}

/*
 * With state tracking (OMP_DEBUG=enabled) libompd says 1 of the size of teams within a league: a
 * thread that says of itself that it is number 1 knows better.
 */
static void grow_team(struct walk *w, struct picture_region *r, long number)
{
	while ((size_t)number >= r->members.len && (size_t)number < w->target->threads.len) {
		if (!vec_push(&r->members, -1))
			return;
		r->size = (long)r->members.len;
		r->active = r->size > 1;
	}
}

void constructs_enter(struct walk *w, int region, long number, int thread)
{
	struct picture_region *r = picture_region(w->picture, region);

	if (!r || number < 0)
		return;
	grow_team(w, r, number);
	if ((size_t)number < r->members.len && r->members.items[number] < 0)
		r->members.items[number] = thread;
}

/* Member n by the team; -1: not known. */
static int read_member(struct walk *w, int region, size_t n)
{
	struct openmp *o = w->known[picture_region(w->picture, region)->runtime].openmp;
	const int thread = openmp_member(o, w->region_handles.items[region], (int)n);
	const struct picture_thread *th = picture_thread(w->picture, thread);
	const bool has_begun = !th || th->region >= 0 || th->spans.list.len;

	return n && o->ops->stale_members && !has_begun ? -1 : thread;
}

/*
 * A member by the team. A thread that has just become the first of a new team may still say the
 * number of itself that it had in another one: the team knows better.
 */
static void fill_member(struct walk *w, int region, size_t n)
{
	struct picture_region *r = picture_region(w->picture, region);
	const int thread = read_member(w, region, n);

	r->members.items[n] = thread;
	for (size_t i = 0; thread >= 0 && i < r->members.len; i++) {
		if (i == n || r->members.items[i] != thread)
			continue;
		const int other = read_member(w, region, i);
		r->members.items[i] = other != thread ? other : -1;
		if (picture_thread(w->picture, thread)->region == region)
			picture_thread(w->picture, thread)->number = (long)n;
	}
}

void constructs_fill_members(struct walk *w)
{
	for (int i = 0; i < (int)w->picture->regions.len; i++) {
		struct picture_region *r = picture_region(w->picture, i);
		size_t wanted = w->only && r->members.len ? 1 : r->members.len;
		for (size_t n = 0; n < wanted; n++) {
			if (r->members.items[n] < 0)
				fill_member(w, i, n);
		}
		r->primary = r->members.len ? r->members.items[0] : -1;
	}
}

static bool is_in_region(const struct spans *spans)
{
	vec_for_each (s, &spans->list) {
		if (s->call == SPAN_PARALLEL)
			return true;
	}
	return false;
}

void constructs_place_members(struct walk *w)
{
	for (int i = 0; i < (int)w->picture->regions.len; i++) {
		const struct picture_region *r = picture_region(w->picture, i);
		for (size_t n = 0; n < r->members.len; n++) {
			struct picture_thread *th = picture_thread(w->picture, r->members.items[n]);
			const struct picture_region *before =
				th ? picture_region(w->picture, th->region) : NULL;
			bool placed = before && th->source != SOURCE_INFERRED;
			if (!th || placed || (before && before->level > r->level) ||
			    (th->runtime >= 0 && th->runtime != r->runtime) ||
			    th->role == ROLE_IDLE || !is_in_region(&th->spans))
				continue;
			th->runtime = r->runtime;
			th->region = i;
			th->number = (long)n;
			th->role = n ? ROLE_WORKER : ROLE_PRIMARY;
			th->source = SOURCE_INFERRED;
		}
	}
}

/* ---- tasks ------------------------------------------------------------------------------ */

static int add_task(struct walk *w, struct known *k, ompd_task_handle_t *handle,
		    struct picture_task *task)
{
	int64_t implicit = 1;

	openmp_icv(k->openmp, handle, ICV_IMPLICIT_TASK, &implicit);
	task->kind = implicit ? TASK_IMPLICIT : TASK_EXPLICIT;
	task->function = user_function(w, openmp_task_function(k->openmp, handle));
	task->source = SOURCE_OMPD;
	task->unfinished = -1;
	if (k->openmp->ops->read_task)
		k->openmp->ops->read_task(handle, task);
	int index = (int)w->picture->tasks.len;
	w->failed |=
		!vec_push(&w->picture->tasks, *task) || !known_add(k, HANDLE_TASK, handle, index);
	return w->failed ? -1 : index;
}

/* Adds a task and those that created it, as far as they are new. NULL: it is none. */
static struct picture_task *find_task(struct walk *w, struct known *k, ompd_task_handle_t *handle,
				      int region)
{
	VEC(ompd_task_handle_t *) chain = { 0 };
	int creator = -1;

	for (int i = 0; handle && i < DEPTH_MAX; i++) {
		creator = known_find(k, HANDLE_TASK, handle);
		if (creator >= 0)
			break;
		w->failed |= !vec_push(&chain, handle);
		handle = w->failed ? NULL : openmp_creator(k->openmp, handle);
	}
	while (!w->failed && chain.len > 0 && w->picture->tasks.len < TASKS_MAX) {
		struct picture_task task = {
			.state = TASK_SUSPENDED,
			.region = chain.len == 1 ? region : -1,
			.creator = creator,
			.thread = -1,
		};
		creator = add_task(w, k, chain.items[--chain.len], &task);
	}
	vec_fini(&chain);
	return picture_task(w->picture, creator);
}

void constructs_read_task(struct walk *w, struct known *k, int thread)
{
	struct picture_thread *th = picture_thread(w->picture, thread);
	struct picture_task *task =
		find_task(w, k, openmp_task(k->openmp, w->handles[thread]), th->region);

	if (!task)
		return;
	task->state = TASK_RUNNING;
	task->thread = thread;
	th->task = (int)(task - w->picture->tasks.items);
}

/* The implicit task of member n of a region, which that thread has left for another one. */
static void read_left_task(struct walk *w, int region, int n, int thread)
{
	struct known *k = &w->known[picture_region(w->picture, region)->runtime];
	struct picture_task *task = find_task(
		w, k, openmp_implicit_task(k->openmp, w->region_handles.items[region], n), region);

	if (!task)
		return;
	task->thread = thread;
	task->region = region;
}

static bool is_in_implicit_task(const struct picture *p, const struct picture_thread *th,
				int region)
{
	const struct picture_task *task = picture_task(p, th->task);

	return th->region == region && task && task->kind == TASK_IMPLICIT;
}

void constructs_read_left_tasks(struct walk *w)
{
	const struct picture *p = w->picture;

	for (int r = 0; r < (int)p->regions.len; r++) {
		const struct picture_region *region = picture_region(p, r);
		for (size_t n = 0; !w->failed && n < region->members.len; n++) {
			const struct picture_thread *th =
				picture_thread(p, region->members.items[n]);
			if (th && !is_in_implicit_task(p, th, r))
				read_left_task(w, r, (int)n, region->members.items[n]);
		}
	}
}
