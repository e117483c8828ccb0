/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/walk.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/borders.h"
#include "ompd/client/quiet.h"
#include "ompd/client/walk_state.h"
#include "ompd/footprint.h"
#include "ompd/holds.h"
#include "ompd/icv.h"
#include "ompd/infer.h"
#include "ompd/picture/order.h"
#include "ompd/picture/parked.h"
#include "ompd/runtimes.h"
#include "ompd/wait.h"

enum {
	DEPTH_MAX = 1 << 10,   /* of nested regions, of tasks that create tasks        */
	MEMBERS_MAX = 1 << 16, /* threads of one team                                   */
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
	if (o->runtime->ops->read_region)
		o->runtime->ops->read_region(handle, ret);
	return true;
}

static struct error *add_region(struct walk *w, struct known *k, ompd_parallel_handle_t *handle,
				struct picture_region *region, int *ret)
{
	struct picture *p = w->picture;

	for (long i = 0; i < region->size; i++) {
		if (!vec_push(&region->members, -1)) {
			vec_fini(&region->members);
			return &error_nomem;
		}
	}
	if (!vec_push(&p->regions, *region)) {
		vec_fini(&region->members);
		return &error_nomem;
	}
	*ret = (int)p->regions.len - 1;
	if (!vec_push(&w->region_handles, handle) || !known_add_region(k, handle, *ret))
		return &error_nomem;
	return NULL;
}

