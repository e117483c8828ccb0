/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_step.h"

#include <string.h>
#include <time.h>

#include "base/text.h"
#include "debugger/control/decide.h"
#include "debugger/control/resume.h"
#include "debugger/control/step.h"
#include "debugger/control/team_look.h"
#include "debugger/control/team_member.h"

enum mover_state { MOVER_MOVES, MOVER_ASKS, MOVER_ARRIVED, MOVER_LEFT };

struct mover {
	pid_t lwp;
	enum mover_state state;
	struct plan plan;      /* owned */
	bool comes;            /* on its way into the step: then the step itself begins  */
	unsigned int asked_at; /* ASKS: a point of the plan; 0: it has stepped             */
	const char *file;      /* borrowed from the symbols; where it has arrived               */
	int number;            /* line there; 0: none                                            */
	uint64_t footprint;    /* of one that spins, at the last look                          */
};

/* Where threads leave the region: one point for all that do so there. */
struct mover_end {
	taddr addr;
	unsigned int point;
};

struct movers {
	const struct team_step *how;
	struct control *c;
	struct target *target;
	struct team team;           /* owned */
	VEC(struct mover) items;    /* owned; by number in the team                            */
	taddr body;                 /* the user's code of the region; 0: unknown          */
	struct code_places goals;   /* owned; of REACH                                     */
	VEC(struct mover_end) ends; /* owned */
	unsigned int behind;        /* point: the primary thread, out of the region; 0        */
	struct timespec began;
	size_t looks;
	pid_t shown; /* whose place is told */
};

static struct error *answer_all(struct movers *m);

/* ---- words ------------------------------------------------------------------------------ */

static bool same_end(const struct mover *a, const struct mover *b)
{
	return a->state == b->state && a->number == b->number && text_same(a->file, b->file);
}

/* "0.[0-3,5]" of those that have come to the same end; each is told once. */
static void add_group(const struct movers *m, size_t first, struct buf *out)
{
	const struct mover *of = &m->items.items[first];
	const char *sep = "[";
	size_t len = 0;

	for (size_t i = first; i < m->items.len; i++)
		len += same_end(of, &m->items.items[i]);
	if (len == 1) {
		buf_addf(out, "%d.%zu", m->team.number, first);
		return;
	}
	buf_addf(out, "%d.", m->team.number);
	for (size_t i = first; i < m->items.len; i++) {
		size_t last = i;
		if (!same_end(of, &m->items.items[i]))
			continue;
		while (last + 1 < m->items.len && same_end(of, &m->items.items[last + 1]))
			last++;
		buf_addf(out, last > i ? "%s%zu-%zu" : "%s%zu", sep, i, last);
		sep = ",";
		i = last;
	}
	buf_addc(out, ']');
}

static bool is_first_of_group(const struct movers *m, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (same_end(&m->items.items[k], &m->items.items[i]))
			return false;
	}
	return true;
}

static void add_end(const struct mover *of, struct buf *out)
{
	const char *slash = of->file ? strrchr(of->file, '/') : NULL;

	if (of->state == MOVER_LEFT)
		buf_adds(out, " left the region");
	else if (of->file)
		buf_addf(out, " at %s:%d", slash ? slash + 1 : of->file, of->number);
	else
		buf_adds(out, " where no line is");
}

static struct error *stop_with(struct movers *m, struct stop_report *r, const struct buf *missing)
{
	AUTO_BUF text = { 0 };
	const char *sep = "";

	for (size_t i = 0; i < m->items.len; i++) {
		const struct mover *of = &m->items.items[i];
		if ((of->state != MOVER_ARRIVED && of->state != MOVER_LEFT) ||
		    !is_first_of_group(m, i))
			continue;
		buf_adds(&text, sep);
		add_group(m, i, &text);
		add_end(of, &text);
		sep = ", ";
	}
	if (missing->len)
		buf_addf(&text, "%s%s", *sep ? "; " : "", buf_text(missing));
	free(r->text);
	r->kind = STOPPED_TEAM;
	r->text = buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
	return r->text ? NULL : &error_nomem;
}

/* ---- plans ------------------------------------------------------------------------------ */

static struct error *select_mover(struct movers *m, const struct mover *of)
{
	struct thread *th = target_find_thread(m->target, of->lwp);

	if (!th)
		return error_new(ERROR_GONE, "thread %d has ended", of->lwp);
	frames_select(&m->c->frames, m->c->live, th, of->plan.hidden);
	return NULL;
}

