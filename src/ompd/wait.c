/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/wait.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ompd/libgomp/libgomp_facts.h"
#include "ompd/libomp/libomp_locks.h"
#include "target/code/call_site.h"

/* The call of a barrier that was decoded last: a team waits in the same one. */
struct barrier_call {
	taddr return_address; /* 0: none yet */
	enum wait_kind kind;
};

/* One thread, and what is known of where it is. */
struct looking {
	struct walk *w;
	int index;
	struct picture_thread *thread;
	const struct parked *parked;
	const struct unwind_stack *raw;
	const struct span *span; /* in which it waits; NULL: it is not in a runtime */
	const char *api;         /* of that span; NULL: unknown                  */
	struct picture_wait *wait;
	struct barrier_call *last; /* shared by all threads */
};

/* ---- by the entry ----------------------------------------------------------------------- */

/* What a thread in an entry of a runtime waits for; longer names before those they begin with. */
static const struct {
	const char *start;
	enum wait_kind kind;
} entries[] = {
	{ "GOMP_barrier", WAIT_BARRIER },
	{ "GOMP_parallel", WAIT_REGION_END },
	{ "GOMP_teams", WAIT_TEAMS },
	{ "GOMP_taskwait_depend", WAIT_DEPENDENCE },
	{ "GOMP_taskwait", WAIT_TASKWAIT },
	{ "GOMP_taskgroup_end", WAIT_TASKGROUP },
	{ "GOMP_taskgroup_reduction", WAIT_RUNTIME },
	{ "GOMP_taskloop", WAIT_TASKGROUP },
	{ "GOMP_task", WAIT_DEPENDENCE },
	{ "GOMP_critical_end", WAIT_RUNTIME },
	{ "GOMP_critical_name_end", WAIT_RUNTIME },
	{ "GOMP_critical", WAIT_CRITICAL },
	{ "GOMP_atomic_start", WAIT_ATOMIC },
	{ "GOMP_ordered_start", WAIT_ORDERED },
	{ "GOMP_doacross_wait", WAIT_DOACROSS },
	{ "GOMP_doacross_ull_wait", WAIT_DOACROSS },
	{ "GOMP_single_copy", WAIT_COPYPRIVATE },
	{ "GOMP_loop_end", WAIT_WORKSHARE_END },
	{ "GOMP_sections_end", WAIT_WORKSHARE_END },
	{ "GOMP_workshare_task_reduction", WAIT_WORKSHARE_END },
	{ "omp_set_nest_lock", WAIT_NEST_LOCK },
	{ "omp_set_lock", WAIT_LOCK },
	{ "__kmpc_barrier", WAIT_BARRIER },
	{ "__kmpc_cancel_barrier", WAIT_BARRIER },
	{ "__kmpc_barrier_master", WAIT_BARRIER },
	{ "__kmpc_fork_call", WAIT_REGION_END },
	{ "__kmpc_fork_teams", WAIT_TEAMS },
	{ "__kmpc_end_serialized_parallel", WAIT_REGION_END },
	{ "__kmpc_omp_taskwait_deps", WAIT_DEPENDENCE },
	{ "__kmpc_omp_taskwait", WAIT_TASKWAIT },
	{ "__kmpc_omp_wait_deps", WAIT_DEPENDENCE },
	{ "__kmpc_end_taskgroup", WAIT_TASKGROUP },
	{ "__kmpc_taskloop", WAIT_TASKGROUP },
	{ "__kmpc_critical", WAIT_CRITICAL },
	{ "__kmpc_set_nest_lock", WAIT_NEST_LOCK },
	{ "__kmpc_set_lock", WAIT_LOCK },
	{ "__kmpc_ordered", WAIT_ORDERED },
	{ "__kmpc_doacross_wait", WAIT_DOACROSS },
	{ "__kmpc_reduce", WAIT_WORKSHARE_END },
	{ "__kmpc_end_reduce", WAIT_WORKSHARE_END },
	{ "__kmpc_copyprivate", WAIT_COPYPRIVATE },
	{ "__kmpc_atomic", WAIT_ATOMIC },
	{ "kmpc_set_lock", WAIT_LOCK },
};

enum wait_kind wait_of_entry(const char *api)
{
	for (size_t i = 0; api && i < sizeof(entries) / sizeof(*entries); i++) {
		if (text_starts_with(api, entries[i].start))
			return entries[i].kind;
	}
	return WAIT_RUNTIME;
}

