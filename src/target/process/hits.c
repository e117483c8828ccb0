/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/hits.h"

#include <string.h>

#include "target/process/passing.h"

/* ---- setting and clearing --------------------------------------------------------------- */

static const struct {
	bool hard, data;
	enum debug_kind kind;
} kinds[] = {
	[POINT_CODE] = { false, false, DEBUG_EXECUTE },
	[POINT_CODE_HARD] = { true, false, DEBUG_EXECUTE },
	[POINT_CHANGE] = { true, true, DEBUG_WRITE },
	[POINT_WRITE] = { true, true, DEBUG_WRITE },
	[POINT_READ] = { true, true, DEBUG_ACCESS },
	[POINT_ACCESS] = { true, true, DEBUG_ACCESS },
};

static struct debug_register register_of(const struct point *p)
{
	return (struct debug_register){
		.addr = p->addr,
		.size = kinds[p->kind].data ? p->size : 1,
		.kind = kinds[p->kind].kind,
		.lwp = p->own ? p->lwp : 0,
	};
}

/* Each thread that is to have it is asked now: it is known whether the kernel allows it. */
static struct error *load(struct tracees *ts, pid_t lwp)
{
	struct error *err = NULL;

	vec_for_each (th, &ts->target->threads) {
		if (lwp && (*th)->lwp != lwp)
			continue;
		if (thread_state_stands((*th)->state) && !err)
			err = tracees_unless_gone(
				debug_registers_load(&ts->debug, (*th)->lwp, &(*th)->debug));
	}
	return err;
}

static struct error *take_away(struct tracees *ts, const struct point *p)
{
	const struct debug_register own = register_of(p);

	if (!kinds[p->kind].hard)
		return passing_unplant(ts, p->addr);
	debug_registers_drop(&ts->debug, &own);
	return NULL;
}

static struct error *place(struct tracees *ts, const struct point *p)
{
	const struct debug_register own = register_of(p);

