/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/wait.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/text.h"
#include "ompd/left.h"
#include "ompd/picture/arrivals.h"
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
static const struct unwind_frame *caller(const struct waiter *me)
{
	const struct spans *spans = &me->thread->spans;

	if (me->span && me->span->root)
		return NULL;
	size_t i = spans_behind_system(spans, me->span ? me->span->outer : 0);
	return i < me->raw->len && i < spans->len && !spans->hidden[i] ? &me->raw->items[i] : NULL;
}

static void refine_barrier(struct waiter *me)
{
	const struct runtime_ops *ops = me->span->runtime->ops;
	const struct unwind_frame *from = caller(me);

	if (me->wait->kind == WAIT_BARRIER && from && ops->barrier_kind)
		me->wait->kind =
			ops->barrier_kind(me->w->target, me->w->calls, me->span->api, from->pc);
}

/* The object by the code of the call, where that names a constant: a global variable. */
static void find_object(struct waiter *me)
{
	const struct unwind_frame *from = caller(me);
	const struct runtime *r = me->span->runtime;

	if (!from || me->wait->object || me->span->nleft ||
	    !wait_kind_traits(me->wait->kind)->is_lock)
		return;
	/* By the name that the user called: the runtime jumps from one entry to the other. */
	taddr target = call_site_before(me->w->calls, from->pc).target;
	const char *name = target ? runtime_function_at(&me->w->runtimes, r, target) : NULL;
	const struct runtime_entry *e = name ? runtime_entry(r->ops, name) : me->span->entry;
	if (!e || e->effect != FLOW_TAKE || !e->object ||
	    !call_site_argument(me->w->calls, from->pc, e->object - 1, &me->wait->object))
		me->wait->object = 0;
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

/*
 * In the entry's own code, and in no loop there: before it may have to wait, or behind that. Who
 * waits is in a loop with a pause, in a function further in, or in the kernel; but who waits for
 * tasks looks for some to execute, again and again.
 */
static bool passes_entry(const struct waiter *me)
{
	const enum wait_whom whom = wait_kind_whom(me->wait->kind);

	return me->span->api && me->span->outer == 1 && !me->parked->blocked.in_call &&
	       !me->parked->pauses && (whom == FOR_TEAM || whom == FOR_HOLDER || whom == FOR_TURN);
}

/* At the first instruction of an entry that executes code, and then waits for it. */
static bool is_about_to_enter(const struct waiter *me)
{
	const struct unwind_frame *f = me->raw->items;
	taddr start, end;

	return me->span->entry && me->span->entry->calls && me->span->outer == 1 && f->exact &&
	       unwind_function(me->w->unwinder, f->pc, &start, &end) && start == f->pc;
}

static void set_holder(struct waiter *me, int thread)
{
	me->wait->holder = thread;
	me->wait->holder_source = thread >= 0 ? SOURCE_MEMORY : SOURCE_NONE;
}

static void wait_in_runtime(struct waiter *me)
{
	const struct runtime_ops *ops = me->span->runtime->ops;
	struct picture_wait *wait = me->wait;

	wait->api = me->span->api;
	wait->entry = me->span->entry;
	wait->kind = me->span->root ? root_wait(me->thread) : runtime_entry_wait(wait->entry);
	wait->source = SOURCE_INFERRED;
	const bool enters = is_about_to_enter(me);
	if (me->thread->borders[0].begins || enters) /* not at its end */
		wait->kind = WAIT_RUNTIME;
	wait->spinning = !me->parked->blocked.in_call && !enters;
	if (ops->refine_wait && !enters)
		ops->refine_wait(me->w, me->index, me->span);
	refine_barrier(me);
	find_object(me);
	if (!enters)
		wait->over |= passes_entry(me) || (me->thread->around_task && wait->spinning) ||
			      (ops->is_over && ops->is_over(me->w, me->index, me->span));
	const struct unwind_frame *from = caller(me);
	if (from)
		wait->place.pc = spans_pc(from);
	set_holder(me, ops->holder ? ops->holder(me->w, me->index, me->span) : -1);
}

/* ---- outside of OpenMP ------------------------------------------------------------------ */

static int thread_of(const struct walk *w, pid_t lwp)
{
	int i = (int)w->picture->threads.len - 1;

	while (i >= 0 && picture_thread(w->picture, i)->lwp != lwp)
		i--;
	return i;
}

/* Who joins whom is known, or it is in a system call like others. */
static void find_joined(struct waiter *me)
{
	set_holder(me, pthreads_joined(&me->w->pthreads, me->wait->object));
	if (me->wait->holder < 0)
		me->wait->kind = WAIT_SYSCALL;
}

/* The function of the C library that the user's code called; NULL: unknown. */
static const char *called_function(const struct waiter *me)
{
	const struct spans *s = &me->thread->spans;
	const struct runtime_list *code = &me->w->runtimes;
	size_t i = spans_behind_system(s, 0);

	if (i == 0 || i == s->len || !code->libc)
		return NULL;
	/* Its frame may be an internal function into which the one that was called has jumped. */
	struct call_site site = call_site_before(me->w->calls, me->raw->items[i].pc);
	taddr pc = site.kind == CALL_DIRECT && site.target ? site.target
							   : spans_pc(&me->raw->items[i - 1]);
	const struct export *e = exports_at(code->libc, pc);
	if (!e) /* a library has jumped on there */
		e = exports_at(code->libc, spans_pc(&me->raw->items[i - 1]));
	return e ? e->name : NULL;
}

/* Keeps a copy of the name of what a thread waits in; NULL: it has none. */
static void set_name(struct waiter *me, const char *name)
{
	me->wait->name = name ? strdup(name) : NULL;
	me->w->failed |= name && !me->wait->name;
}

/* Behind the frames that no runtime has called, or the innermost one has. */
static size_t end_of_user(const struct waiter *me)
{
	const struct spans *s = &me->thread->spans;

	return s->list.len ? s->list.items[0].inner : me->raw->len;
}

/*
 * The function of MPI's that a thread is in, and the user's frame that has called it. It may have
 * left by a jump: then its caller tells. NULL: it is in none.
 */
static const char *find_mpi_function(const struct waiter *me, size_t *ret_user)
{
	const struct runtime_list *l = &me->w->runtimes;
	const size_t end = end_of_user(me);
	const char *name = NULL;
	size_t user = 0;

	for (size_t i = 0; i < end; i++) {
		const char *here = runtime_mpi_function(l, spans_pc(&me->raw->items[i]));
		if (runtime_is_mpi(l, spans_pc(&me->raw->items[i])))
			user = i + 1;
		name = here ? here : name; /* the outermost: libraries call each other's entries */
	}
	*ret_user = user;
	if (!name && user && user < end)
		name = runtime_mpi_function(
			l, call_site_before(me->w->calls, me->raw->items[user].pc).target);
	return name;
}

/* In a function of MPI's, whether it sleeps or polls there. false: it is in none. */
static bool wait_in_mpi(struct waiter *me)
{
	size_t user;
	const char *name = find_mpi_function(me, &user);

	if (!name)
		return false;
	me->wait->place.pc = user < end_of_user(me) ? spans_pc(&me->raw->items[user]) : 0;
	me->wait->kind = WAIT_MPI;
	me->wait->source = SOURCE_INFERRED;
	me->wait->spinning = !me->parked->blocked.in_call;
	set_name(me, name);
	return true;
}

/* What the name of a function of the C library tells. */
static enum wait_kind kind_by_function(const char *function)
{
	static const struct {
		const char *start;
		enum wait_kind kind;
	} functions[] = {
		{ "pthread_mutex_", WAIT_MUTEX }, { "pthread_cond_", WAIT_CONDITION },
		{ "pthread_join", WAIT_JOIN },    { "thrd_join", WAIT_JOIN },
		{ "cnd_", WAIT_CONDITION },       { "mtx_", WAIT_MUTEX },
	};

	for (size_t i = 0; function && i < sizeof(functions) / sizeof(*functions); i++) {
		if (text_starts_with(function, functions[i].start))
			return functions[i].kind;
	}
	return WAIT_SYSCALL;
}

struct sites wait_sites(const struct walk *w, int thread, size_t from, size_t end)
{
	const struct spans *spans = &picture_thread(w->picture, thread)->spans;
	const struct unwind_stack *raw = &w->raw[thread];
	struct sites ret = { 0 };

	for (size_t i = from; i < end && i < spans->len && ret.len < SITES_MAX; i++) {
		if (spans->kinds[i] == CODE_USER)
			ret.pcs[ret.len++] = spans_pc(&raw->items[i]);
	}
	return ret;
}

/* In a loop of the program's that looks at memory. */
static bool watches(const struct waiter *me)
{
	return me->parked->watches.looks;
}

static bool is_shared(const struct waiter *me, taddr at)
{
	const struct map *map = map_list_find(&me->w->runtimes.modules->maps, at);

	return map && map->flags & MAP_SHARED_;
}

static void wait_in_loop(struct waiter *me)
{
	const struct fixed_loop *loop = &me->parked->watches;
	const struct blocked *blocked = &me->parked->blocked;
	struct picture_wait *wait = me->wait;

	wait->place.pc = spans_pc(&me->raw->items[me->parked->watching]);
	wait->kind = WAIT_MEMORY;
	wait->source = SOURCE_INFERRED;
	wait->spinning = !blocked->in_call || blocked->number == SYS_sched_yield;
	wait->object = loop->looks;
	memcpy(wait->looks_at, loop->reads, sizeof(wait->looks_at));
	wait->nlooks_at = loop->len;
	wait->values = loop->more ? 0 : loop->values;
	for (size_t i = 0; i < loop->len; i++)
		wait->shared |= is_shared(me, loop->reads[i]);
}

static void wait_outside(struct waiter *me)
{
	struct picture_wait *wait = me->wait;
	const struct blocked *blocked = &me->parked->blocked;
	const struct unwind_frame *from = caller(me);

	wait->source = SOURCE_MEMORY; /* registers */
	if (wait_in_mpi(me))
		return;
	if (from)
		wait->place.pc = spans_pc(from);
	if (watches(me))
		wait_in_loop(me);
	else
		wait->sites = wait_sites(me->w, me->index, 0, end_of_user(me));
	if (!blocked->in_call || watches(me))
		return;
	const char *function = called_function(me);
	wait->kind = kind_by_function(function);
	wait->fd = blocked_on_fd(blocked);
	wait->object = me->parked->address;
	if (wait->kind == WAIT_MUTEX)
		set_holder(me, thread_of(me->w, pthreads_mutex_owner(me->w->target, wait->object)));
	else if (wait->kind == WAIT_JOIN)
		find_joined(me);
	set_name(me, function ? function : blocked->name);
}

/* ---- all -------------------------------------------------------------------------------- */

/* The user's function whence it jumped to where it waits; NULL: none. */
static const struct call_left *last_left(const struct waiter *me)
{
	const struct spans *spans = &me->thread->spans;

	if (me->span)
		return me->span->nleft ? &me->span->left[me->span->nleft - 1] : NULL;
	/* Into the C library, from what the runtime has called. */
	const struct span *outer = spans->list.items;
	const bool jumped =
		spans->list.len && outer->npassed && spans_behind_system(spans, 0) == outer->inner;
	return jumped ? &outer->passed[outer->npassed - 1] : NULL;
}

static void find_wait(struct walk *w, int index)
{
	struct picture_thread *th = picture_thread(w->picture, index);
	struct waiter me = {
		.w = w,
		.index = index,
		.thread = th,
		.parked = &w->parked[index],
		.raw = &w->raw[index],
		.wait = &th->wait,
	};

	if (!me.raw->len) {
		th->wait.kind = WAIT_UNKNOWN;
		return;
	}
	const struct blocked *blocked = &me.parked->blocked;
	th->wait.settled = blocked->in_call && !blocked_is_over(w->target, blocked);
	th->wait.limited = blocked->in_call && blocked_has_limit(blocked);
	me.span = spans_innermost(&th->spans);
	if (me.span && !watches(&me))
		wait_in_runtime(&me);
	else
		wait_outside(&me);
	left_find(w, index);
	const struct call_left *last = last_left(&me);
	if (last) {
		th->wait.place.pc = last->njumps ? last->jumps[0] : last->function;
		th->wait.place.somewhere = !last->njumps;
	}
}

/* The task that was left by the span of a stack in which the thread executes another one. */
static struct picture_task *task_left(const struct picture *p, const struct picture_thread *th,
				      size_t span)
{
	struct picture_task *task = NULL;

	for (size_t i = span + 1; !task && i < th->spans.list.len; i++)
		task = picture_task(p, th->borders[i].task);
	return task;
}

/* Tasks that wait for others that they have created, also while their thread executes those. */
static void note_waiting_tasks(const struct picture *p)
{
	vec_for_each (th, &p->threads) {
		struct picture_task *task = picture_task(p, th->task);
		if (task && wait_kind_whom(th->wait.kind) == FOR_CHILDREN)
			task->waits = true;
		for (size_t i = 0; th->borders && i < th->spans.list.len; i++) {
			const struct runtime_entry *e = th->spans.list.items[i].entry;
			const bool waits =
				e && (e->point == POINT_TASKWAIT || e->point == POINT_TASKGROUP);
			task = waits ? task_left(p, th, i) : NULL;
			if (task)
				task->waits = true;
		}
	}
}

void wait_find(struct walk *w)
{
	for (int i = 0; !w->failed && i < (int)w->picture->threads.len; i++)
		find_wait(w, i);
	for (size_t i = 0; !w->failed && i < w->nknown; i++) {
		const struct openmp *o = w->known[i].openmp;
		if (o->space && o->ops->refine_barriers)
			o->ops->refine_barriers(w, (int)i);
	}
	note_waiting_tasks(w->picture);
	w->failed |= !arrivals_count(w->picture);
}
