/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_finish.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/control/creator_wait.h"
#include "debugger/control/region_end.h"

struct adding {
	struct plan *plan;
	const struct plan_context *context;
	pid_t lwp;
};

static struct error *add_entry(void *context, taddr entry)
{
	struct adding *a = context;

	return plan_set_point(
		a->plan, a->context,
		&(struct plan_wish){ .role = ROLE_WAITS, .addr = entry, .lwp = a->lwp });
}

static struct error *watch_end(struct plan *p, const struct plan_context *c, pid_t lwp)
{
	struct region_end end;
	struct error *err = region_end_find(c->session, lwp, &end);

	return err ? err : region_end_watch(p, c, &end, ROLE_LEFT);
}

/* Behind the wait the task is over. */
static struct error *go_behind(struct plan *p, const struct plan_context *c,
			       const struct creator_wait *wait)
{
	p->construct.told = TOLD_CREATOR;
	if (!wait->pc)
		return watch_end(p, c, wait->lwp);
	return plan_set_point(p, c,
			      &(struct plan_wish){ .role = ROLE_GOAL,
						   .addr = wait->pc,
						   .sp_above = wait->sp_above,
						   .lwp = wait->lwp });
}

static struct error *watch(struct plan *p, const struct plan_context *c, pid_t creator)
{
	struct adding a = { p, c, creator };
	struct error *err = creator_wait_entries(c->session, add_entry, &a);

	p->construct.told = TOLD_NOT_WAITED;
	return err ? err : watch_end(p, c, p->lwp);
}

struct error *task_finish_begin(struct plan *p, const struct plan_context *c)
{
	struct plan_construct *k = &p->construct;
	struct creator_wait wait;
	struct error *err = plan_stand(c);

	free(k->file);
	*k = (struct plan_construct){ 0 };
	if (!err)
		err = creator_wait_find(c->session, p->lwp, 0, &wait);
	if (err)
		return err;
	memcpy(k->by, wait.own, sizeof(k->by));
	memcpy(k->now, wait.creator, sizeof(k->now));
	k->creator = wait.task;
	p->move = MOVE_RUN;
	return wait.waits ? go_behind(p, c, &wait) : watch(p, c, wait.lwp);
}

struct error *task_finish_waits(struct plan *p, const struct plan_context *c)
{
	struct creator_wait wait;
	struct error *err = plan_stand(c);

	if (!err)
		err = creator_wait_find(c->session, p->lwp, p->construct.creator, &wait);
	if (error_is(err, ERROR_NOT_FOUND)) { /* its end is to come */
		error_ignore(err);
		return NULL;
	}
	if (err || !wait.waits)
		return err;
	err = plan_drop_points(p, c, ROLE_WAITS);
	if (!err)
		err = plan_drop_points(p, c, ROLE_LEFT);
	return err ? err : go_behind(p, c, &wait);
}