	if (!kinds[p->kind].hard)
		return sites_plant(&ts->sites, ts->target->arch, p->addr);
	if (!debug_registers_work())
		return error_new(
			ERROR_UNSUPPORTED,
			"the debug registers of this machine do nothing, as in some virtual "
			"ones: no watchpoint and no hardware breakpoint would stop here");
	struct error *err = debug_registers_add(&ts->debug, &own);
	if (err)
		return err;
	err = load(ts, own.lwp);
	if (err)
		error_ignore(take_away(ts, p));
	return err;
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

static uint64_t value_at(struct tracees *ts, const struct point *p)
{
	uint64_t value = 0;

	(void)!passing_read(ts, p->addr, &value, p->size);
	return value;
}

static void note_value(struct tracees *ts, struct set_point *p)
{
	if (kinds[p->point.kind].data)
		p->state.was = p->state.is = value_at(ts, &p->point);
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
	if (!err)
		note_value(ts, points_find(&ts->points, p->id));
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

static bool has_fired(const struct thread *th, const struct point *p)
{
	for (size_t i = 0; i < th->nfired; i++) {
		const struct debug_register *r = &th->fired[i];
		if (r->kind == kinds[p->kind].kind && r->addr == p->addr && r->size == p->size)
			return true;
	}
	return false;
}

/* Before the value was read for the last hit, or after it: whose change it was cannot be told. */
static void find_others(struct tracees *ts, const struct set_point *p, struct point_state *ret)
{
	ret->nothers = 0;
	if (p->point.kind != POINT_CHANGE)
		return;
	for (size_t i = 0; i < tracees_len(ts) && ret->nothers < POINT_OTHERS_MAX; i++) {
		if (has_fired(tracees_at(ts, i), &p->point))
			ret->others[ret->nothers++] = tracees_at(ts, i)->lwp;
	}
}

struct error *hits_point_state(struct tracees *ts, unsigned int id, struct point_state *ret)
{
	struct set_point *p = points_find(&ts->points, id);

	if (!p)
		return no_point(id);
	*ret = p->state;
	find_others(ts, p, ret);
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

struct error *hits_tally(struct tracees *ts, unsigned int id, const struct tally **ret)
{
	const struct set_point *p = points_find(&ts->points, id);

	if (!p)
		return no_point(id);
	*ret = &p->tally;
	return NULL;
}

void hits_forget(struct tracees *ts)
{
	notes_drop(&ts->notes, 0);
	vec_for_each (p, &ts->points)
		p->placed = false;
	ts->debug.len = 0;
	ts->debug.setting++;
}

/* ---- judging ---------------------------------------------------------------------------- */

/* What conditions read; the value of a watch is known when its own is asked. */
struct seen {
	struct tracees *ts;
	taddr addr;
	size_t size; /* 0: none is */
	uint64_t value;
};

static size_t read_own(void *context, taddr from, void *ret, size_t len)
{
	const struct seen *seen = context;

	if (len != seen->size || from != seen->addr)
		return passing_read(seen->ts, from, ret, len);
	memcpy(ret, &seen->value, len);
	return len;
}

static uint64_t read_value(struct seen *seen, const struct point *p)
{
	seen->addr = p->addr;
	seen->value = 0;
	seen->size = passing_read(seen->ts, p->addr, &seen->value, p->size);
	if (seen->size < p->size)
		seen->size = 0;
	return seen->value;
}

static struct error *arrival_of(struct tracees *ts, struct thread *th, struct seen *seen,
				struct arrival *ret)
{
	const struct arch *arch = ts->target->arch;
	const uint8_t *general;
	struct error *err = target_general(ts->target, th, &general);

	if (err)
		return err;
	*ret = (struct arrival){
		.lwp = th->lwp,
		.sp = arch_get(arch->sp, general),
		.notes = &ts->notes,
		.subject = { arch, general, read_own, seen, NULL },
	};
	return NULL;
}

static void add(struct event *event, const struct set_point *p)
{
	if (event->npoints < EVENT_POINTS_MAX)
		event->points[event->npoints++] = p->point.id;
}

static void judge_code(struct tracees *ts, struct event *event, taddr addr,
		       const struct arrival *arrival)
{
	vec_for_each (p, &ts->points) {
		if (!p->placed || kinds[p->point.kind].data || p->point.addr != addr)
			continue;
		if (points_judge(p, arrival))
			add(event, p);
	}
	points_end_arrival(arrival);
}

/* Whether the instruction that the thread has just executed has read there. */
static bool has_read(struct tracees *ts, const struct set_point *p, uint64_t before,
		     const struct arrival *arrival)
{
	struct access_code code = { .before = ACCESS_BEFORE };
	const uint8_t *general = arrival->subject.general;

	code.pc = arch_get(ts->target->arch->pc, general);
	code.size = ACCESS_BEFORE +
		    passing_read(ts, code.pc, code.bytes + ACCESS_BEFORE, ACCESS_BEHIND);
	if (passing_read(ts, code.pc - ACCESS_BEFORE, code.bytes, ACCESS_BEFORE) < ACCESS_BEFORE)
		return true; /* at the very beginning of code: nobody knows */
	enum access access = ts->target->arch->access(&code, general, p->point.addr, p->point.size);
	return access == ACCESS_READS || (access == ACCESS_UNKNOWN && p->state.is == before);
}

static void judge_data(struct tracees *ts, struct event *event, const struct arrival *arrival)
{
	struct seen *seen = arrival->subject.context;

	vec_for_each (p, &ts->points) {
		if (!p->placed || !kinds[p->point.kind].data ||
		    !has_fired(event->thread, &p->point))
			continue;
		uint64_t before = p->state.is;
		p->state.is = read_value(seen, &p->point);
		if (p->point.kind == POINT_CHANGE && p->state.is == before)
			continue;
		if (p->point.kind == POINT_READ && !has_read(ts, p, before, arrival))
			continue;
		if (!points_judge(p, arrival))
			continue;
		p->state.was = before;
		add(event, p);
	}
}

/* A trap that somebody wants without a point. */
static bool is_planted(const struct tracees *ts, taddr addr)
{
	const struct site *site = sites_find(&ts->sites, addr);

	return site && site->wanted > site->inner + points_count(&ts->points, POINT_CODE, addr);
}

static bool judge(struct tracees *ts, struct event *event, const struct arrival *arrival)
{
	struct thread *th = event->thread;
	bool arrives = th->passage.arrived && !th->passage.settled;

	if (arrives)
		judge_code(ts, event, th->passage.at, arrival);
	bool is_site = event->npoints || (arrives && is_planted(ts, th->passage.at));
	if (th->nfired)
		judge_data(ts, event, arrival);
	if (is_site)
		event->stop = (struct stop){ .kind = STOP_SITE, .value = (long)th->passage.at };
	else if (event->npoints)
		event->stop = (struct stop){ .kind = STOP_WATCHPOINT };
	return is_site || event->npoints;
}

bool hits_judge(struct tracees *ts, struct event *event)
{
	struct thread *th = event->thread;
	bool stepped = event->stop.kind == STOP_STEPPED;
	struct seen seen = { .ts = ts };
	struct arrival arrival;

	if (event->stop.kind != STOP_SITE && event->stop.kind != STOP_WATCHPOINT && !stepped)
		return true;
	if ((!th->passage.arrived || th->passage.settled) && !th->nfired)
		return stepped;
	struct error *err = arrival_of(ts, th, &seen, &arrival);
	bool stops = !err && judge(ts, event, &arrival);
	error_ignore(err); /* it has been killed: the end is told next */
	th->passage.settled = true;
	th->nfired = 0;
	if (stops)
		th->stop = event->stop;
	return stops || stepped;
}