static struct error *arrive(struct movers *m, struct mover *of)
{
	const struct unwind_frame *raw;
	const struct plan_context context = control_plans(m->c);
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

/* Where the user's code of the region begins, by a thread that is in it. */
static struct error *find_body(struct movers *m)
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

/* The step itself, from where the thread stands in user code. */
static struct error *begin_step(struct movers *m, struct mover *of)
{
	const struct plan_context context = control_plans(m->c);
	enum plan_answer answer = PLAN_GOES_ON;
	struct error *err = NULL;

	of->comes = false;
	of->plan.kind = m->how->kind;
	of->plan.lwp = of->lwp;
	of->plan.count = 1;
	if (m->how->kind == PLAN_FINISH) {
		bool leaves;
		err = finish_region(m, of, &leaves);
		if (!err && !leaves)
			err = step_begin_finish(&of->plan, &context, 0);
		if (error_is(err, ERROR_USAGE)) { /* the outermost: it leaves the region */
			error_ignore(err);
			err = NULL;
			of->plan.move = MOVE_RUN;
		}
	} else if (m->how->kind == PLAN_REACH) {
		err = step_begin_reach(&of->plan, &context, &m->goals, 0, m->how->anywhere);
	} else {
		err = step_begin(&of->plan, &context, &answer);
	}
	return !err && answer == PLAN_DONE ? arrive(m, of) : err;
}

/* In the runtime: back into the user's code first. */
static struct error *come_back(struct movers *m, struct mover *of, size_t frame)
{
	const struct plan_context context = control_plans(m->c);

	of->plan = (struct plan){ .kind = PLAN_FINISH, .lwp = of->lwp, .count = 1 };
	of->comes = true;
	return step_begin_finish(&of->plan, &context, frame);
}

/* Not here yet: to the beginning of the region's code. */
static struct error *come_in(struct movers *m, struct mover *of)
{
	const struct plan_context context = control_plans(m->c);
	const taddr body = places_skip_prologue(m->c->live->symbols, m->body);

	of->plan =
		(struct plan){ .kind = PLAN_REACH, .lwp = of->lwp, .count = 1, .move = MOVE_RUN };
	of->comes = true;
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

static struct error *begin_mover(struct movers *m, struct mover *of, const struct team_member *from)
{
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

/* ---- beginning -------------------------------------------------------------------------- */

static struct error *check_held(const struct movers *m)
{
	for (size_t i = 0; i < m->items.len; i++) {
		const struct numbered_thread *th =
			threads_by_lwp(&m->c->threads, m->items.items[i].lwp);
		if (th && th->frozen)
			return error_new(
				ERROR_USAGE,
				"thread %d.%zu is held: 'omp release %d.%zu' lets it go on",
				m->team.number, i, m->team.number, i);
		if (!m->items.items[i].lwp)
			return error_new(ERROR_USAGE, "thread %d.%zu is not known yet",
					 m->team.number, i);
	}
	return NULL;
}

static struct error *plant(struct movers *m, taddr addr, pid_t lwp, unsigned int *ret)
{
	const struct point point = {
		.id = ++m->c->next_point, .kind = POINT_CODE, .addr = addr, .lwp = lwp
	};
	struct error *err = target_set_point(m->target, &point);

	if (!err)
		*ret = point.id;
	return err;
}

static struct error *find_goals(struct movers *m)
{
	AUTO_LINESPEC spec = { 0 };
	const struct linespec_context where = control_linespecs(m->c);
	int line;
	struct error *err = linespec_parse(m->how->place, &spec);

	return err ? err : linespec_resolve(&spec, &where, &m->goals, &line);
}

/* Since the last step nobody has run: the team is what it was. */
static bool find_kept(struct movers *m)
{
	struct control *c = m->c;
	struct team *kept = c->kept_team.team;

	if (!kept || c->kept_team.then != c->live->target->changes ||
	    team_member_of(kept, c->selected) < 0)
		return false;
	m->team = *kept;
	free(kept);
	c->kept_team.team = NULL;
	return true;
}

static void free_team(void *team)
{
	team_fini(team);
	free(team);
}

/* If all are still where the team was found. */
static void keep_team(struct movers *m)
{
	struct control *c = m->c;
	struct team *kept;

	vec_for_each (of, &m->items) {
		const struct team_member *from = &m->team.members.items[of - m->items.items];
		if (of->state != MOVER_ARRIVED || !from->here || !from->end)
			return;
	}
	kept = malloc(sizeof(*kept));
	if (!kept)
		return;
	*kept = m->team;
	m->team = (struct team){ 0 };
	c->kept_team.team = kept;
	c->kept_team.free = free_team;
	c->kept_team.then = c->live->target->changes;
}

static struct error *find_team(struct movers *m)
{
	AUTO_LOOK l = { 0 };