/* Adds a region and those around it, as far as they are new. *ret: its index, -1: it is none. */
static struct error *find_region(struct walk *w, struct known *k, ompd_parallel_handle_t *handle,
				 int *ret)
{
	VEC(ompd_parallel_handle_t *) chain = { 0 };
	struct error *err = NULL;
	int parent = -1;

	for (int i = 0; handle && i < DEPTH_MAX; i++) {
		parent = known_region(k, handle);
		if (parent >= 0)
			break;
		if (!vec_push(&chain, handle))
			err = &error_nomem;
		handle = err ? NULL : openmp_enclosing(k->openmp, handle);
	}
	while (!err && chain.len > 0 && w->picture->regions.len < REGIONS_MAX) {
		struct picture_region region;
		ompd_parallel_handle_t *next = chain.items[--chain.len];
		if (!read_region(w, k->openmp, next, &region))
			continue;
		region.parent = parent;
		region.runtime = (int)(k - w->known);
		err = add_region(w, k, next, &region, &parent);
	}
	vec_fini(&chain);
	*ret = parent;
	return err;
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

static void enter_member(struct walk *w, int region, long number, int thread)
{
	struct picture_region *r = region >= 0 ? &w->picture->regions.items[region] : NULL;

	if (r && number >= 0)
		grow_team(w, r, number);
	if (r && number >= 0 && (size_t)number < r->members.len && r->members.items[number] < 0)
		r->members.items[number] = thread;
}

/* The members that do not say so themselves: they are primary threads of regions further in. */
static void fill_members(struct walk *w)
{
	for (size_t i = 0; i < w->picture->regions.len; i++) {
		struct picture_region *r = &w->picture->regions.items[i];
		struct openmp *o = w->known[r->runtime].openmp;
		for (size_t n = 0; n < r->members.len; n++) {
			if (r->members.items[n] < 0)
				r->members.items[n] =
					openmp_member(o, w->region_handles.items[i], (int)n);
		}
		r->primary = r->members.len ? r->members.items[0] : -1;
	}
}

/* ---- tasks ------------------------------------------------------------------------------ */

static struct error *add_task(struct walk *w, struct known *k, ompd_task_handle_t *handle,
			      struct picture_task *task, int *ret)
{
	int64_t implicit = 1;

	openmp_icv(k->openmp, handle, ICV_IMPLICIT_TASK, &implicit);
	task->kind = implicit ? TASK_IMPLICIT : TASK_EXPLICIT;
	task->function = user_function(w, openmp_task_function(k->openmp, handle));
	task->source = SOURCE_OMPD;
	task->unfinished = -1;
	if (k->openmp->runtime->ops->read_task)
		k->openmp->runtime->ops->read_task(handle, task);
	if (!vec_push(&w->picture->tasks, *task))
		return &error_nomem;
	*ret = (int)w->picture->tasks.len - 1;
	return known_add_task(k, handle, *ret) ? NULL : &error_nomem;
}

/* Adds a task and those that created it, as far as they are new. *ret: its index, or -1. */
static struct error *find_task(struct walk *w, struct known *k, ompd_task_handle_t *handle,
			       int region, int *ret)
{
	VEC(ompd_task_handle_t *) chain = { 0 };
	struct error *err = NULL;
	int creator = -1;

	for (int i = 0; handle && i < DEPTH_MAX; i++) {
		creator = known_task(k, handle);
		if (creator >= 0)
			break;
		if (!vec_push(&chain, handle))
			err = &error_nomem;
		handle = err ? NULL : openmp_creator(k->openmp, handle);
	}
	while (!err && chain.len > 0 && w->picture->tasks.len < TASKS_MAX) {
		struct picture_task task = {
			.state = TASK_SUSPENDED,
			.region = chain.len == 1 ? region : -1,
			.creator = creator,
			.thread = -1,
		};
		err = add_task(w, k, chain.items[--chain.len], &task, &creator);
	}
	vec_fini(&chain);
	*ret = creator;
	return err;
}

static struct error *read_task(struct walk *w, struct known *k, int thread)
{
	struct picture_thread *th = &w->picture->threads.items[thread];
	ompd_task_handle_t *handle = openmp_task(k->openmp, w->handles[thread]);
	struct error *err = handle ? find_task(w, k, handle, th->region, &th->task) : NULL;

	if (err || th->task < 0)
		return err;
	struct picture_task *task = &w->picture->tasks.items[th->task];
	task->state = TASK_RUNNING;
	task->thread = thread;
	return NULL;
}

/* The implicit task of member n of a region, which that thread has left for another one. */
static struct error *read_left_task(struct walk *w, int region, int n, int thread)
{
	struct known *k = &w->known[w->picture->regions.items[region].runtime];
	ompd_task_handle_t *handle =
		openmp_implicit_task(k->openmp, w->region_handles.items[region], n);
	int index = -1;
	struct error *err = handle ? find_task(w, k, handle, region, &index) : NULL;

	if (err || index < 0)
		return err;
	w->picture->tasks.items[index].thread = thread;
	w->picture->tasks.items[index].region = region;
	return NULL;
}

static bool is_in_implicit_task(const struct picture *p, const struct picture_thread *th,
				int region)
{
	return th->region == region && th->task >= 0 &&
	       p->tasks.items[th->task].kind == TASK_IMPLICIT;
}

static struct error *read_left_tasks(struct walk *w)
{
	const struct picture *p = w->picture;
	struct error *err = NULL;

	for (size_t r = 0; !err && r < p->regions.len; r++) {
		const struct picture_region *region = &p->regions.items[r];
		for (size_t n = 0; !err && n < region->members.len; n++) {
			int thread = region->members.items[n];
			if (thread >= 0 &&
			    !is_in_implicit_task(p, &p->threads.items[thread], (int)r))
				err = read_left_task(w, (int)r, (int)n, thread);
		}
	}
	return err;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* A thread that the runtime made, and that is in none of the user's functions. */
static bool is_parked_worker(const struct walk *w, int thread)
{
	const struct spans *s = &w->picture->threads.items[thread].spans;

	return s->list.len == 1 && s->list.items[0].root && s->list.items[0].call == SPAN_WAITS;
}

/* The role of a thread that is not idle and in no region. */
static enum thread_role role_outside(const struct walk *w, int thread)
{
	const struct target *t = w->target;

	/* With a task, but no region: the teams of a league may have level 0. */
	if (is_parked_worker(w, thread))
		return ROLE_PRIMARY;
	return t->threads.items[thread]->lwp == t->pid ? ROLE_INITIAL : ROLE_FOREIGN;
}

/* With several runtimes in the process: the one that the thread is in, or the first that knows it.
 */
static bool is_its_runtime(const struct openmp *o, const struct picture_thread *th)
{
	return th->runtime < 0 ||
	       (th->spans.list.len && th->spans.list.items[0].runtime == o->runtime);
}

/* The region that a thread is in, by one runtime, and its number there. */
static struct error *read_place(struct walk *w, struct known *k, int thread,
				ompd_thread_handle_t *handle, int64_t *ret_number)
{
	int *region = walk_innermost(w, (int)(k - w->known), thread);
	ompd_parallel_handle_t *its = openmp_region(k->openmp, handle);
	struct error *err = its ? find_region(w, k, its, region) : NULL;

	if (err || *region < 0)
		return err;
	if (!openmp_icv(k->openmp, handle, ICV_THREAD_NUM, ret_number) ||
	    *ret_number >= MEMBERS_MAX)
		*ret_number = -1;
	enter_member(w, *region, (long)*ret_number, thread);
	return NULL;
}

static struct error *read_thread(struct walk *w, struct known *k, int thread)
{
	struct picture_thread *th = &w->picture->threads.items[thread];
	ompd_thread_handle_t *handle = openmp_thread(k->openmp, thread);
	bool its_runtime = is_its_runtime(k->openmp, th);
	int64_t number = -1;

	if (!handle)
		return NULL;
	if (its_runtime) {
		w->handles[thread] = handle;
		th->runtime = (int)(k - w->known);
		th->source = SOURCE_OMPD;
		th->region = th->task = -1;
		th->number = -1;
		/*
		 * Idle workers keep what they were in: the memory of a team that is gone. So they
		 * are told apart before anything is asked about their region.
		 */
		if (is_parked_worker(w, thread) && k->openmp->runtime->ops->is_idle(w, thread)) {
			th->role = ROLE_IDLE;
			return NULL;
		}
	}
	struct error *err = read_place(w, k, thread, handle, &number);
	if (err || !its_runtime)
		return err;
	th->region = *walk_innermost(w, th->runtime, thread);
	th->number = (long)number;
	th->role = th->region < 0 ? role_outside(w, thread)
		   : number == 0  ? ROLE_PRIMARY
				  : ROLE_WORKER;
	return read_task(w, k, thread);
}

static struct error *add_threads(struct walk *w, const struct walk_source *source)
{
	for (size_t i = 0; i < w->target->threads.len; i++) {
		struct picture_thread th = {
			.lwp = w->target->threads.items[i]->lwp,
			.runtime = -1,
			.region = -1,
			.number = -1,
			.task = -1,
			.wait = { .holder = -1, .hold = -1, .fd = -1 },
		};
		struct error *err = spans_find(&w->runtimes, source->unwinder, w->calls,
					       &source->raw[i], &th.spans);
		if (err)
			return err;
		if (!vec_push(&w->picture->threads, th)) {
			spans_fini(&th.spans);
			return &error_nomem;
		}
		parked_read(w->calls, w->target->threads.items[i], &w->runtimes, &w->parked[i]);
	}
	return NULL;
}

/* ---- runtimes --------------------------------------------------------------------------- */

static char *copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

static struct error *describe(struct walk *w, const struct openmp *o)
{
	bool failed = false;
	struct picture_runtime r = {
		.name = o->runtime->ops->name,
		.version_of_compiler = o->runtime->ops->version_of_compiler,
		.path = copy_text(o->runtime->module->path, &failed),
		.version = copy_text(o->version, &failed),
		.status = copy_text(o->status, &failed),
		.provider = copy_text(!o->space         ? NULL
				      : o->library.path ? o->library.path
							: "built in",
				      &failed),
		.answers = o->space,
		.detaches = runtime_program_names(&w->runtimes, o->runtime->ops->detaching),
	};
	char *note = copy_text(o->note, &failed);

	if (!vec_push(&w->picture->runtimes, r)) {
		free(note);
		return &error_nomem;
	}
	if (note && !vec_push(&w->picture->notes, note))
		return &error_nomem;
	return failed ? &error_nomem : NULL;
}

static struct error *begin_sessions(struct walk *w, const struct walk_source *source)
{
	const struct openmp_source from = {
		.runtimes = &w->runtimes,
		.pthreads = &w->pthreads,
		.symbols = source->symbols,
		.ompd_library = source->ompd_library,
	};
	struct error *err = NULL;

	w->known = calloc(w->runtimes.len + 1, sizeof(*w->known));
	if (!w->known)
		return &error_nomem;
	w->nknown = w->runtimes.len;
	w->innermost = calloc(w->nknown * w->target->threads.len + 1, sizeof(*w->innermost));
	if (!w->innermost)
		return &error_nomem;
	for (size_t i = 0; i < w->nknown * w->target->threads.len; i++)
		w->innermost[i] = -1;
	for (size_t i = 0; !err && i < w->runtimes.len; i++) {
		err = openmp_begin(&from, &w->runtimes.items[i], &w->known[i].openmp);
		if (!err)
			err = describe(w, w->known[i].openmp);
	}
	return err;
}

static struct error *ask_runtimes(struct walk *w)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < w->runtimes.len; i++) {
		for (size_t th = 0; !err && th < w->picture->threads.len; th++)
			err = read_thread(w, &w->known[i], (int)th);
	}
	if (err)
		return err;
	fill_members(w);
	err = read_left_tasks(w);
	for (size_t i = 0; !err && i < w->runtimes.len; i++) {
		if (w->known[i].openmp->space)
			err = w->runtimes.items[i].ops->add_tasks(w, (int)i);
	}
	return err;
}

