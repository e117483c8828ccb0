/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/mover.h"

#include <string.h>

#include "debugger/control/construct_step.h"
#include "debugger/control/step.h"

/* ---- plans ------------------------------------------------------------------------------ */

struct plan_context movers_plans(const struct movers *m)
{
	struct plan_context ret = control_plans(m->c);

	ret.in_team = true;
	return ret;
}

static struct team_member *member_of(struct movers *m, const struct mover *of)
{
	return &m->team.members.items[of - m->items.items];
}

static struct error *select_mover(struct movers *m, const struct mover *of)
{
	struct thread *th = target_find_thread(m->target, of->lwp);

	if (!th)
		return error_new(ERROR_GONE, "thread %d has ended", of->lwp);
	frames_select(&m->c->frames, m->c->live, th, of->plan.hidden);
	return NULL;
}

struct error *mover_arrive(struct movers *m, struct mover *of)
{
	const struct unwind_frame *raw;
	const struct plan_context context = movers_plans(m);
	struct line_range row;
	const size_t hidden = of->plan.hidden;
	struct error *err = frames_raw(&m->c->frames, 0, &raw);

	if (err)
		return err;
	of->state = MOVER_ARRIVED;
	if (raw && places_line_range(m->c->live->symbols, raw->pc, &row)) {
		of->file = row.file;
		of->number = row.line;
	}
	plan_end(&of->plan, &context);
	of->plan.hidden = hidden;
	return NULL;
}

/* clang has a function around the code of a region that it can debug: that is not the user's. */
static bool is_wrapped(const struct frame *frame)
{
	return frame->function && strstr(frame->function, "omp_outlined") &&
	       strstr(frame->function, "_debug__");
}

struct error *movers_find_body(struct movers *m)
{
	enum { DEEPEST = 64 };
	const struct frame *frame = NULL;

	m->body = m->team.function;
	for (size_t level = 0; m->c->frames.thread && level < DEEPEST; level++) {
		struct error *err = frames_get(&m->c->frames, level, &frame);
		if (err || !frame || (frame->entry && frame->entry == m->team.function))
			return err;
		if (is_wrapped(frame) && frame->entry)
			m->body = frame->entry;
	}
	return NULL;
}

static struct error *finish_region(struct movers *m, struct mover *of, bool *ret)
{
	const struct frame *frame = NULL;
	struct error *err = frames_get(&m->c->frames, 0, &frame);

	*ret = !err && frame && is_wrapped(frame);
	if (*ret)
		of->plan.move = MOVE_RUN;
	return err;
}

/* Who has only just come there has reached it. */
static struct error *begin_reach(struct movers *m, struct mover *of, enum plan_answer *ret)
{
	const struct plan_context context = movers_plans(m);
	const struct unwind_frame *raw;
	struct error *err = frames_raw(&m->c->frames, 0, &raw);

	if (err)
		return err;
	vec_for_each (goal, &m->goals) {
		if (of->comes && raw && goal->addr == raw->pc) {
			*ret = PLAN_DONE;
			return NULL;
		}
	}
	return step_begin_reach(&of->plan, &context, &m->goals, 0, m->how->anywhere);
}

static struct error *begin_plan(struct movers *m, struct mover *of, enum plan_answer *ret)
{
	const struct plan_context context = movers_plans(m);
	bool leaves = false;
	struct error *err;

	if (m->how->kind == PLAN_REACH)
		return begin_reach(m, of, ret);
	if (m->how->kind != PLAN_FINISH)
		return of->comes == WAY_BACK ? construct_step_behind(&of->plan, &context, ret)
					     : step_begin(&of->plan, &context, ret);
	err = finish_region(m, of, &leaves);
	if (err || leaves)
		return err;
	err = step_begin_finish(&of->plan, &context, 0);
	if (!error_is(err, ERROR_USAGE))
		return err;
	error_ignore(err); /* the outermost: it leaves the region */
	of->plan.move = MOVE_RUN;
	return NULL;
}

/* The step itself, from where the thread stands in user code. */
static struct error *begin_step(struct movers *m, struct mover *of)
{
	enum plan_answer answer = PLAN_GOES_ON;

	of->plan.kind = m->how->kind;
	of->plan.lwp = of->lwp;
	of->plan.count = 1;
	struct error *err = begin_plan(m, of, &answer);
	of->comes = WAY_NONE;
	/* One that has nowhere to go to, as in code without lines, keeps nobody else from it. */
	if (error_is(err, ERROR_USAGE) || error_is(err, ERROR_NOT_FOUND)) {
		error_ignore(err);
		return mover_arrive(m, of);
	}
	return !err && answer == PLAN_DONE ? mover_arrive(m, of) : err;
}

/* In the runtime: back into the user's code first. */
static struct error *come_back(struct movers *m, struct mover *of, size_t frame)
{
	const struct plan_context context = movers_plans(m);

	of->plan = (struct plan){ .kind = PLAN_FINISH, .lwp = of->lwp, .count = 1 };
	of->comes = WAY_BACK;
	return step_begin_finish(&of->plan, &context, frame);
}

/* Not here yet: to the beginning of the region's code. */
static struct error *come_in(struct movers *m, struct mover *of)
{
	const struct plan_context context = movers_plans(m);
	const taddr body = places_skip_prologue(m->c->live->symbols, m->body);

