/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/lock_list.h"

#include <stdlib.h>
#include <string.h>

/* A thread and a lock that has to do with it. */
struct fact {
	taddr object;
	size_t thread; /* among the list's */
	bool holds;    /* else it waits    */
	bool certain;
};

struct lock_list {
	VEC(struct fact) facts;
	struct {
		struct lock_thread {
			pid_t lwp;
			char *name; /* owned; "0.2"; NULL: it is in no team */
		} * items;
		size_t len, cap;
	} threads;     /* as in the picture */
	bool complete; /* who has nothing here that it holds, holds nothing */
	enum lock_state (*state)(uint32_t word);
	VEC(struct picture_lock) numbered; /* those that the runtime keeps itself */
	bool failed;
};

void lock_list_free(struct lock_list *l)
{
	if (!l)
		return;
	vec_for_each (th, &l->threads)
		free(th->name);
	vec_fini(&l->threads);
	vec_fini(&l->facts);
	vec_fini(&l->numbered);
	free(l);
}

static void add(struct lock_list *l, taddr object, int thread, bool holds, bool certain)
{
	struct fact made = { object, (size_t)thread, holds, certain };

	if (object && thread >= 0)
		l->failed |= !vec_push(&l->facts, made);
}

static void add_thread(struct lock_list *l, const struct picture *p, int thread)
{
	const struct picture_thread *th = picture_thread(p, thread);
	struct lock_thread made = { .lwp = th->lwp };
	AUTO_BUF name = { 0 };

	if (picture_is_numbered(th)) {
		picture_add_thread_name(&name, p, thread);
		made.name = strdup(buf_text(&name));
		l->failed |= !made.name;
	}
	l->failed |= !vec_push(&l->threads, made);
	if (!wait_kind_traits(th->wait.kind)->is_lock && th->wait.kind != WAIT_MUTEX)
		return;
	add(l, th->wait.object, thread, false, true);
	/* What all who wait for it have in common is found out for each of them. */
	if (th->wait.holder_source == SOURCE_MEMORY)
		add(l, th->wait.object, th->wait.holder, true, true);
}

static bool is_of_program(enum wait_kind kind)
{
	return kind == WAIT_LOCK || kind == WAIT_NEST_LOCK;
}

struct lock_list *lock_list_new(const struct picture *p)
{
	struct lock_list *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->complete = p->holds_complete;
	for (size_t i = 0; i < p->threads.len; i++)
		add_thread(l, p, (int)i);
	vec_for_each (hold, &p->holds) {
		if (is_of_program(hold->kind))
			add(l, hold->object, hold->thread, true, hold->always);
		/* It may be any of them. */
		l->complete &= !is_of_program(hold->kind) || hold->object;
	}
	/* With two runtimes it is not known whose lock it is. */
	if (p->code.len == 1)
		l->state = p->code.items[0].ops->lock_state;
	for (size_t i = 0; p->code.len == 1 && i < p->locks.len; i++)
		l->failed |= !vec_push(&l->numbered, p->locks.items[i]);
	if (!l->failed)
		return l;
	lock_list_free(l);
	return NULL;
}

/* "0.2 (LWP 4711)" */
static void add_name(const struct lock_thread *th, bool with_lwp, struct buf *out)
{
	if (!th->name)
		buf_addf(out, "LWP %d", th->lwp);
	else if (with_lwp)
		buf_addf(out, "%s (LWP %d)", th->name, th->lwp);
	else
		buf_adds(out, th->name);
}

static void add_waiters(const struct lock_list *l, taddr lock, struct buf *out)
{
	const char *before = ", waited for by ";

	vec_for_each (f, &l->facts) {
		if (f->object != lock || f->holds)
			continue;
		buf_adds(out, before);
		add_name(&l->threads.items[f->thread], false, out);
		before = ", ";
	}
}

/* Only one can have it: who does for sure comes before who may. NULL: none, or several may. */
static const struct fact *find_holder(const struct lock_list *l, taddr lock)
{
	const struct fact *found = NULL;

	vec_for_each (f, &l->facts) {
		if (f->object != lock || !f->holds)
			continue;
		if (found && found->certain == f->certain && found->thread != f->thread)
			return NULL;
		if (!found || f->certain)
			found = f;
	}
	return found;
}

static bool any_may_hold(const struct lock_list *l, taddr lock)
{
	vec_for_each (f, &l->facts) {
		if (f->object == lock)
			return true;
	}
	return !l->complete;
}

/* By the word alone, or by what the runtime keeps of the lock of that number. */
static struct picture_lock read_lock(const struct lock_list *l, const struct lock_asked *lock)
{
	vec_for_each (known, &l->numbered) {
		if (known->word == lock->word)
			return *known;
	}
	return (struct picture_lock){
		.state = l->state ? l->state(lock->word) : LOCK_UNKNOWN,
		.thread = -1,
		.count = lock->count,
	};
}

void lock_list_add_lock(const struct lock_list *l, const struct lock_asked *lock, struct buf *out)
{
	const struct picture_lock known = read_lock(l, lock);
	const enum lock_state state = known.state;
	const struct fact *by_code = state == LOCK_FREE ? NULL : find_holder(l, lock->at);
	const struct fact told = { lock->at, (size_t)known.thread, true, true };
	const struct fact *holder = known.thread >= 0 ? &told : by_code;

	if (holder) {
		/* Where all code is understood, nobody else can have what somebody has. */
		const bool certain = holder->certain || (state == LOCK_HELD && l->complete);
		buf_adds(out, certain ? "held by " : "perhaps held by ");
		add_name(&l->threads.items[holder->thread], true, out);
	} else if (state == LOCK_HELD) {
		buf_adds(out, "held, not known by whom");
	} else if (state == LOCK_FREE || !any_may_hold(l, lock->at)) {
		buf_adds(out, "not held");
	} else {
		buf_adds(out, "not known whether held");
	}
	if ((holder || state == LOCK_HELD) && known.count > 1)
		buf_addf(out, ", %ld times", known.count);
	add_waiters(l, lock->at, out);
}

void lock_list_add_mutex(const struct lock_list *l, taddr mutex, pid_t owner, struct buf *out)
{
	struct lock_thread unknown = { .lwp = owner };
	const struct lock_thread *found = &unknown;

	vec_for_each (th, &l->threads) {
		if (th->lwp == owner)
			found = th;
	}
	buf_adds(out, "locked by ");
	add_name(found, true, out);
	add_waiters(l, mutex, out);
}