	if (find_kept(m))
		return NULL;
	control_forget_team(m->c);
	struct error *err = team_look(m->c, false, &l);

	return err ? err : team_find(m->c, &l, &m->team);
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

static struct error *begin_all(struct movers *m)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < m->items.len; i++)
		err = begin_mover(m, &m->items.items[i], &m->team.members.items[i]);
	vec_for_each (from, &m->team.members) {
		if (!err && from->end)
			err = plant_end(m, from->end);
	}
	if (!err && m->team.behind)
		err = plant(m, m->team.behind, m->team.primary, &m->behind);
	return err;
}

static struct error *init(struct movers *m)
{
	struct error *err = control_need_live(m->c);

	if (!err)
		err = find_team(m);
	vec_for_each (from, &m->team.members) {
		const struct mover made = { .lwp = from->lwp };
		if (!err && !vec_push(&m->items, made))
			err = &error_nomem;
	}
	if (!err)
		err = threads_update(&m->c->threads, m->c->live->target);
	if (!err)
		err = check_held(m);
	if (!err && m->how->kind == PLAN_REACH)
		err = find_goals(m);
	if (err)
		return err;
	m->target = m->c->live->target;
	m->c->stands = true;
	err = find_body(m);
	if (err)
		return err;
	clock_gettime(CLOCK_MONOTONIC, &m->began);
	return begin_all(m);
}

static void fini(struct movers *m)
{
	struct control *c = m->c;
	const bool same = c->live && c->runs && c->live->target == m->target;
	const struct plan_context context = control_plans(c);

	if (same && !c->stands)
		error_ignore(target_stop_all(m->target));
	vec_for_each (of, &m->items) {
		if (same)
			plan_drop(&of->plan, &context);
		plan_forget(&of->plan);
	}
	vec_for_each (end, &m->ends) {
		if (same)
			error_ignore(target_clear_point(m->target, end->point));
	}
	if (same && m->behind)
		error_ignore(target_clear_point(m->target, m->behind));
	if (same)
		keep_team(m);
	vec_fini(&m->items);
	vec_fini(&m->ends);
	vec_fini(&m->goals);
	team_fini(&m->team);
}

/* ---- events ----------------------------------------------------------------------------- */

static struct mover *find_mover(const struct movers *m, pid_t lwp)
{
	vec_for_each (of, &m->items) {
		if (of->lwp == lwp)
			return of;
	}
	return NULL;
}

/* Somebody is within a line: what it comes to is awaited before anybody is asked. */
static bool any_steps(const struct movers *m)
{
	vec_for_each (of, &m->items) {
		if (of->state == MOVER_MOVES && of->plan.move != MOVE_RUN)
			return true;
	}
	return false;
}

static bool any_moves(const struct movers *m)
{
	vec_for_each (of, &m->items) {
		if (of->state == MOVER_MOVES || of->state == MOVER_ASKS)
			return true;
	}
	return false;
}

static struct error *answer(struct movers *m, struct mover *of)
{
	const struct plan_context context = control_plans(m->c);
	const struct plan_point *at = plan_find_point(&of->plan, of->asked_at);
	enum plan_answer answer = PLAN_GOES_ON;
	struct error *err;

	of->plan.hidden = 0;
	err = select_mover(m, of);
	of->state = MOVER_MOVES;
	if (!err)
		err = step_answer(&of->plan, &context, at, &answer);
	if (err || answer != PLAN_DONE)
		return err;
	if (!of->comes)
		return arrive(m, of);
	/* Back in the user's code: the step from here on. */
	plan_end(&of->plan, &context);
	err = select_mover(m, of);
	return err ? err : begin_step(m, of);
}

static struct error *answer_all(struct movers *m)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < m->items.len; i++) {
		if (m->items.items[i].state == MOVER_ASKS)
			err = answer(m, &m->items.items[i]);
	}
	return err;
}

/* Out of the region: all but the primary thread run on. */
static struct error *leave(struct movers *m, struct mover *of)
{
	const struct plan_context context = control_plans(m->c);
	const bool goes_on = of->lwp == m->team.primary && m->behind;

