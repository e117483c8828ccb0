/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/wait.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "target/code/call_site.h"

/* One thread, and what is known of where it is. */
struct waiter {
	struct walk *w;
	int index;
	struct picture_thread *thread;
	const struct parked *parked;
	const struct unwind_stack *raw;
	const struct span *span; /* in which it waits; NULL: it is not in a runtime */
	struct picture_wait *wait;
};

/* The user's frame that called the entry; NULL: gone, or none. */
static const struct unwind_frame *caller(const struct waiter *l)
{
	const struct spans *spans = &l->thread->spans;

	if (l->span && l->span->root)
		return NULL;
	size_t i = spans_behind_system(spans, l->span ? l->span->outer : 0);
	return i < l->raw->len && i < spans->len && !spans->hidden[i] ? &l->raw->items[i] : NULL;
}

static void refine_barrier(struct waiter *l)
{
	const struct runtime_ops *ops = l->span->runtime->ops;
	const struct unwind_frame *from = caller(l);

	if (l->wait->kind == WAIT_BARRIER && from && ops->barrier_kind)
		l->wait->kind =
			ops->barrier_kind(l->w->target, l->w->calls, l->span->api, from->pc);
}

/* The object by the code of the call, where that names a constant: a global variable. */
static void find_object(struct waiter *l)
{
	const struct unwind_frame *from = caller(l);
	const struct runtime *r = l->span->runtime;

	if (!from || l->wait->object || l->span->tail || !wait_kind_traits(l->wait->kind)->is_lock)
		return;
	/* By the name that the user called: the runtime jumps from one entry to the other. */
	taddr target = call_site_before(l->w->calls, from->pc).target;
	const char *name = target ? runtime_function_at(&l->w->runtimes, r, target) : NULL;
	const struct runtime_entry *e = name ? runtime_entry(r->ops, name) : l->span->entry;
	if (!e || e->effect != FLOW_TAKE || !e->object ||
	    !call_site_argument(l->w->calls, from->pc, e->object - 1, &l->wait->object))
		l->wait->object = 0;
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

static void wait_in_runtime(struct waiter *l)
{
	const struct runtime_ops *ops = l->span->runtime->ops;
	struct picture_wait *wait = l->wait;

	wait->api = l->span->api;
	wait->entry = l->span->entry;
	wait->kind = l->span->root ? root_wait(l->thread) : runtime_entry_wait(wait->entry);
	wait->source = SOURCE_INFERRED;
	wait->spinning = !l->parked->blocked.in_call;
	if (ops->refine_wait)
		ops->refine_wait(l->w, l->index, l->span);
	refine_barrier(l);
	find_object(l);
	const struct unwind_frame *from = caller(l);
	if (from)
		wait->place.pc = spans_pc(from);
	wait->holder = ops->holder(l->w, l->index, l->span);
	wait->holder_source = wait->holder >= 0 ? SOURCE_MEMORY : SOURCE_NONE;
}

/* ---- outside of OpenMP ------------------------------------------------------------------ */

static void find_mutex_owner(struct waiter *l)
{
	pid_t owner = pthreads_mutex_owner(l->w->target, l->wait->object);

	for (size_t i = 0; owner && i < l->w->picture->threads.len; i++) {
		if (l->w->picture->threads.items[i].lwp != owner)
			continue;
		l->wait->holder = (int)i;
		l->wait->holder_source = SOURCE_MEMORY;
	}
}

/* The function of the C library that the user's code called; NULL: unknown. */
static const char *called_function(const struct waiter *l)
{
	const struct spans *s = &l->thread->spans;
	const struct runtime_list *code = &l->w->runtimes;
	size_t i = spans_behind_system(s, 0);

	if (i == 0 || i == s->len || !code->libc)
		return NULL;
	/* Its frame may be an internal function into which the one that was called has jumped. */
	struct call_site site = call_site_before(l->w->calls, l->raw->items[i].pc);
	taddr pc = site.kind == CALL_DIRECT && site.target ? site.target
							   : spans_pc(&l->raw->items[i - 1]);
	const struct export *e = exports_at(code->libc, pc);
	return e ? e->name : NULL;
}

/* In a function of MPI's, whether it sleeps or polls there. false: it is in none. */
static bool wait_in_mpi(struct waiter *l, struct error **ret_err)
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

static struct error *wait_outside(struct waiter *l)
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

static struct error *find_wait(struct walk *w, int index)
{
	struct picture_thread *th = &w->picture->threads.items[index];
	struct waiter l = {
		.w = w,
		.index = index,
		.thread = th,
		.parked = &w->parked[index],
		.raw = &w->raw[index],
		.wait = &th->wait,
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
	return wait_kind_traits(wait->kind)->is_barrier;
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

struct error *wait_find(struct walk *w)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < w->picture->threads.len; i++)
		err = find_wait(w, (int)i);
	count_arrivals(w->picture);
	return err;
}
