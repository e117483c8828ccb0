/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_run.h"

#include <string.h>

#include "debugger/control/decide.h"
#include "debugger/control/hang.h"
#include "debugger/control/resume.h"
#include "debugger/control/team_accesses.h"
#include "debugger/control/team_look.h"

/* An event, or a look, on its way. */
struct happening {
	struct control *c;
	struct team_moves *m;
	struct stop_report *r;
	bool stops;
};

static struct error *stop(struct happening *h, struct buf *text)
{
	h->stops = true;
	return team_moves_stop(h->r, text);
}

static bool any_runs(const struct order *o)
{
	vec_for_each (m, &o->members) {
		if (m->state == MEMBER_RUNS)
			return true;
	}
	return false;
}

/* ---- turns ------------------------------------------------------------------------------ */

/* A turn that has ended elsewhere than in the file that is run again; once is enough. */
static void compare(const struct happening *h)
{
	struct team_moves *m = h->m;
	const struct order_steps *file = m->how->replays, *own = &m->order.done;
	AUTO_BUF text = { 0 };

	for (; file && m->told < own->len && m->told < file->len; m->told++) {
		const struct order_step *is = &own->items[m->told], *was = &file->items[m->told];
		if (is->who == was->who && is->at == was->at)
			continue;
		buf_addf(&text, "Turn %zu is another one than in the file: ", m->told + 1);
		team_moves_add_name(m, is->who, &text);
		buf_addf(&text, " %s, and was %d %s there", order_place_names[is->at], was->who,
			 order_place_names[was->at]);
		team_moves_tell(h->c, &text);
		m->told = SIZE_MAX - 1;
	}
}

static void tell_choice(const struct happening *h, const struct order_choice *choice)
{
	if (choice->left_out >= 0) {
		AUTO_BUF text = { 0 };
		team_moves_add_name(h->m, choice->left_out, &text);
		buf_adds(&text, " has left the region: its turn is left out");
		team_moves_tell(h->c, &text);
	}
	for (size_t i = 0; i < choice->nyields; i++) {
		AUTO_BUF text = { 0 };
		team_moves_add_yield(h->c, h->m, &choice->yields[i], &text);
		buf_adds(&text, ": ");
		team_moves_add_name(h->m, choice->yields[i].whom, &text);
		buf_adds(&text, " runs in its place");
		if (choice->verdict == ORDER_RUN)
			team_moves_tell(h->c, &text);
	}
}

/* They wait for each other; where that is not known, the look says more. */
static struct error *stop_stuck(struct happening *h, const struct order_choice *choice)
{
	const struct order_yield *last =
		choice->nyields ? &choice->yields[choice->nyields - 1] : NULL;
	AUTO_BUF text = { 0 };
	struct error *err = NULL;

	/* Others may be able to, but it is not their turn. */
	if (last && h->m->order.members.items[last->whom].state != MEMBER_HELD)
		buf_adds(&text, "No thread of the team can go on: ");
	for (size_t i = 0; i < choice->nyields; i++) {
		buf_adds(&text, i ? "; " : "");
		team_moves_add_yield(h->c, h->m, &choice->yields[i], &text);
	}
	if (!choice->nyields)
		err = team_look_stuck(h->c, h->m, &text);
	return err ? err : stop(h, &text);
}

/* One that runs alone waits for one that stands. */
static struct error *stop_blocked(struct happening *h, const struct order_yield *y)
{
	AUTO_BUF text = { 0 };

	team_moves_add_yield(h->c, h->m, y, &text);
	h->m->last = h->m->team.members.items[y->who].lwp;
	return stop(h, &text);
}

static struct error *stop_over(struct happening *h)
{
	AUTO_BUF text = { 0 };
	const size_t turns = h->m->order.done.len;

	buf_addf(&text, "The order is through: %zu turn%s", turns, turns == 1 ? "" : "s");
	return stop(h, &text);
}

static struct error *stop_ended(struct happening *h)
{
	AUTO_BUF text = { 0 };
	const size_t turns = h->m->order.done.len, n = h->m->team.members.len;

	buf_addf(&text, "All %zu threads have left the region: %zu turn%s", n, turns,
		 turns == 1 ? "" : "s");
	return stop(h, &text);
}

static struct error *choose(struct happening *h)
{
	struct team_moves *m = h->m;