	plan_drop(&of->plan, &context);
	of->state = goes_on ? MOVER_MOVES : MOVER_LEFT;
	of->plan.move = MOVE_RUN;
	of->plan.lwp = of->lwp;
	return NULL;
}

static bool is_at(struct movers *m, struct thread *th, taddr wanted)
{
	uint64_t sp = 0;
	struct error *err = target_get_uint(m->target, th, m->target->arch->sp, &sp);

	error_ignore(err);
	return !err && sp == wanted;
}

static const struct mover_end *find_end(const struct movers *m, unsigned int point)
{
	vec_for_each (end, &m->ends) {
		if (end->point == point)
			return end;
	}
	return NULL;
}

/* The end of the region goes before whatever else its plan waits for there. */
static bool takes_end(struct movers *m, struct mover *of, const struct event *event)
{
	const struct team_member *from = &m->team.members.items[of - m->items.items];

	for (size_t i = 0; i < event->npoints; i++) {
		const struct mover_end *end = find_end(m, event->points[i]);
		if (end && end->addr == from->end && of->state == MOVER_MOVES &&
		    is_at(m, event->thread, from->end_sp))
			return true;
	}
	return false;
}

/* false: it is none of ours. */
static bool take_point(struct movers *m, struct mover *of, struct thread *th, unsigned int id,
		       struct error **ret)
{
	if (id == m->behind) {
		if (is_at(m, th, m->team.behind_sp)) {
			frames_select(&m->c->frames, m->c->live, th, 0);
			*ret = arrive(m, of);
		}
	} else if (plan_find_point(&of->plan, id)) {
		of->state = MOVER_ASKS;
		of->asked_at = id;
	} else {
		return find_end(m, id);
	}
	return true;
}

static struct error *advance(struct movers *m, struct stop_report *r, bool *ret_stops)
{
	AUTO_BUF none = { 0 };
	struct error *err = any_steps(m) ? NULL : answer_all(m);

	if (err || any_moves(m))
		return err;
	*ret_stops = true;
	return stop_with(m, r, &none);
}

static pid_t shown_thread(const struct movers *m)
{
	const struct mover *selected = find_mover(m, m->shown);

	if (selected && selected->state == MOVER_ARRIVED)
		return m->shown;
	vec_for_each (of, &m->items) {
		if (of->state == MOVER_ARRIVED)
			return of->lwp;
	}
	return m->shown;
}

static struct error *take_away(struct control *c, const struct event *event, struct stop_report *r,
			       const char *name, bool *ret_stops)
{
	AUTO_BUF text = { 0 };
	struct error *err = decide_event(c, event, r, ret_stops);

	if (err || *ret_stops)
		return err;
	buf_addf(&text, "%s is given up: the program %s", name,
		 event->stop.kind == STOP_EXEC ? "executes another one"
					       : "has forked, and its child is followed");
	free(r->text);
	r->kind = STOPPED_TEAM;
	r->text = strdup(buf_text(&text));
	*ret_stops = true;
	return r->text ? NULL : &error_nomem;
}

static struct error *take(struct control *c, void *self, const struct event *event,
			  struct stop_report *r, pid_t *ret_lwp, bool *ret_stops, bool *ret_own)
{
	struct movers *m = self;
	const enum stop_kind kind = event->stop.kind;
	struct mover *of = event->thread ? find_mover(m, event->thread->lwp) : NULL;
	struct error *err = NULL;
	size_t own = 0;

	m->looks = 0;
	if (kind == STOP_EXEC ||
	    ((kind == STOP_FORK || kind == STOP_VFORK) && c->settings.follow == FOLLOW_CHILD)) {
		*ret_own = true;
		return take_away(c, event, r, c->driver->name, ret_stops);
	}
	if (!of || (kind != STOP_STEPPED && kind != STOP_SITE && kind != STOP_WATCHPOINT))
		return NULL;
	const bool leaves = kind == STOP_SITE && takes_end(m, of, event);
	if (leaves)
		err = leave(m, of);
	for (size_t i = 0; !err && kind != STOP_STEPPED && i < event->npoints; i++)
		own += leaves || take_point(m, of, event->thread, event->points[i], &err);
	*ret_own = kind == STOP_STEPPED || own == event->npoints;
	if (!own && of->state == MOVER_MOVES && of->plan.move != MOVE_RUN) {
		of->state = MOVER_ASKS;
		of->asked_at = 0;
	}
	if (!err)
		err = advance(m, r, ret_stops);
	if (*ret_stops) {
		*ret_lwp = shown_thread(m);
		*ret_own = true;
	}
	return err;
}

