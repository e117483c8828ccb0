/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_step.h"

#include <string.h>
#include <time.h>

#include "debugger/control/decide.h"
#include "debugger/control/hang.h"
#include "debugger/control/mover_words.h"
#include "debugger/control/resume.h"

/* ---- beginning -------------------------------------------------------------------------- */

/* Who is held stays where it is, and the others move; so they do if one is gone. */
static struct error *find_still(struct movers *m)
{
	for (size_t i = 0; i < m->items.len; i++) {
		struct mover *of = &m->items.items[i];
		const struct numbered_thread *th = threads_by_lwp(&m->c->threads, of->lwp);
		if (th && th->frozen)
			of->state = MOVER_HELD;
		if (m->team.members.items[i].gone)
			of->state = MOVER_GONE;
		else if (!of->lwp)
			return error_new(ERROR_USAGE,
					 "there is no thread %d.%zu: it has ended, or has not "
					 "begun yet; 'next' and its like move one thread",
					 m->team.number, i);
	}
	return NULL;
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

static struct error *begin_all(struct movers *m)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < m->items.len; i++) {
		if (m->items.items[i].state == MOVER_MOVES)
			err = mover_begin(m, &m->items.items[i]);
	}
	return err ? err : movers_plant_ends(m);
}

static struct error *init(struct movers *m)
{
	struct error *err = control_need_live(m->c);

	if (!err)
		err = find_team(m);
	vec_for_each (from, &m->team.members) {
		const struct mover made = { .lwp = from->lwp };
		struct map_item *item = map_add(&m->by_lwp, (uint64_t)from->lwp);
		if (item)
			item->number = (int64_t)m->items.len;
		if (!err && (!item || !vec_push(&m->items, made)))
			err = &error_nomem;
	}
	if (!err)
		err = threads_update(&m->c->threads, m->c->live->target);
	if (!err)
		err = find_still(m);
	if (!err && m->how->kind == PLAN_REACH)
		err = find_goals(m);
	if (err)
		return err;
	m->target = m->c->live->target;
	m->c->stands = true;
	err = movers_find_body(m);
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
	map_fini(&m->by_lwp);
	vec_fini(&m->ends);
	wait_marks_fini(&m->marks);
	vec_fini(&m->goals);
	team_fini(&m->team);
}

/* ---- events ----------------------------------------------------------------------------- */

static struct mover *find_mover(const struct movers *m, pid_t lwp)
{
	struct map_item *item = map_find(&m->by_lwp, (uint64_t)lwp);

	return item ? &m->items.items[item->number] : NULL;
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

static struct error *answer_all(struct movers *m)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < m->items.len; i++) {
		if (m->items.items[i].state == MOVER_ASKS)
			err = mover_answer(m, &m->items.items[i]);
	}
	return err;
}

static bool is_at(struct movers *m, struct thread *th, taddr wanted)
{
	uint64_t sp = 0;
	struct error *err = target_get_uint(m->target, th, m->target->arch->sp, &sp);

	error_ignore(err);
	return !err && sp == wanted;
}

/* The end of the region goes before whatever else its plan waits for there. */
static bool takes_end(struct movers *m, struct mover *of, const struct event *event)
{
	const struct team_member *from = &m->team.members.items[of - m->items.items];

	for (size_t i = 0; i < event->npoints; i++) {
		const struct mover_end *end = movers_end(m, event->points[i]);
		if (end && end->addr == from->end && of->state == MOVER_MOVES &&
		    is_at(m, event->thread, from->end_sp))
			return true;
	}
	return false;
}

/* The primary thread is out of the region: who has not come into its code has been past it. */
static void leave_missing(struct movers *m)
{
	vec_for_each (of, &m->items) {
		if (of->state == MOVER_MOVES && of->comes == WAY_IN)
			mover_leave(m, of);
	}
}