static void walk_fini(struct walk *w)
{
	for (size_t i = 0; w->known && i < w->nknown; i++) {
		known_fini(&w->known[i]);
		openmp_end(w->known[i].openmp);
	}
	free(w->known);
	free(w->handles);
	free(w->innermost);
	free(w->parked);
	call_sites_free(w->calls);
	vec_fini(&w->region_handles);
	pthreads_fini(&w->pthreads);
	runtime_list_fini(&w->runtimes);
}

static struct error *walk(struct walk *w, const struct walk_source *source)
{
	size_t n = w->target->threads.len + 1;
	struct error *err =
		runtime_list_read(runtimes_known, source->modules, source->symbols, &w->runtimes);

	if (err)
		return err;
	w->handles = calloc(n, sizeof(*w->handles));
	w->parked = calloc(n, sizeof(*w->parked));
	w->calls = call_sites_new(w->target, source->unwinder);
	if (!w->handles || !w->parked || !w->calls)
		return &error_nomem;
	err = pthreads_read(w->target, &w->pthreads);
	if (!err)
		err = add_threads(w, source);
	if (!err)
		err = begin_sessions(w, source);
	if (!err)
		err = ask_runtimes(w);
	if (!err)
		err = infer_regions(w);
	if (!err)
		err = borders_find(w);
	if (!err)
		err = wait_find(w);
	if (!err)
		err = holds_find(w, source->unwinder);
	if (!err && source->footprints)
		footprint_find(w, source->unwinder);
	if (!err && source->icvs)
		err = icv_read(w);
	return err ? err : order_regions(w->picture);
}

struct error *walk_picture(const struct walk_source *source, struct picture *ret)
{
	struct picture p = { 0 };
	struct walk w = {
		.picture = &p,
		.target = source->modules->target,
		.raw = source->raw,
	};
	int output = quiet_begin();
	struct error *err = walk(&w, source);

	p.code = w.runtimes; /* whose names are used all over the picture */
	w.runtimes = (struct runtime_list){ 0 };
	walk_fini(&w);
	quiet_end(output);
	if (err) {
		picture_fini(&p);
		return err;
	}
	*ret = p;
	return NULL;
}
