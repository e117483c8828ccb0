/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/called.h"

#include <stdlib.h>

static void called_fini(struct called *one)
{
	register_sets_fini(&one->saved);
}

void called_forget(struct called_list *l)
{
	vec_for_each (one, l)
		called_fini(one);
	vec_fini(l);
}

struct called *called_find(const struct called_list *l, unsigned int point)
{
	vec_for_each (one, l) {
		if (one->point == point)
			return one;
	}
	return NULL;
}

static bool has_call(const struct called_list *l, pid_t lwp)
{
	vec_for_each (one, l) {
		if (one->lwp == lwp)
			return true;
	}
	return false;
}

/* Stacks end for nobody at such a frame. */
static struct error *tell_unwinder(const struct called_list *l, struct session *s)
{
	struct unwind_break *breaks = calloc(l->len + 1, sizeof(*breaks));

	if (!breaks)
		return &error_nomem;
	for (size_t i = 0; i < l->len; i++) {
		const struct called *one = &l->items[i];
		breaks[i] = (struct unwind_break){ one->lwp, one->at, one->sp,
						   one->saved.bytes[REGSET_GENERAL] };
	}
	unwinder_set_breaks(s->unwinder, breaks, l->len);
	s->target->changes++;
	return NULL;
}

struct error *called_add(struct called_list *l, struct session *s, struct called *one)
{
	const struct point p = { .id = one->point,
				 .kind = POINT_CODE,
				 .addr = one->at,
				 .lwp = one->lwp,
				 .sp_above = one->sp - 1 };
	/* Should ompdb die, the thread is what it was before the first of them. */
	struct error *err = has_call(l, one->lwp)
				    ? NULL
				    : target_keep_registers(s->target, one->lwp, &one->saved);
	if (!err)
		err = target_set_point(s->target, &p);

	if (!err && !vec_push(l, *one))
		err = &error_nomem;
	if (err) {
		called_fini(one);
		return err;
	}
	return tell_unwinder(l, s);
}

struct error *called_undo(struct called_list *l, struct session *s, struct called *one)
{
	struct thread *th = target_find_thread(s->target, one->lwp);
	const pid_t lwp = one->lwp;
	size_t first = (size_t)(one - l->items), kept = first;

	if (th && one->saved.len[REGSET_GENERAL])
		call_sleep_settle(&one->sleep, s->target, lwp, one->saved.bytes[REGSET_GENERAL]);
	struct error *err = th ? target_load_registers(s->target, th, &one->saved) : NULL;
	if (th)
		thread_errno_put_back(&one->number, s->target);

	if (th)
		th->signal = one->signal;
	for (size_t i = first; i < l->len; i++) {
		struct called *later = &l->items[i];
		if (later->lwp != lwp) {
			l->items[kept++] = *later;
			continue;
		}
		struct error *cleared = target_clear_point(s->target, later->point);
		error_ignore(cleared); /* the process has ended */
		called_fini(later);
	}
	l->len = kept;
	if (!err && !has_call(l, lwp))
		err = target_keep_registers(s->target, lwp, NULL);
	struct error *told = tell_unwinder(l, s);
	if (err)
		error_ignore(told);
	return err ? err : told;
}
