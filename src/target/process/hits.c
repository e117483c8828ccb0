/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/hits.h"

#include "target/process/passing.h"

/* ---- setting and clearing --------------------------------------------------------------- */

static struct error *place(struct tracees *ts, const struct point *p)
{
	if (p->kind == POINT_CODE)
		return sites_plant(&ts->sites, ts->target->arch, p->addr);
	return error_new(ERROR_UNSUPPORTED, "debug registers are not supported");
}

static struct error *take_away(struct tracees *ts, const struct point *p)
{
	return p->kind == POINT_CODE ? passing_unplant(ts, p->addr) : NULL;
}

/* Who stands there already has arrived before there was a point, and is not told of it. */
static void settle_those_there(struct tracees *ts, taddr addr)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		struct thread *th = tracees_at(ts, i);
		uint64_t pc = addr + 1;
		if (th->state != THREAD_STOPPED)
			continue;
		error_ignore(target_get_uint(ts->target, th, ts->target->arch->pc, &pc));
		if (pc == addr)
			th->passage = (struct passage){ addr, .arrived = true, .settled = true };
	}
}

struct error *hits_set_point(struct tracees *ts, const struct point *p)
{
	struct set_point *known = points_find(&ts->points, p->id);
	struct point before = known ? known->point : (struct point){ 0 };
	bool was_placed = known && known->placed;
	struct error *err = points_check(p);

	if (!err)
		err = place(ts, p);
	if (err)
		return error_add(err, "setting a point at 0x%" PRIxTADDR, p->addr);
	if (!points_count(&ts->points, p->kind, p->addr))
		settle_those_there(ts, p->addr);
	err = points_set(&ts->points, p);
	if (err)
		error_ignore(take_away(ts, p));
	else if (was_placed)
		err = take_away(ts, &before);
	return err;
}

static struct error *no_point(unsigned int id)
{
	return error_new(ERROR_NOT_FOUND, "no point has the number %u", id);
}

struct error *hits_clear_point(struct tracees *ts, unsigned int id)
{
	struct set_point *p = points_find(&ts->points, id);

	if (!p)
		return no_point(id);
	struct error *err = p->placed ? take_away(ts, &p->point) : NULL;
	points_drop(&ts->points, p);
	return err;
}

struct error *hits_point_state(struct tracees *ts, unsigned int id, struct point_state *ret)
{
	struct set_point *p = points_find(&ts->points, id);

	if (!p)
		return no_point(id);
	*ret = p->state;
	p->state.condition_failed = false;
	return NULL;
}

struct error *hits_count(struct tracees *ts, unsigned int id, bool *ret_stops)
{
	struct set_point *p = points_find(&ts->points, id);

	if (!p)
		return no_point(id);
	*ret_stops = points_count_hit(p);
	return NULL;
}

void hits_forget(struct tracees *ts)
{
	vec_for_each (p, &ts->points)
		p->placed = false;
}

/* ---- judging ---------------------------------------------------------------------------- */

static size_t read_own(void *context, taddr from, void *ret, size_t len)
{
	return passing_read(context, from, ret, len);
}

static struct error *arrival_of(struct tracees *ts, struct thread *th, struct arrival *ret)
{
	const struct arch *arch = ts->target->arch;
	const uint8_t *general;
	struct error *err = target_general(ts->target, th, &general);

	if (err)
		return err;
	*ret = (struct arrival){
		.lwp = th->lwp,
		.sp = arch_get(arch->sp, general),
		.subject = { arch, general, read_own, ts },
	};
	return NULL;
}

static void judge_each(struct tracees *ts, struct event *event, taddr addr,
		       const struct arrival *arrival)
{
	vec_for_each (p, &ts->points) {
		bool is_code = p->point.kind == POINT_CODE || p->point.kind == POINT_CODE_HARD;
		if (!p->placed || !is_code || p->point.addr != addr)
			continue;
		if (points_judge(p, arrival) && event->npoints < EVENT_POINTS_MAX)
			event->points[event->npoints++] = p->point.id;
	}
}

/* A trap that somebody wants without a point. */
static bool is_planted(const struct tracees *ts, taddr addr)
{
	const struct site *site = sites_find(&ts->sites, addr);

	return site && site->wanted > points_count(&ts->points, POINT_CODE, addr);
}

/* Whether it stops at the site where it has arrived. */
static bool judge(struct tracees *ts, struct event *event)
{
	struct thread *th = event->thread;
	struct arrival arrival;

	th->passage.settled = true;
	struct error *err = arrival_of(ts, th, &arrival);
	if (err) { /* it has been killed: the end is told next */
		error_ignore(err);
		return false;
	}
	judge_each(ts, event, th->passage.at, &arrival);
	return event->npoints || is_planted(ts, th->passage.at);
}

bool hits_judge(struct tracees *ts, struct event *event)
{
	struct thread *th = event->thread;
	bool stepped = event->stop.kind == STOP_STEPPED;

	if (event->stop.kind != STOP_SITE && !stepped)
		return true;
	if (!th->passage.arrived || th->passage.settled || !judge(ts, event))
		return stepped;
	event->stop = (struct stop){ .kind = STOP_SITE, .value = (long)th->passage.at };
	th->stop = event->stop;
	return true;
}