	of->plan =
		(struct plan){ .kind = PLAN_REACH, .lwp = of->lwp, .count = 1, .move = MOVE_RUN };
	of->comes = WAY_IN;
	return m->body ? plan_add_point(&of->plan, &context, ROLE_GOAL, body, 0) : NULL;
}

/* Frames of the runtime and of the system that it is in, from the inside out. */
static struct error *count_foreign(struct movers *m, size_t *ret)
{
	enum { DEEPEST = 24 };
	const struct frame *frame = NULL;

	for (*ret = 0; *ret < DEEPEST; ++*ret) {
		struct error *err = frames_get(&m->c->frames, *ret, &frame);
		if (err || !frame || frame->file)
			return err;
	}
	return NULL;
}

struct error *mover_begin(struct movers *m, struct mover *of)
{
	const struct team_member *from = member_of(m, of);
	size_t foreign = 0;
	struct error *err = select_mover(m, of);

	if (err)
		return err;
	if (from->ended) {
		of->state = MOVER_LEFT;
		return NULL;
	}
	if (!from->here)
		return come_in(m, of);
	err = count_foreign(m, &foreign);
	if (err)
		return err;
	return foreign ? come_back(m, of, foreign - 1) : begin_step(m, of);
}

/* ---- the region's end ------------------------------------------------------------------- */

static struct error *plant(struct movers *m, taddr addr, pid_t lwp, unsigned int *ret)
{
	const struct plan_context context = movers_plans(m);
	const struct point point = {
		.id = ++m->c->next_point, .kind = POINT_CODE, .addr = addr, .lwp = lwp
	};
	struct error *err = plan_stand(&context);

	if (!err)
		err = target_set_point(m->target, &point);
	if (!err)
		*ret = point.id;
	return err;
}

static struct error *plant_end(struct movers *m, taddr addr)
{
	struct mover_end made = { .addr = addr };

	vec_for_each (end, &m->ends) {
		if (end->addr == addr)
			return NULL;
	}
	struct error *err = plant(m, addr, 0, &made.point);
	if (err || vec_push(&m->ends, made))
		return err;
	error_ignore(target_clear_point(m->target, made.point));
	return &error_nomem;
}

struct error *movers_plant_ends(struct movers *m)
{
	struct error *err = NULL;

	vec_for_each (from, &m->team.members) {
		if (!err && from->end)
			err = plant_end(m, from->end);
	}
	if (!err && m->team.behind && !m->behind)
		err = plant(m, m->team.behind, m->team.primary, &m->behind);
	return err;
}

const struct mover_end *movers_end(const struct movers *m, unsigned int point)
{
	vec_for_each (end, &m->ends) {
		if (end->point == point)
			return end;
	}
	return NULL;
}

void mover_leave(struct movers *m, struct mover *of)
{
	const struct plan_context context = movers_plans(m);
	const bool goes_on = of->lwp == m->team.primary && m->behind;

	plan_drop(&of->plan, &context);
	of->state = goes_on ? MOVER_MOVES : MOVER_LEFT;
	of->plan.move = MOVE_RUN;
	of->plan.lwp = of->lwp;
}

/* Where it will leave the region: the function has a frame by now. */
static struct error *find_end(struct movers *m, struct team_member *from)
{
	enum { DEEPEST = 64 };
	const struct frame *frame = NULL;
	const struct unwind_frame *own, *caller;

	for (size_t level = 0; level < DEEPEST; level++) {
		struct error *err = frames_get(&m->c->frames, level, &frame);
		if (err || !frame)
			return err;
		if (frame->entry == m->team.function && !frame->inlined)
			break;
	}
	const size_t raw = frame->raw;
	struct error *err = frames_raw(&m->c->frames, raw, &own);
	const taddr sp = !err && own ? own->cfa : 0;
	if (!err)
		err = frames_raw(&m->c->frames, raw + 1, &caller);
	if (err || !caller || !sp)
		return err;
	from->here = true;
	from->end = caller->pc;
	from->end_sp = sp;
	return NULL;
}

/* The primary thread: where it comes out of the region could not be seen before. */
static struct error *find_behind(struct movers *m)
{
	const struct plan_context context = movers_plans(m);
	AUTO_LOOK l = { 0 };
	struct error *err = plan_stand(&context);

	if (!err)
		err = team_look(m->c, false, &l);
	if (!err)
		team_find_behind(&l, &m->team);
	return err;
}

/* It has come into the region's code. */
static struct error *enter(struct movers *m, struct mover *of)
{
	struct team_member *from = member_of(m, of);

	if (from->here)
		return NULL;
	struct error *err = find_end(m, from);
	if (!err && of == m->items.items && !m->team.behind)
		err = find_behind(m);
	return err ? err : movers_plant_ends(m);
}

/* ---- answers ---------------------------------------------------------------------------- */

struct error *mover_answer(struct movers *m, struct mover *of)
{
	const struct plan_context context = movers_plans(m);
	const struct plan_point *at = plan_find_point(&of->plan, of->asked_at);
	enum plan_answer answer = PLAN_GOES_ON;

	of->plan.hidden = 0;
	struct error *err = select_mover(m, of);
	of->state = MOVER_MOVES;
	if (!err)
		err = step_answer(&of->plan, &context, at, &answer);
	if (err || answer != PLAN_DONE)
		return err;
	if (!of->comes)
		return mover_arrive(m, of);
	/* Back in the user's code: the step from here on. */
	plan_end(&of->plan, &context);
	err = enter(m, of);
	if (!err)
		err = select_mover(m, of);
	return err ? err : begin_step(m, of);
}
