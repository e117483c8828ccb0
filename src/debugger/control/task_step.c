/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_step.h"

#include <stdio.h>
#include <string.h>

#include "debugger/control/escape.h"
#include "debugger/control/region_end.h"
#include "debugger/control/runtime_copies.h"
#include "target/process/condition.h"

/* ---- conditions ------------------------------------------------------------------------- */

static void add_number(struct buf *out, uint64_t value)
{
	buf_addc(out, CONDITION_CONST);
	for (int i = 0; i < 8; i++)
		buf_addc(out, (char)(value >> 8 * i));
}

/* Argument n of the function that begins there, from 1 on. */
static void add_argument(struct buf *out, const struct arch *a, unsigned int n)
{
	buf_addc(out, CONDITION_REGISTER);
	buf_addc(out, (char)a->code_arguments[n - 1]);
}

/* One of the keys is at argument source, or up to argument size bytes behind it. */
static void add_covers(struct buf *out, const struct arch *a, const struct plan_construct *k,
		       unsigned int source, unsigned int size)
{
	for (size_t i = 0; i < k->nkeys; i++) {
		add_number(out, k->keys[i]);
		add_argument(out, a, source);
		buf_addc(out, CONDITION_SUBTRACT);
		add_argument(out, a, size);
		buf_addc(out, CONDITION_LESS_U);
		/* What has no bytes is copied, too. */
		add_number(out, k->keys[i]);
		add_argument(out, a, source);
		buf_addc(out, CONDITION_EQUAL);
		buf_addc(out, CONDITION_OR);
		if (i)
			buf_addc(out, CONDITION_OR);
	}
}

/* The argument is one of the keys. */
static void add_is_key(struct buf *out, const struct arch *a, const struct plan_construct *k,
		       unsigned int n)
{
	for (size_t i = 0; i < k->nkeys; i++) {
		add_number(out, k->keys[i]);
		add_argument(out, a, n);
		buf_addc(out, CONDITION_EQUAL);
		if (i)
			buf_addc(out, CONDITION_OR);
	}
}

/* ---- points ----------------------------------------------------------------------------- */

/* memcpy() and copiers: (to, from, size). */
enum { COPY_TO = 1, COPY_FROM, COPY_SIZE };

static struct error *read_argument(const struct plan_context *c, unsigned int n, uint64_t *ret)
{
	struct target *t = c->session->target;

	*ret = 0;
	return n ? target_get_uint(t, c->frames->thread,
				   t->arch->code_regs[t->arch->code_arguments[n - 1]], ret)
		 : NULL;
}

static struct error *set(struct plan *p, const struct plan_context *c, enum point_role role,
			 taddr addr, pid_t lwp, const struct buf *condition)
{
	if (!buf_ok(condition))
		return &error_nomem;
	return plan_set_point(
		p, c,
		&(struct plan_wish){
			.role = role, .addr = addr, .lwp = lwp, .condition = condition });
}

/* Where the task begins, whoever executes it. */
static struct error *set_entry(struct plan *p, const struct plan_context *c)
{
	struct plan_construct *k = &p->construct;
	AUTO_BUF condition = { 0 };

	add_is_key(&condition, c->session->target->arch, k, k->call->passed);
	return set(p, c, ROLE_ENTRY, k->function, 0, &condition);
}

static struct error *set_copies(struct plan *p, const struct plan_context *c, taddr at)
{
	AUTO_BUF condition = { 0 };

	add_covers(&condition, c->session->target->arch, &p->construct, COPY_FROM, COPY_SIZE);
	return at ? set(p, c, ROLE_COPY, at, p->lwp, &condition) : NULL;
}

static struct error *set_copier(struct plan *p, const struct plan_context *c, taddr at)
{
	AUTO_BUF condition = { 0 };

	add_is_key(&condition, c->session->target->arch, &p->construct, COPY_FROM);
	return at ? set(p, c, ROLE_COPIER, at, p->lwp, &condition) : NULL;
}

/* ---- beginning -------------------------------------------------------------------------- */

/* What the entry is passed: the task's code, what that is passed, what copies it. */
struct made_task {
	uint64_t function, original, copier;
};

static struct error *read_task(const struct plan_context *c, const struct user_call *call,
			       struct made_task *ret)
{
	struct target *t = c->session->target;
	struct error *err = read_argument(c, call->task ? call->task : call->data, &ret->original);

	if (!err)
		err = read_argument(c, call->copier, &ret->copier);
	if (!err && !call->task)
		return read_argument(c, call->function, &ret->function);
	return err ? err
		   : target_read_uint(t, ret->original + call->routine, sizeof(taddr),
				      &ret->function);
}