/* false: it is none of ours. */
static bool take_point(struct movers *m, struct mover *of, struct thread *th, unsigned int id,
		       struct error **ret)
{
	if (id == m->behind) {
		if (is_at(m, th, m->team.behind_sp)) {
			frames_select(&m->c->frames, m->c->live, th, 0);
			*ret = mover_arrive(m, of);
			leave_missing(m);
		}
	} else if (plan_find_point(&of->plan, id)) {
		of->state = MOVER_ASKS;
		of->asked_at = id;
	} else {
		return movers_end(m, id);
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
	return movers_stop(m, r, &none);
}

static pid_t shown_thread(const struct movers *m)
{
	const struct mover *selected = find_mover(m, m->shown);

	if (selected && selected->state == MOVER_ARRIVED)
		return m->shown;
	pid_t ret = m->shown;
	vec_for_each (of, &m->items) {
		if (of->state == MOVER_ARRIVED)
			return of->lwp;
		if (!target_find_thread(m->target, ret)) /* it has ended */
			ret = of->lwp;
	}
	return ret;
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
		mover_leave(m, of);
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
	const struct mover *of = find_mover(m, th->lwp);

	if (of)
		return of->state == MOVER_ARRIVED || of->state == MOVER_ASKS ||
		       of->state == MOVER_HELD;
	const struct numbered_thread *known = threads_by_lwp(&c->threads, th->lwp);
	return known && known->frozen;
}

struct range_steps {
	struct range_step *items;
	size_t len, cap;
};

/* Who steps through a range begins with all others that do. */
static struct error *move(struct movers *m, struct thread *th, struct range_steps *ranges)
{
	const struct mover *of = find_mover(m, th->lwp);
	const bool steps = of && of->state == MOVER_MOVES;

	if (steps && of->plan.move == MOVE_RANGE) {
		const struct range_step step = { th, of->plan.way.start, of->plan.way.end };
		return vec_push(ranges, step) ? NULL : &error_nomem;
	}
	return target_resume(m->target, th,
			     steps && of->plan.move == MOVE_STEP ? RESUME_STEP : RESUME_CONTINUE);
}

static struct error *go_on(struct control *c, void *self)
{
	struct movers *m = self;
	struct range_steps ranges = { 0 };
	struct error *err = NULL;

	vec_for_each (th, &m->target->threads)
		(*th)->held = stays(c, m, *th);
	for (size_t i = 0; !err && i < m->target->threads.len; i++) {
		struct thread *th = m->target->threads.items[i];
		if (!th->held && th->state == THREAD_STOPPED)
			err = move(m, th, &ranges);
	}
	if (!err && ranges.len)
		err = target_step_ranges(m->target, ranges.items, ranges.len);
	vec_fini(&ranges);
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

/* Threads that nobody tells of have ended. */
static void drop_gone(struct movers *m)
{
	vec_for_each (of, &m->items) {
		bool goes = of->state == MOVER_MOVES || of->state == MOVER_ASKS;
		if (goes && !target_find_thread(m->target, of->lwp))
			of->state = MOVER_GONE;
	}
}

/* All that have not arrived wait, and nobody is left who could help them; text: for what. */
static bool all_wait(struct movers *m, const struct picture *p, struct buf *text)
{
	bool ret = team_look_others_wait(&m->team, m->target, p, &m->marks);

	vec_for_each (of, &m->items) {
		const int thread = team_thread(p, of->lwp);
		/* Who has left may execute tasks that others wait for. */
		const bool left = of->state == MOVER_LEFT;
		const struct picture_thread *th = picture_thread(p, thread);
		if (!th || (of->state != MOVER_MOVES && !(left && picture_is_numbered(th))))
			continue;
		ret &= wait_marks_hold(&m->marks, m->target, th) ||
		       team_look_sleeps_outside(m->target, th, m->looks);
		if (left)
			continue;
		buf_adds(text, text->len ? "; " : "");
		team_look_add_wait(p, thread, text);
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
	drop_gone(m);
	if (!err && !any_moves(m)) {
		*ret_lwp = shown_thread(m);
		return advance(m, r, ret_stops);
	}
	if (!err)
		err = team_look(c, false, &l);
	if (err)
		return err;
	const bool waits = all_wait(m, &l.snapshot->picture, &text);
	if (!waits && !late)
		return NULL;
	err = waits ? hang_find_deadlock(c, &l, &m->marks, &text) : NULL;
	drop_gone(m);
	if (!err)
		err = movers_stop(m, r, &text);
	*ret_stops = true;
	*ret_lwp = shown_thread(m);
	return err;
}

/* ---- the command ------------------------------------------------------------------------ */

struct error *team_step(struct control *c, const struct team_step *how, struct stop_report *ret)
{
	struct movers m = { .how = how, .c = c, .shown = c->selected };
	const struct driver driver = {
		.name = how->name, .go_on = go_on, .take = take, .look = look, .self = &m
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
		err = hang_show_caller(c, ret);
	fini(&m);
	return err;
}
