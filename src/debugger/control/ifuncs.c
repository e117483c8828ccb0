/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/ifuncs.h"

#include "target/symbols/ifunc.h"

static struct chooser *find(const struct control *c, unsigned int point)
{
	vec_for_each (x, &c->choosers) {
		if (x->entry == point || x->back == point)
			return x;
	}
	return NULL;
}

bool ifuncs_has(const struct control *c, unsigned int point)
{
	return find(c, point);
}

static struct error *watch(struct control *c, taddr resolver)
{
	struct point point = { .id = c->next_point + 1, .kind = POINT_CODE, .addr = resolver };

	vec_for_each (x, &c->choosers) {
		if (x->resolver == resolver)
			return NULL;
	}
	if (!vec_push(&c->choosers, (struct chooser){ .resolver = resolver, .entry = point.id }))
		return &error_nomem;
	struct error *err = target_set_point(c->live->target, &point);
	if (err)
		c->choosers.len--;
	else
		c->next_point++;
	return error_add(err, "watching the resolver of a function");
}

struct error *ifuncs_arm(struct control *c)
{
	struct error *err = NULL;

	vec_for_each (b, &c->breakpoints.items) {
		vec_for_each (l, &(*b)->locations) {
			if (!err && l->resolver)
				err = watch(c, l->addr);
		}
	}
	return err;
}

/* The stack pointer is at the return address. */
static struct error *watch_return(struct control *c, struct thread *th, struct chooser *x)
{
	struct target *t = c->live->target;
	uint64_t sp, back;
	struct error *err = target_get_uint(t, th, t->arch->sp, &sp);

	if (!err)
		err = target_read_uint(t, sp, sizeof(back), &back);
	if (err)
		return err;
	struct point point = { .id = ++c->next_point,
			       .kind = POINT_CODE,
			       .addr = back,
			       .lwp = th->lwp,
			       .sp_above = sp };
	err = target_set_point(t, &point);
	if (!err)
		x->back = point.id;
	return err;
}

static struct error *take_result(struct control *c, struct thread *th, const struct chooser *x)
{
	struct target *t = c->live->target;
	const struct chooser done = *x;
	uint64_t chosen;
	struct error *err = target_clear_point(t, done.back);

	if (!err)
		err = target_clear_point(t, done.entry);
	if (!err)
		err = target_get_uint(t, th, t->arch->code_regs[t->arch->code_result], &chosen);
	if (err)
		return err;
	c->choosers.items[x - c->choosers.items] = c->choosers.items[--c->choosers.len];
	ifunc_note(c->live->symbols, done.resolver, chosen);
	return NULL;
}

struct error *ifuncs_answer(struct control *c, struct thread *th, unsigned int point, bool *ret)
{
	struct chooser *x = find(c, point);

	*ret = x->back == point;
	if (x->back == point)
		return take_result(c, th, x);
	return x->back ? NULL : watch_return(c, th, x);
}

void ifuncs_forget(struct control *c)
{
	vec_fini(&c->choosers);
}

void ifuncs_clear(struct control *c, struct target *t)
{
	vec_for_each (x, &c->choosers) {
		error_ignore(target_clear_point(t, x->entry));
		if (x->back)
			error_ignore(target_clear_point(t, x->back));
	}
}