/*
 * LLVM's description of the place in the source that an entry is given (kmp.h, ident_t): which kind
 * of barrier it is.
 */
struct ident {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	uint64_t source;
};
enum {
	IDENT_KMPC = 0x02,
	IDENT_EXPLICIT_BARRIER = 0x20,
	IDENT_IMPLICIT_BARRIER = 0x40,
	IDENT_WORKSHARE = 0x1c0, /* of for 0x40, sections 0xc0, single 0x140 */
};

/* The user's frame that called the entry; NULL: gone, or none. */
static const struct unwind_frame *caller(const struct looking *l)
{
	const struct spans *spans = &l->thread->spans;

	if (l->span && l->span->root)
		return NULL;
	size_t i = spans_behind_system(spans, l->span ? l->span->outer : 0);
	return i < l->raw->len && i < spans->len && !spans->hidden[i] ? &l->raw->items[i] : NULL;
}

static enum wait_kind decode_barrier(struct target *t, taddr return_address)
{
	struct ident ident;
	taddr at;

	if (!call_site_argument(t, return_address, 0, &at) ||
	    !memory_try_read(t->memory, at, &ident, sizeof(ident)) || !(ident.flags & IDENT_KMPC))
		return WAIT_BARRIER;
	if (ident.flags & IDENT_EXPLICIT_BARRIER)
		return WAIT_EXPLICIT_BARRIER;
	return ident.flags & IDENT_IMPLICIT_BARRIER ? WAIT_WORKSHARE_END : WAIT_BARRIER;
}

static void refine_barrier(struct looking *l)
{
	const struct unwind_frame *from = caller(l);

	if (!from || !text_starts_with(l->api, "__kmpc_"))
		return;
	if (l->last->return_address != from->pc)
		*l->last =
			(struct barrier_call){ from->pc, decode_barrier(l->w->target, from->pc) };
	l->wait->kind = l->last->kind;
}

/* Which argument of an entry is the object that it waits for. */
static const struct {
	const char *start;
	unsigned int argument;
} objects[] = {
	{ "__kmpc_critical", 2 },          { "__kmpc_set_lock", 2 }, { "__kmpc_set_nest_lock", 2 },
	{ "GOMP_critical_name_start", 0 }, { "omp_set_lock", 0 },    { "omp_set_nest_lock", 0 },
};

/* The object by the code of the call, where that names a constant: a global variable. */
static void find_object(struct looking *l)
{
	const struct unwind_frame *from = caller(l);

	if (!from || l->wait->object || l->span->tail ||
	    (l->wait->kind != WAIT_CRITICAL && l->wait->kind != WAIT_LOCK &&
	     l->wait->kind != WAIT_NEST_LOCK))
		return;
	/* By the name that the user called: the runtime jumps from one entry to the other. */
	taddr target = call_site_before(l->w->target, from->pc).target;
	const char *name =
		target ? runtime_function_at(&l->w->runtimes, l->span->runtime, target) : NULL;
	const char *called = name ? name : l->api;
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		if (!text_starts_with(called, objects[i].start))
			continue;
		if (!call_site_argument(l->w->target, from->pc, objects[i].argument,
					&l->wait->object))
			l->wait->object = 0;
		return;
	}
}

/* ---- by the address, where libgomp's structures are known ------------------------------- */

static void use_location(struct looking *l, const struct gomp_location *at)
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
	struct picture_wait *wait = l->wait;

	if (at->place == GOMP_PLACE_OTHER)
		return;
	wait->source = SOURCE_MEMORY;
	wait->object = at->place == GOMP_PLACE_BARRIER ? at->team : l->parked->address;
	if (at->place == GOMP_PLACE_DOCK && l->thread->role != ROLE_IDLE)
		wait->kind = WAIT_RUNTIME; /* for its workers to come back from the last region */
	else if (at->place != GOMP_PLACE_BARRIER)
		wait->kind = at->depend ? WAIT_DEPENDENCE : kinds[at->place];
	else if (l->span->root)
		wait->kind = WAIT_REGION_END;
	else if (!l->api || wait->kind == WAIT_RUNTIME)
		wait->kind = WAIT_BARRIER;
}

