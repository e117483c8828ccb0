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

static bool is_wanted(const struct control *c, taddr resolver)
{
	vec_for_each (b, &c->breakpoints.items) {
		vec_for_each (l, &(*b)->locations) {
			if (l->resolver && l->addr == resolver)
				return true;
		}
	}
	return false;
}

static struct error *leave_alone(struct target *t, const struct chooser *x)
{
	struct error *err = x->back ? target_clear_point(t, x->back) : NULL;

	return err ? err : target_clear_point(t, x->entry);
}

static void forget(struct control *c, const struct chooser *x)
{
	c->choosers.items[x - c->choosers.items] = c->choosers.items[c->choosers.len - 1];
	c->choosers.len--;
}

/* Those that breakpoints had locations at which are gone. */
static struct error *drop_unwanted(struct control *c)
{
	for (size_t i = c->choosers.len; i-- > 0;) {
		struct chooser *x = &c->choosers.items[i];
		bool wanted = is_wanted(c, x->resolver);
		struct error *err = wanted ? NULL : leave_alone(c->live->target, x);
		if (err)
			return err;
		if (!wanted)
			forget(c, x);
	}
	return NULL;
}

struct error *ifuncs_arm(struct control *c)
{
	struct error *err = drop_unwanted(c);

	vec_for_each (b, &c->breakpoints.items) {
		vec_for_each (l, &(*b)->locations) {
			if (!err && l->resolver)
				err = watch(c, l->addr);
		}
	}
	return err;
}

/*
 * The stack pointer is at the return address. Who was in it before has left it by a jump, or ended
 * there, or is another thread that chooses the same.
 */
static struct error *watch_return(struct control *c, struct thread *th, struct chooser *x)
{
	struct target *t = c->live->target;
	uint64_t sp, back;
	struct error *err = target_get_uint(t, th, t->arch->sp, &sp);

	if (!err)
		err = target_read_uint(t, sp, sizeof(back), &back);
	if (!err && x->back)
		err = target_clear_point(t, x->back);
	x->back = 0;
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
	const taddr resolver = x->resolver;
	uint64_t chosen;
	struct error *err = leave_alone(t, x);

	if (!err)
		err = target_get_uint(t, th, t->arch->code_regs[t->arch->code_result], &chosen);
	if (err)
		return err;
	forget(c, x);
	ifunc_note(c->live->symbols, resolver, chosen);
	return NULL;
}

struct error *ifuncs_answer(struct control *c, struct thread *th, unsigned int point, bool *ret)
{
	struct chooser *x = find(c, point);

	*ret = x->back == point;
	return *ret ? take_result(c, th, x) : watch_return(c, th, x);
}

void ifuncs_forget(struct control *c)
{
	vec_fini(&c->choosers);
}

void ifuncs_clear(struct control *c, struct target *t)
{
	vec_for_each (x, &c->choosers)
		error_ignore(leave_alone(t, x));
}