	if (m->how->policy != ORDER_FREE && any_runs(&m->order))
		return NULL;
	const struct order_choice choice = order_pick(&m->order);
	if (m->how->policy == ORDER_ALONE && choice.nyields)
		return stop_blocked(h, choice.yields);
	tell_choice(h, &choice);
	switch (choice.verdict) {
	case ORDER_RUN:
	case ORDER_WAIT:
		return NULL;
	case ORDER_OVER:
		return stop_over(h);
	case ORDER_ENDED:
		m->phase = TEAM_LEAVES;
		return m->behind ? NULL : stop_ended(h);
	case ORDER_STUCK:
		break;
	}
	return stop_stuck(h, &choice);
}

/* ---- from gathering to turns ------------------------------------------------------------ */

static bool is_needed(const struct team_moves *m, size_t who)
{
	if (m->how->policy == ORDER_ALONE)
		return m->how->list.items[0] == (int)who;
	return m->order.members.items[who].state != MEMBER_HELD;
}

static bool are_here(const struct team_moves *m)
{
	for (size_t i = 0; i < m->team.members.len; i++) {
		if (is_needed(m, i) && !m->team.members.items[i].here)
			return false;
	}
	return true;
}

static struct error *plant_end(struct control *c, struct team_member *member)
{
	const struct point point = {
		.id = ++c->next_point, .kind = POINT_CODE, .addr = member->end, .lwp = member->lwp
	};
	struct error *err = target_set_point(c->live->target, &point);

	if (!err)
		member->end_point = point.id;
	return err;
}

static struct error *stand(struct control *c)
{
	struct error *err = c->stands ? NULL : target_stop_all(c->live->target);

	c->stands = !err;
	return err;
}

static bool is_known(const struct team_member *member, const struct station_call *call)
{
	vec_for_each (known, &member->calls) {
		if (known->back == call->back && known->sp == call->sp)
			return true;
	}
	return false;
}

/* Its return is waited for. */
static struct error *add_call(struct happening *h, int who, const struct station *at,
			      const struct station_call *call)
{
	struct team_member *member = &h->m->team.members.items[who];
	const struct member_call made = { .back = call->back,
					  .sp = call->sp,
					  .place = at->place,
					  .tries = at->tries,
					  .object = call->object };
	struct error *err = stations_add_return(h->c, &h->m->stations, call->back);

	if (err)
		return err;
	if (at->kind == STATION_REGION)
		member->region = made;
	else if (!vec_push(&member->calls, made))
		return &error_nomem;
	return NULL;
}

/* At the entry of a station, which it has been told to have come to before. */
static struct error *begin_at_entry(struct happening *h, int who, bool *ret)
{
	struct team_moves *m = h->m;
	const struct arch *a = m->target->arch;
	struct thread *th = target_find_thread(m->target, m->team.members.items[who].lwp);
	struct station_call call;
	uint64_t pc = 0;

	if (!th || !thread_state_stands(th->state))
		return NULL;
	struct error *err = target_get_uint(m->target, th, a->pc, &pc);
	const struct station *at = err ? NULL : stations_at(&m->stations, pc);
	if (!at || at->kind == STATION_REGION)
		return err;
	*ret = !is_needed(m, (size_t)who); /* it stands there, and does not get in */
	if (*ret)
		return NULL;
	const struct station where = *at;
	err = stations_read_call(h->c, &m->stations, th, at, &call);
	m->team.members.items[who].calls.len = 0;
	if (!err)
		err = add_call(h, who, &where, &call);
	if (!err && !order_arrives(&m->order, who, where.place, where.tries ? 0 : call.object))
		err = &error_nomem;
	*ret = true;
	return err;
}

static struct error *begin_member(struct happening *h, int who)
{
	struct team_moves *m = h->m;
	struct team_member *member = &m->team.members.items[who];
	struct error *err = NULL;
	bool ok = true, at_entry = false;

	if (!member->here || m->order.members.items[who].state == MEMBER_HELD)
		return NULL;
	if (member->ended)
		return order_ends(&m->order, who) ? NULL : &error_nomem;
	err = plant_end(h->c, member);
	if (!err)
		err = begin_at_entry(h, who, &at_entry);
	for (size_t i = 0; !at_entry && !err && i < member->calls.len; i++) {
		err = stations_add_return(h->c, &m->stations, member->calls.items[i].back);
		ok = ok && order_arrives(&m->order, who, member->calls.items[i].place, 0);
	}
	return err || ok ? err : &error_nomem;
}

static struct error *begin_turns(struct happening *h)
{
	struct error *err = stand(h->c);

	if (!err && !h->m->behind && h->m->how->policy != ORDER_ALONE)
		err = team_moves_find_behind(h->c, h->m);
	for (size_t i = 0; !err && i < h->m->team.members.len; i++)
		err = begin_member(h, (int)i);
	if (h->m->how->policy != ORDER_ALONE)
		team_moves_tell_past(h->c, h->m);
	h->m->phase = TEAM_ORDERS;
	return err;
}

