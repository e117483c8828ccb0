/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/threads.h"

#include <stdlib.h>

void threads_fini(struct threads *t)
{
	vec_for_each (th, &t->items)
		free(th->name);
	vec_fini(&t->items);
}

static void mark_gone(struct threads *t, const struct target *target)
{
	vec_for_each (th, &t->items) {
		if (!th->ended && !target_find_thread(target, th->lwp))
			th->ended = true;
	}
}

struct error *threads_add(struct threads *t, pid_t lwp)
{
	const struct numbered_thread new = { .lwp = lwp, .number = (int)t->items.len + 1 };
	struct numbered_thread *before = threads_by_lwp(t, lwp);

	if (before) /* whose end nobody was told of */
		before->ended = true;
	return vec_push(&t->items, new) ? NULL : &error_nomem;
}

struct error *threads_update(struct threads *t, const struct target *target)
{
	size_t lives = 0;

	vec_for_each (th, &t->items)
		lives += !th->ended && target_find_thread(target, th->lwp);
	mark_gone(t, target);
	if (lives == target->threads.len)
		return NULL;
	vec_for_each (known, &target->threads) {
		enum thread_state state = (*known)->state;
		bool told = state != THREAD_GONE && state != THREAD_NEW && state != THREAD_STARTING;
		if (!told || threads_by_lwp(t, (*known)->lwp))
			continue;
		struct error *err = threads_add(t, (*known)->lwp);
		if (err)
			return err;
	}
	return NULL;
}

void threads_exec(struct threads *t, pid_t was, pid_t leader)
{
	struct numbered_thread *caller = threads_by_lwp(t, was);

	vec_for_each (th, &t->items)
		th->ended = true;
	if (!caller)
		return;
	caller->ended = false;
	caller->lwp = leader;
}

struct numbered_thread *threads_by_number(const struct threads *t, int number)
{
	if (number < 1 || (size_t)number > t->items.len || t->items.items[number - 1].ended)
		return NULL;
	return &t->items.items[number - 1];
}

struct numbered_thread *threads_by_lwp(const struct threads *t, pid_t lwp)
{
	for (size_t i = t->items.len; i-- > 0;) {
		if (t->items.items[i].lwp == lwp && !t->items.items[i].ended)
			return &t->items.items[i];
	}
	return NULL;
}

void threads_mark_held(const struct threads *t, struct picture *p)
{
	vec_for_each (th, &p->threads) {
		const struct numbered_thread *known = threads_by_lwp(t, th->lwp);
		th->held = known && known->frozen ? HELD_BY_HOLD : NOT_HELD;
	}
}

bool threads_are_many(const struct threads *t)
{
	return t->items.len > 1;
}