static void find_holder(struct looking *l)
{
	struct picture_wait *wait = l->wait;
	struct gomp_barrier barrier;

	if (wait->kind == WAIT_NEST_LOCK && l->span->runtime->kind == RUNTIME_LIBOMP)
		wait->holder = libomp_locks_holder(l->w, l->index, l->span->outer);
	else if (wait->kind == WAIT_NEST_LOCK && wait->object)
		wait->holder = libgomp_facts_nest_lock_holder(l->w, l->index, wait->object);
	else if (wait->kind == WAIT_ORDERED)
		wait->holder = libgomp_facts_ordered_turn(l->w, l->index);
	wait->holder_source = wait->holder >= 0 ? SOURCE_MEMORY : SOURCE_NONE;
	if (wait->source == SOURCE_MEMORY && wait->object &&
	    libgomp_facts_barrier(l->w, l->thread->region, &barrier) &&
	    barrier.address == wait->object) {
		wait->arrived =
			wait->kind == WAIT_REGION_END ? barrier.arrived_final : barrier.arrived;
		wait->total = barrier.total;
	}
}

/* ---- in a runtime ----------------------------------------------------------------------- */

/* A thread of the runtime's that is in no function of the user's. */
static enum wait_kind root_wait(const struct picture_thread *th)
{
	if (th->role == ROLE_IDLE)
		return WAIT_IDLE;
	if (th->role == ROLE_PRIMARY && th->region < 0)
		return WAIT_TEAMS; /* the first of a team of a league, when it is done */
	return th->region >= 0 ? WAIT_REGION_END : WAIT_RUNTIME;
}

static void wait_in_runtime(struct looking *l)
{
	struct gomp_location at;
	struct picture_wait *wait = l->wait;

	l->api = l->span->api;
	wait->api = l->api;
	wait->kind = wait_of_entry(l->api);
	wait->source = SOURCE_INFERRED;
	wait->spinning = !l->parked->blocked.in_call;
	if (l->span->root)
		wait->kind = root_wait(l->thread);
	if (l->span->runtime->kind == RUNTIME_GOMP) {
		wait->object = l->parked->address;
		bool located = libgomp_facts_locate(l->w, l->index, &at);
		if (located)
			use_location(l, &at);
		/* At the barrier of a team that it has left, until its workers leave it, too. */
		if (located && at.place == GOMP_PLACE_OTHER && wait->settled &&
		    wait->kind == WAIT_REGION_END)
			wait->kind = WAIT_RUNTIME;
	}
	if (wait->kind == WAIT_BARRIER)
		refine_barrier(l);
	find_object(l);
	const struct unwind_frame *from = caller(l);
	if (from)
		wait->place.pc = spans_pc(from);
	find_holder(l);
}

/* ---- outside of OpenMP ------------------------------------------------------------------ */

/* glibc: struct __pthread_mutex_s begins with the lock; two ints further is the owner's LWP. */
enum { MUTEX_OWNER = 8 };

static void find_mutex_owner(struct looking *l)
{
	int32_t owner;

	if (!l->wait->object ||
	    !memory_try_read(l->w->target->memory, l->wait->object + MUTEX_OWNER, &owner,
			     sizeof(owner)))
		return;
	for (size_t i = 0; i < l->w->picture->threads.len; i++) {
		if (owner > 0 && l->w->picture->threads.items[i].lwp == owner) {
			l->wait->holder = (int)i;
			l->wait->holder_source = SOURCE_MEMORY;
		}
	}
}

/* The function of the C library that the user's code called; NULL: unknown. */
static const char *called_function(const struct looking *l)
{
	const struct spans *s = &l->thread->spans;
	const struct runtime_list *code = &l->w->runtimes;
	size_t i = spans_behind_system(s, 0);

	if (i == 0 || i == s->len || !code->libc)
		return NULL;
	/* Its frame may be an internal function into which the one that was called has jumped. */
	struct call_site site = call_site_before(l->w->target, l->raw->items[i].pc);
	taddr pc = site.kind == CALL_DIRECT && site.target ? site.target
							   : spans_pc(&l->raw->items[i - 1]);
	const struct export *e = exports_at(code->libc, pc);
	return e ? e->name : NULL;
}

/* In a function of MPI's, whether it sleeps or polls there. false: it is in none. */
static bool wait_in_mpi(struct looking *l, struct error **ret_err)
{
	const struct spans *s = &l->thread->spans;
	size_t end = s->list.len ? s->list.items[0].inner : l->raw->len;
	const char *name = NULL;

	for (size_t i = 0; i < end; i++) {
		const char *here =
			runtime_mpi_function(&l->w->runtimes, spans_pc(&l->raw->items[i]));
		if (!here)
			continue;
		name = here; /* the outermost: libraries call each other's entries */
		l->wait->place.pc = i + 1 < end ? spans_pc(&l->raw->items[i + 1]) : 0;
	}
	if (!name)
		return false;
	l->wait->kind = WAIT_MPI;
	l->wait->source = SOURCE_INFERRED;
	l->wait->spinning = !l->parked->blocked.in_call;
	l->wait->name = strdup(name);
	*ret_err = l->wait->name ? NULL : &error_nomem;
	return true;
}