static struct error *advance(struct happening *h)
{
	struct error *err = NULL;

	if (h->m->phase == TEAM_GATHERS && are_here(h->m))
		err = begin_turns(h);
	if (err || h->m->phase != TEAM_ORDERS)
		return err;
	compare(h);
	return choose(h);
}

/* ---- what threads come to --------------------------------------------------------------- */

static struct error *tell_arrival(struct happening *h, int who, enum order_place at,
				  uint64_t object)
{
	AUTO_BUF text = { 0 };

	team_moves_add_name(h->m, who, &text);
	buf_adds(&text, " has come to ");
	team_moves_add_place(h->c, at, object, &text);
	return stop(h, &text);
}

/* Its turn ends there. */
static struct error *arrive(struct happening *h, int who, enum order_place at, uint64_t object)
{
	struct team_moves *m = h->m;
	const unsigned int before = m->order.barriers;
	AUTO_BUF text = { 0 };

	m->last = m->team.members.items[who].lwp;
	if (!order_arrives(&m->order, who, at, object))
		return &error_nomem;
	if (m->how->policy == ORDER_ALONE && (m->how->until == at || m->how->until == NUM_PLACES))
		return tell_arrival(h, who, at, object);
	if (m->how->to_barrier && m->order.barriers != before) {
		buf_addf(&text, "All %zu threads have arrived at the barrier", m->team.members.len);
		return stop(h, &text);
	}
	return NULL;
}

/* Of those that run freely only barriers count, or the one of a line. */
static bool is_passed(const struct happening *h, const struct station *at,
		      const struct station_call *call)
{
	const struct team_run *how = h->m->how;
	struct line_range row;

	if (how->policy != ORDER_FREE || at->kind == STATION_REGION)
		return false;
	if (at->place != PLACE_BARRIER || !how->barrier_line)
		return at->place != PLACE_BARRIER;
	return !places_line_range(h->c->live->symbols, call->back - 1, &row) ||
	       row.line != how->barrier_line;
}

static struct error *enter(struct happening *h, int who, struct thread *th,
			   const struct station *at)
{
	const struct station where = *at;
	struct station_call call;
	struct error *err = stations_read_call(h->c, &h->m->stations, th, at, &call);

	if (err || call.inside || is_passed(h, at, &call) ||
	    is_known(&h->m->team.members.items[who], &call))
		return err;
	err = add_call(h, who, &where, &call);
	if (err || where.kind == STATION_REGION)
		return err;
	return arrive(h, who, where.place, where.tries ? 0 : call.object);
}

/* What it has returned says whether it has got the lock. */
static struct error *end_try(struct happening *h, int who, struct thread *th,
			     const struct member_call *call)
{
	uint64_t result = 0;
	struct error *err =
		target_get_uint(h->m->target, th, h->m->target->arch->call_result, &result);

	if (!err && (uint32_t)result && !order_owns(&h->m->order, who, call->object))
		return &error_nomem;
	return err;
}

static struct error *come_back(struct happening *h, int who, struct thread *th, taddr at)
{
	struct team_moves *m = h->m;
	struct team_member *member = &m->team.members.items[who];
	uint64_t sp = 0;
	struct error *err = target_get_uint(m->target, th, m->target->arch->sp, &sp);

	if (err)
		return err;
	if (member->region.back == at && member->region.sp == sp) {
		member->region.back = 0;
		return NULL;
	}
	for (size_t i = member->calls.len; i-- > 0;) {
		const struct member_call call = member->calls.items[i];
		if (call.back != at || call.sp != sp)
			continue;
		member->calls.len = i;
		if (m->order.members.items[who].state == MEMBER_WAITS)
			order_returns(&m->order, who);
		return call.tries ? end_try(h, who, th, &call) : NULL;
	}
	return NULL;
}

static struct error *come_to_end(struct happening *h, int who, struct thread *th)
{
	struct team_moves *m = h->m;
	const struct team_member *member = &m->team.members.items[who];
	uint64_t sp = 0;
	struct error *err = target_get_uint(m->target, th, m->target->arch->sp, &sp);

	if (err || sp != member->end_sp || m->phase != TEAM_ORDERS)
		return err;
	m->last = member->lwp;
	if (!order_ends(&m->order, who))
		return &error_nomem;
	if (m->how->policy != ORDER_ALONE)
		return NULL;
	AUTO_BUF text = { 0 };
	team_moves_add_name(m, who, &text);
	buf_adds(&text, " has come to the end of the region");
	return stop(h, &text);
}

