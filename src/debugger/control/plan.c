/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/plan.h"

#include <stdlib.h>

static const char *const names[] = {
	[PLAN_NONE] = "continue",
	[PLAN_STEP] = "step",
	[PLAN_NEXT] = "next",
	[PLAN_STEPI] = "stepi",
	[PLAN_NEXTI] = "nexti",
	[PLAN_FINISH] = "finish",
	[PLAN_FINISH_INLINE] = "finish",
	[PLAN_UNTIL] = "until",
	[PLAN_REACH] = "until",
	[PLAN_CALL] = "call",
};

const char *plan_name(const struct plan *p)
{
	return p->kind == PLAN_REACH && !p->stays ? "advance" : names[p->kind];
}

/* Of escape.h: one for all the steps that a thread does one after the other. */
static bool is_watch(enum point_role role)
{
	return role == ROLE_CATCH || role == ROLE_JUMP;
}

struct error *plan_stand(const struct plan_context *c)
{
	if (*c->stands)
		return NULL;
	struct error *err = target_stop_all(c->session->target);
	*c->stands = !err;
	return err;
}

struct error *plan_set_point(struct plan *p, const struct plan_context *c,
			     const struct plan_wish *wish)
{
	struct plan_point *known = NULL;

	vec_for_each (point, &p->points) {
		if (point->role == wish->role && point->addr == wish->addr)
			known = point;
	}
	if (known && is_watch(wish->role))
		return NULL;
	struct error *err = plan_stand(c);
	struct point wanted = {
		.id = known ? known->id : ++*c->next_point,
		.kind = POINT_CODE,
		.addr = wish->addr,
		.lwp = wish->lwp,
		.sp_above = wish->sp_above,
		.condition = wish->condition ? (const uint8_t *)wish->condition->data : NULL,
		.condition_size = wish->condition ? wish->condition->len : 0,
	};
	struct plan_point point = { .id = wanted.id,
				    .role = wish->role,
				    .addr = wish->addr,
				    .sp_above = wish->sp_above,
				    .keyed = wish->condition || wish->lwp != p->lwp };
	if (!err)
		err = target_set_point(c->session->target, &wanted);
	if (!err && known)
		*known = point;
	if (err || known)
		return err;
	return vec_push(&p->points, point) ? NULL : &error_nomem;
}

struct error *plan_add_point(struct plan *p, const struct plan_context *c, enum point_role role,
			     taddr addr, taddr sp_above)
{
	return plan_set_point(
		p, c,
		&(struct plan_wish){
			.role = role, .addr = addr, .sp_above = sp_above, .lwp = p->lwp });
}

struct error *plan_follow(struct plan *p, const struct plan_context *c, pid_t lwp)
{
	struct error *err = NULL;

	p->lwp = lwp;
	for (size_t i = 0; i < p->points.len && !err; i++) {
		const struct plan_point *at = &p->points.items[i];
		if (at->keyed) /* others are not in that process */
			continue;
		err = target_set_point(c->session->target, &(struct point){
								   .id = at->id,
								   .kind = POINT_CODE,
								   .addr = at->addr,
								   .lwp = lwp,
								   .sp_above = at->sp_above,
							   });
	}
	return err;
}

struct error *plan_drop_points(struct plan *p, const struct plan_context *c, enum point_role role)
{
	struct error *err = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < p->points.len; i++) {
		const struct plan_point point = p->points.items[i];
		if (!err && point.role == role)
			err = plan_stand(c);
		if (!err && point.role == role)
			err = target_clear_point(c->session->target, point.id);
		if (err || point.role != role)
			p->points.items[kept++] = point;
	}
	p->points.len = kept;
	return err;
}

struct error *plan_drop_way(struct plan *p, const struct plan_context *c)
{
	static const enum point_role roles[] = {
		ROLE_RETURN, ROLE_BODY,   ROLE_LANDING, ROLE_JUMPED,     ROLE_ENTRY, ROLE_BEHIND,
		ROLE_COPY,   ROLE_COPIER, ROLE_MADE,    ROLE_REGION_END, ROLE_WAITS, ROLE_OUT,
	};
	struct error *err = NULL;

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles) && !err; i++)
		err = plan_drop_points(p, c, roles[i]);
	return err;
}

static void take_back(struct plan *p, const struct plan_context *c, bool all)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->points.len; i++) {
		const struct plan_point point = p->points.items[i];
		if (!all && is_watch(point.role)) {
			p->points.items[kept++] = point;
			continue;
		}
		struct error *err = plan_stand(c);
		if (!err)
			err = target_clear_point(c->session->target, point.id);
		error_ignore(err); /* the process has ended */
	}
	p->points.len = kept;
}

struct error *plan_switch(struct plan *p, const struct plan_context *c, pid_t lwp)
{
	struct error *err = lwp == p->lwp ? NULL : plan_stand(c);

	if (!err && lwp != p->lwp) {
		take_back(p, c, true);
		p->lwp = lwp;
	}
	return err;
}

void plan_end(struct plan *p, const struct plan_context *c)
{
	struct plan next = { .lwp = p->lwp };

	take_back(p, c, false);
	free(p->file);
	free(p->construct.file);
	next.points.items = p->points.items;
	next.points.len = p->points.len;
	next.points.cap = p->points.cap;
	*p = next;
}

void plan_drop(struct plan *p, const struct plan_context *c)
{
	take_back(p, c, true);
	plan_forget(p);
}

void plan_forget(struct plan *p)
{
	vec_fini(&p->points);
	free(p->file);
	free(p->construct.file);
	*p = (struct plan){ 0 };
}

const struct plan_point *plan_find_point(const struct plan *p, unsigned int id)
{
	vec_for_each (point, &p->points) {
		if (point->id == id)
			return point;
	}
	return NULL;
}