static struct error *wait_outside(struct looking *l)
{
	static const struct {
		const char *start;
		enum wait_kind kind;
	} functions[] = {
		{ "pthread_mutex_", WAIT_MUTEX },
		{ "pthread_cond_", WAIT_CONDITION },
		{ "cnd_", WAIT_CONDITION },
		{ "mtx_", WAIT_MUTEX },
	};
	struct picture_wait *wait = l->wait;
	const struct blocked *blocked = &l->parked->blocked;
	const struct unwind_frame *from = caller(l);

	wait->source = SOURCE_MEMORY; /* registers */
	struct error *err = NULL;
	if (wait_in_mpi(l, &err))
		return err;
	if (from)
		wait->place.pc = spans_pc(from);
	if (!blocked->in_call)
		return NULL;
	const char *function = called_function(l);
	const char *name = function ? function : blocked->name;
	wait->kind = WAIT_SYSCALL;
	wait->fd = blocked_on_fd(blocked);
	wait->object = l->parked->address;
	for (size_t i = 0; function && i < sizeof(functions) / sizeof(*functions); i++) {
		if (text_starts_with(function, functions[i].start))
			wait->kind = functions[i].kind;
	}
	if (wait->kind == WAIT_MUTEX)
		find_mutex_owner(l);
	wait->name = name ? strdup(name) : NULL;
	return name && !wait->name ? &error_nomem : NULL;
}

/* ---- all -------------------------------------------------------------------------------- */

static struct error *find_wait(struct walk *w, int index, struct barrier_call *last)
{
	struct picture_thread *th = &w->picture->threads.items[index];
	struct looking l = {
		.w = w,
		.index = index,
		.thread = th,
		.parked = &w->parked[index],
		.raw = &w->raw[index],
		.wait = &th->wait,
		.last = last,
	};

	if (!l.raw->len) {
		th->wait.kind = WAIT_UNKNOWN;
		return NULL;
	}
	const struct blocked *blocked = &l.parked->blocked;
	th->wait.settled = blocked->in_call && !blocked_is_over(w->target, blocked);
	th->wait.limited = blocked->in_call && blocked_has_limit(blocked);
	if (th->spans.list.len && !th->spans.list.items[0].inner)
		l.span = &th->spans.list.items[0];
	if (!l.span)
		return wait_outside(&l);
	wait_in_runtime(&l);
	return NULL;
}

static bool is_barrier(const struct picture_wait *wait)
{
	return wait->kind >= WAIT_BARRIER && wait->kind <= WAIT_WORKSHARE_END;
}

/* How many threads of a region wait at its end, or at another barrier of it. */
static long count_waiting(const struct picture *p, int region, bool end)
{
	long arrived = 0;

	vec_for_each (th, &p->threads)
		arrived += th->region == region && is_barrier(&th->wait) &&
			   (th->wait.kind == WAIT_REGION_END) == end;
	return arrived;
}

/* Barriers that keep no count that could be read: those have arrived who wait there. */
static void count_arrivals(struct picture *p)
{
	for (size_t r = 0; r < p->regions.len; r++) {
		long arrived[2] = { -1, -1 };
		vec_for_each (th, &p->threads) {
			bool end = th->wait.kind == WAIT_REGION_END;
			if (th->region != (int)r || !is_barrier(&th->wait) || th->wait.total)
				continue;
			if (arrived[end] < 0)
				arrived[end] = count_waiting(p, (int)r, end);
			th->wait.arrived = arrived[end];
			th->wait.total = p->regions.items[r].size;
		}
	}
}

static void read_generations(struct walk *w)
{
	struct gomp_barrier barrier;

	for (size_t r = 0; r < w->picture->regions.len; r++) {
		if (libgomp_facts_barrier(w, (int)r, &barrier))
			w->picture->regions.items[r].generation = barrier.generation;
	}
}

struct error *wait_find(struct walk *w)
{
	struct barrier_call last = { 0 };
	struct error *err = NULL;

	read_generations(w);
	for (size_t i = 0; !err && i < w->picture->threads.len; i++)
		err = find_wait(w, (int)i, &last);
	count_arrivals(w->picture);
	return err;
}