/* A point that only one thread has: behind the region, or behind the task. */
static struct error *come_out(struct happening *h, struct thread *th, taddr wanted, bool task)
{
	uint64_t sp = 0;
	struct error *err = target_get_uint(h->m->target, th, h->m->target->arch->sp, &sp);
	AUTO_BUF text = { 0 };

	if (err || sp != wanted)
		return err;
	h->m->last = th->lwp;
	if (!task)
		return stop_ended(h);
	team_moves_add_name(h->m, h->m->how->list.items[0], &text);
	buf_adds(&text, " has come to the end of its task");
	return stop(h, &text);
}

static bool is_listed(const struct ints *l, unsigned int id)
{
	vec_for_each (own, l) {
		if ((unsigned int)*own == id)
			return true;
	}
	return false;
}

/* What it has under its hands, as far as stations have shown it being taken. */
static void add_locks(const struct order *o, int who, struct race_access *ret)
{
	vec_for_each (lock, &o->locks) {
		if (lock->depth && lock->owner == who && ret->nlocks < RACE_LOCKS_MAX)
			ret->locks[ret->nlocks++] = lock->object;
	}
}

static struct error *note_access(struct happening *h, int who, const struct event *event)
{
	struct team_moves *m = h->m;
	struct race_access made = { .team = m->team.number,
				    .who = who,
				    .addr = m->watched,
				    .epoch = m->run << 32 | m->order.barriers,
				    .ordered = true };

	for (size_t i = 0; i < event->npoints; i++) {
		made.reads |= is_listed(&m->reads, event->points[i]);
		made.writes |= is_listed(&m->writes, event->points[i]);
	}
	add_locks(&m->order, who, &made);
	made.what = strdup(m->how->at);
	return team_accesses_note(h->c, event->thread, &made);
}

/* What was read and written by one instruction is one access. */
static bool is_first(const struct team_moves *m, const struct event *event, unsigned int id)
{
	for (size_t i = 0; i < event->npoints; i++) {
		if (is_listed(&m->reads, event->points[i]) ||
		    is_listed(&m->writes, event->points[i]))
			return event->points[i] == id;
	}
	return false;
}

static struct error *take_access(struct happening *h, int who, const struct event *event,
				 unsigned int id)
{
	if (!is_first(h->m, event, id))
		return NULL;
	struct error *err = note_access(h, who, event);
	return err ? err : arrive(h, who, PLACE_ACCESS, 0);
}

/* false: it is none of ours. */
static bool take_point(struct happening *h, const struct event *event, unsigned int id,
		       struct error **ret)
{
	struct team_moves *m = h->m;
	struct thread *th = event->thread;
	const int who = team_member_of(&m->team, th->lwp);
	const struct station *at = stations_find(&m->stations, id);
	const bool data = is_listed(&m->reads, id) || is_listed(&m->writes, id);
	struct team_member *member = who >= 0 ? &m->team.members.items[who] : NULL;
	/* One that stands has been there before; what is in regions of its own is its own business.
	 */
	const bool counts = member && m->phase == TEAM_ORDERS &&
			    m->order.members.items[who].state != MEMBER_ENDED;

	if (id == m->entry) {
		if (m->phase == TEAM_GATHERS)
			*ret = team_member_enters(h->c, &m->team, th);
	} else if (id == m->behind) {
		*ret = come_out(h, th, m->team.behind_sp, false);
	} else if (id == m->task_end) {
		*ret = come_out(h, th, m->task_sp, true);
	} else if (member && id == member->end_point) {
		*ret = come_to_end(h, who, th);
	} else if (at && at->kind == STATION_RETURN) {
		*ret = counts ? come_back(h, who, th, at->addr) : NULL;
	} else if (at) {
		*ret = counts && !member->region.back ? enter(h, who, th, at) : NULL;
	} else if (data) {
		*ret = counts && !member->region.back ? take_access(h, who, event, id) : NULL;
	} else if (is_listed(&m->lines, id)) {
		*ret = counts && !member->region.back ? arrive(h, who, PLACE_LINE, 0) : NULL;
	} else {
		return false;
	}
	return true;
}

/* ---- the driver ------------------------------------------------------------------------- */

/* Nobody of the team is left, or it is another program. */
static struct error *leave_process(struct happening *h, const struct event *event)
{
	const bool exec = event->stop.kind == STOP_EXEC;
	AUTO_BUF text = { 0 };
	struct error *err = decide_event(h->c, event, h->r, &h->stops);

	if (err || h->stops)
		return err;
	buf_addf(&text, "%s is given up: the program %s", h->m->how->name,
		 exec ? "executes another one" : "has forked, and its child is followed");
	return stop(h, &text);
}