struct error *task_step_begin(struct plan *p, const struct plan_context *c, size_t caller,
			      const struct module *runtime, bool *ret)
{
	struct plan_construct *k = &p->construct;
	struct made_task made = { 0 };
	struct region_end end;
	struct error *err = read_task(c, k->call, &made);

	/* A part of the program itself calls memcpy() in a way that is not known: nothing is told
	 * then. */
	const taddr copies =
		!err && !k->call->original ? runtime_copies_at(c->session, runtime) : 0;
	const bool known = k->call->original || copies || made.copier;

	*ret = !err && known && made.function && module_at(c->session->modules, made.function);
	if (!*ret) {
		k->told = TOLD_NOT_FOLLOWED;
		error_ignore(err);
		return NULL;
	}
	k->seeks_task = true;
	k->function = made.function;
	k->keys[0] = made.original;
	k->nkeys = 1;
	err = plan_stand(c);
	if (!err)
		err = region_end_find(c->session, p->lwp, &end);
	if (!err)
		snprintf(k->by, sizeof(k->by), "%s", end.own);
	if (!err)
		err = set_entry(p, c);
	if (!err && !k->call->original)
		err = set_copier(p, c, made.copier);
	if (!err && !k->call->original)
		err = set_copies(p, c, copies);
	return err ? err : escape_run_to_frame(p, c, caller, ROLE_MADE);
}

/* ---- on the way ------------------------------------------------------------------------- */

struct error *task_step_copied(struct plan *p, const struct plan_context *c, enum point_role role)
{
	struct plan_construct *k = &p->construct;
	const taddr here = c->frames->raw.items[0].pc;
	uint64_t to, from, size = 1;
	struct error *err = read_argument(c, COPY_TO, &to);

	if (!err)
		err = read_argument(c, COPY_FROM, &from);
	if (!err && role == ROLE_COPY)
		err = read_argument(c, COPY_SIZE, &size);
	for (size_t i = k->nkeys; !err && i-- > 0 && k->nkeys < TASK_KEYS;) {
		if (k->keys[i] - from < size || k->keys[i] == from)
			k->keys[k->nkeys++] = k->keys[i] - from + to;
	}
	if (!err)
		err = set_entry(p, c);
	/* With enough of them the first one that is executed has long been among them. */
	if (!err && k->nkeys == TASK_KEYS)
		return plan_drop_points(p, c, role);
	return err || role == ROLE_COPIER ? err : set_copies(p, c, here);
}

/* Its region's end is the last moment for it. */
static struct error *watch_end(struct plan *p, const struct plan_context *c)
{
	struct region_end end;
	struct error *err = plan_stand(c);

	if (!err)
		err = region_end_find(c->session, p->lwp, &end);
	return err ? err : region_end_watch(p, c, &end, ROLE_REGION_END);
}

struct error *task_step_made(struct plan *p, const struct plan_context *c, bool *ret)
{
	static const enum point_role over[] = { ROLE_COPY, ROLE_COPIER, ROLE_MADE };
	struct plan_construct *k = &p->construct;
	struct error *err = NULL;

	for (size_t i = 0; i < sizeof(over) / sizeof(*over) && !err; i++)
		err = plan_drop_points(p, c, over[i]);
	/* One that is passed nothing, and of which nothing was copied, is like all others. */
	if (!k->call->original && (k->nkeys > 1 || k->keys[0])) {
		k->nkeys--;
		memmove(k->keys, k->keys + 1, k->nkeys * sizeof(*k->keys));
	}
	*ret = k->nkeys;
	if (err || !*ret)
		return err;
	p->move = MOVE_RUN;
	err = set_entry(p, c);
	return err ? err : watch_end(p, c);
}

struct error *task_step_hands_over(struct plan *p, const struct plan_context *c,
				   const struct user_call *call, bool *ret)
{
	struct plan_construct *k = &p->construct;
	struct made_task made = { 0 };
	uint64_t part = 0;
	struct error *err = call->part ? read_task(c, call, &made) : NULL;

	if (!err && call->part)
		err = target_read_uint(c->session->target, made.original + call->part,
				       sizeof(int32_t), &part);
	*ret = !err && part && module_at(c->session->modules, made.function);
	if (!*ret) {
		error_ignore(err);
		return NULL;
	}
	k->call = call;
	k->seeks_task = k->again = true;
	k->function = made.function;
	k->keys[0] = made.original;
	k->nkeys = 1;
	p->move = MOVE_RUN;
	err = set_entry(p, c);
	return err ? err : watch_end(p, c);
}

struct error *task_step_entered(struct plan *p, const struct plan_context *c, bool at_once)
{
	struct plan_construct *k = &p->construct;
	struct region_end end, before = { 0 };
	const pid_t lwp = c->frames->thread->lwp;
	const bool moves = k->again && !k->enters;
	struct error *err = plan_drop_way(p, c);

	if (!err)
		err = plan_stand(c);
	if (!err)
		err = region_end_find(c->session, lwp, &end);
	if (!err && moves)
		err = region_end_find(c->session, p->lwp, &before);
	const bool same = lwp == p->lwp;
	if (!err)
		err = plan_switch(p, c, lwp);
	if (err)
		return err;
	k->seeks_task = k->again = false;
	k->resumed |= moves;
	if (moves && same)
		return NULL;
	memcpy(k->now, end.own, sizeof(k->now));
	if (at_once || moves)
		memcpy(k->by, at_once ? end.own : before.own, sizeof(k->by));
	k->told = moves ? TOLD_MOVED : TOLD_TASK;
	return NULL;
}