/* ---- going on --------------------------------------------------------------------------- */

static bool stays(const struct control *c, const struct movers *m, const struct thread *th)
{
	const struct numbered_thread *known = threads_by_lwp(&c->threads, th->lwp);
	const struct mover *of = find_mover(m, th->lwp);

	if (known && known->frozen)
		return true;
	return of && (of->state == MOVER_ARRIVED || of->state == MOVER_ASKS);
}

static struct error *move(struct movers *m, struct thread *th)
{
	const struct mover *of = find_mover(m, th->lwp);
	const bool steps = of && of->state == MOVER_MOVES;

	if (steps && of->plan.move == MOVE_RANGE)
		return target_step_range(m->target, th, of->plan.way.start, of->plan.way.end);
	return target_resume(m->target, th,
			     steps && of->plan.move == MOVE_STEP ? RESUME_STEP : RESUME_CONTINUE);
}

static struct error *go_on(struct control *c, void *self)
{
	struct movers *m = self;
	struct error *err = NULL;

	vec_for_each (th, &m->target->threads)
		(*th)->held = stays(c, m, *th);
	for (size_t i = 0; !err && i < m->target->threads.len; i++) {
		struct thread *th = m->target->threads.items[i];
		if (!th->held && th->state == THREAD_STOPPED)
			err = move(m, th);
	}
	return err;
}

/* ---- who cannot arrive ------------------------------------------------------------------ */

static bool is_late(const struct movers *m)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	double passed = (double)(now.tv_sec - m->began.tv_sec) +
			(double)(now.tv_nsec - m->began.tv_nsec) / 1e9;
	return m->how->seconds > 0 && passed >= m->how->seconds;
}

/* All that have not arrived wait, for what they waited for at the last look. */
static bool all_wait(struct movers *m, const struct picture *p, struct buf *text)
{
	bool ret = true;

	for (size_t i = 0; i < m->items.len; i++) {
		struct mover *of = &m->items.items[i];
		const struct picture_thread *th = picture_thread(p, team_thread(p, of->lwp));
		if (of->state != MOVER_MOVES || !th)
			continue;
		const uint64_t before = of->footprint;
		of->footprint = th->footprint + (uint64_t)th->wait.kind + 1;
		ret &= team_look_is_blocked(th) && of->footprint == before;
		buf_adds(text, text->len ? "; " : "");
		team_look_add_wait(p, team_thread(p, of->lwp), text);
	}
	return ret;
}

static struct error *look(struct control *c, void *self, struct stop_report *r, pid_t *ret_lwp,
			  bool *ret_stops)
{
	struct movers *m = self;
	AUTO_LOOK l = { 0 };
	AUTO_BUF text = { 0 };
	const bool late = is_late(m);

	/* Once a little while after the last event, and then now and then. */
	if (++m->looks % 4 && !late)
		return NULL;
	struct error *err = target_stop_all(m->target);
	c->stands = !err;
	if (!err)
		err = team_look(c, false, &l);
	if (err)
		return err;
	const bool waits = all_wait(m, &l.snapshot->picture, &text);
	if (!waits && !late)
		return NULL;
	err = waits ? team_look_verdict(&l, &text) : NULL;
	if (!err)
		err = stop_with(m, r, &text);
	*ret_stops = true;
	*ret_lwp = shown_thread(m);
	return err;
}

/* ---- the command ------------------------------------------------------------------------ */

struct error *team_step(struct control *c, const struct team_step *how, struct stop_report *ret)
{
	struct movers m = { .how = how, .c = c, .shown = c->selected };
	const struct driver driver = {
		.name = "omp step --team", .go_on = go_on, .take = take, .look = look, .self = &m
	};
	struct stop_report begun = { 0 };
	bool stops = false;
	struct error *err = init(&m);

	if (!err)
		err = advance(&m, &begun, &stops);
	if (!err && !stops)
		err = resume_driven(c, &driver, ret);
	else if (!err)
		control_notice(c, &(struct notice){ .kind = NOTICE_TEAM, .text = begun.text });
	stop_report_fini(&begun);
	if (!err && ret->kind == STOPPED_TEAM)
		err = team_look_show_caller(c, ret);
	fini(&m);
	return err;
}
