/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/call_end.h"

#include "debugger/control/result.h"
#include "debugger/values/lookup.h"

struct called *call_end_find(struct control *c, const struct event *event)
{
	struct called *ret = NULL;

	for (size_t i = 0; i < event->npoints && !ret; i++)
		ret = called_find(&c->called, event->points[i]);
	return ret;
}

/* finish was told to wait for this: what has been returned is read while it is there. */
static struct error *finish(struct control *c, const struct event *event, struct stop_report *r)
{
	struct scope scope;
	struct value value;

	frames_select(&c->frames, c->live, event->thread, 0);
	struct error *err = frames_scope(&c->frames, 0, &scope);
	if (err)
		return err;
	c->plan.hidden = 0;
	r->kind = STOPPED_FINISHED;
	if (!result_find(&scope, c->plan.finished_pc, &value))
		return NULL;
	return convenience_record(c->values, &value, lookup_types(&scope), &r->result);
}

static bool is_goal(const struct control *c, const struct event *event)
{
	bool ret = false;

	for (size_t i = 0; i < event->npoints; i++) {
		const struct plan_point *p = plan_find_point(&c->plan, event->points[i]);
		ret |= p && p->role == ROLE_GOAL;
	}
	return ret && c->plan.kind == PLAN_FINISH;
}

struct error *call_end_return(struct control *c, const struct event *event, struct called *one,
			      struct stop_report *r)
{
	r->kind = STOPPED_CALL_ENDED;
	r->value = CALL_RETURNED;
	if (c->plan.kind == PLAN_CALL)
		return NULL;
	struct error *err = is_goal(c, event) ? finish(c, event, r) : NULL;
	return err ? err : called_undo(&c->called, c->live, one);
}

bool call_end_leaves(const struct control *c, enum point_role role, struct stop_report *r)
{
	bool jumps = role == ROLE_JUMPED || role == ROLE_LANDING;

	if (c->plan.kind != PLAN_CALL || (!jumps && role != ROLE_TERMINATE))
		return false;
	r->kind = STOPPED_CALL_ENDED;
	r->value = jumps ? CALL_JUMPED : CALL_TERMINATES;
	return true;
}