static bool leads_away(const struct control *c, const struct event *event)
{
	const enum stop_kind kind = event->stop.kind;

	return kind == STOP_EXEC ||
	       ((kind == STOP_FORK || kind == STOP_VFORK) && c->settings.follow == FOLLOW_CHILD);
}

static struct error *take(struct control *c, void *self, const struct event *event,
			  struct stop_report *r, pid_t *ret_lwp, bool *ret_stops, bool *ret_own)
{
	struct happening h = { .c = c, .m = self, .r = r };
	const bool points = event->stop.kind == STOP_SITE || event->stop.kind == STOP_WATCHPOINT;
	size_t own = 0;
	struct error *err = NULL;

	h.m->looks = 0;
	if (leads_away(c, event)) {
		*ret_own = true;
		err = leave_process(&h, event);
		*ret_stops = h.stops;
		return err;
	}
	for (size_t i = 0; !err && points && !h.stops && i < event->npoints; i++)
		own += take_point(&h, event, event->points[i], &err);
	if (!err && own && !h.stops)
		err = advance(&h);
	*ret_own = own && (h.stops || own == event->npoints);
	*ret_stops = h.stops;
	if (h.stops && h.m->last)
		*ret_lwp = h.m->last;
	return err;
}

static bool is_other(const struct team_moves *m, pid_t lwp)
{
	vec_for_each (other, &m->others) {
		if (*other == lwp)
			return true;
	}
	return false;
}

/* Whether it is to stay where it is. */
static bool stays(const struct control *c, const struct team_moves *m, const struct thread *th)
{
	const struct numbered_thread *known = threads_by_lwp(&c->threads, th->lwp);
	const int who = team_member_of(&m->team, th->lwp);

	if (known && known->frozen)
		return true;
	/* One that still begins the region may be what another one waits for on its way into it. */
	if (m->phase == TEAM_GATHERS && who >= 0)
		return m->team.members.items[who].here && !m->team.members.items[who].ended;
	if (is_other(m, th->lwp))
		return true;
	if (who < 0 || m->phase == TEAM_LEAVES)
		return false;
	return m->order.members.items[who].state == MEMBER_STANDS;
}

static struct error *go_on(struct control *c, void *self)
{
	const struct team_moves *m = self;

	vec_for_each (th, &m->target->threads)
		(*th)->held = stays(c, m, *th);
	return target_resume(m->target, NULL, RESUME_CONTINUE);
}

static struct error *look(struct control *c, void *self, struct stop_report *r, pid_t *ret_lwp,
			  bool *ret_stops)
{
	struct happening h = { .c = c, .m = self, .r = r };
	AUTO_BUF text = { 0 };
	bool changes = false;
	struct error *err = team_look_anew(c, h.m, &text, &changes);

	if (!err && changes && text.len && h.m->how->policy == ORDER_ALONE)
		err = stop(&h, &text);
	else if (!err && text.len)
		team_moves_tell(c, &text);
	if (!err && changes && !h.stops)
		err = advance(&h);
	*ret_stops = h.stops;
	*ret_lwp = h.m->last ? h.m->last : c->selected;
	return err;
}

/* What was run is kept: it can be saved. */
static struct error *keep_order(struct control *c, struct team_moves *m)
{
	struct order_record *to = &c->order;

	order_record_fini(to);
	to->members = m->team.members.len;
	to->at = m->how->at ? strdup(m->how->at) : NULL;
	to->line = m->how->line ? strdup(m->how->line) : NULL;
	to->steps = m->order.done;
	m->order.done = (struct order_steps){ 0 };
	return (m->how->at && !to->at) || (m->how->line && !to->line) ? &error_nomem : NULL;
}

struct error *team_run(struct control *c, const struct team_run *how, struct stop_report *ret)
{
	struct team_moves m;
	struct stop_report none = { 0 };
	const struct driver driver = {
		.name = how->name, .go_on = go_on, .take = take, .look = look, .self = &m
	};
	struct error *err = team_moves_init(c, how, &m);
	struct happening h = { .c = c, .m = &m, .r = &none };

	if (!err)
		err = advance(&h);
	if (!err && !h.stops)
		err = resume_driven(c, &driver, ret);
	else if (!err) /* at once: nothing has moved */
		control_notice(c, &(struct notice){ .kind = NOTICE_TEAM, .text = none.text });
	stop_report_fini(&none);
	if (!err && ret->kind == STOPPED_TEAM)
		err = hang_show_caller(c, ret);
	if (!err && how->policy != ORDER_ALONE && m.order.done.len)
		err = keep_order(c, &m);
	team_moves_fini(c, &m);
	return err;
}
