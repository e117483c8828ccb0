/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_look.h"

#include "base/text.h"
#include "debugger/control/hang.h"
#include "debugger/wait_words.h"

enum { BUSY_LOOKS = 10 }; /* one of so many is at a thread that is on a processor */

/* ---- in words --------------------------------------------------------------------------- */

void team_look_add_wait(const struct picture *p, int thread, struct buf *out)
{
	const struct picture_wait *w = &p->threads.items[thread].wait;

	picture_add_thread_name(out, p, thread);
	if (w->kind == WAIT_SYSCALL)
		buf_addf(out, " sleeps in %s%s", w->name ? w->name : "a system call",
			 w->name ? "()" : "");
	else
		buf_addf(out, " %s", wait_words(w->kind)->one);
	if (w->name && w->kind != WAIT_SYSCALL)
		buf_addf(out, " '%s'", w->name);
	if (w->place.file)
		buf_addf(out, " at %s:%d", text_last_part(w->place.file), w->place.line);
	if (w->holder < 0 || (size_t)w->holder >= p->threads.len)
		return;
	buf_adds(out,
		 p->threads.items[w->holder].held ? ", which held thread " : ", which thread ");
	picture_add_thread_name(out, p, w->holder);
	buf_adds(out, " has");
}

struct error *team_look_stuck(struct control *c, struct team_moves *m, struct buf *text)
{
	AUTO_LOOK l = { 0 };
	AUTO_BUF waits = { 0 };
	struct error *err = team_look(c, false, &l);

	if (err)
		return err;
	const struct picture *p = &l.snapshot->picture;
	vec_for_each (member, &m->team.members) {
		int thread = team_thread(p, member->lwp);
		if (thread < 0 || !wait_kind_is_wait(p->threads.items[thread].wait.kind))
			continue;
		buf_adds(&waits, waits.len ? "; " : "");
		team_look_add_wait(p, thread, &waits);
	}
	err = hang_find_deadlock(c, &l, &m->marks, &waits);
	buf_addf(text, "No thread of the team can go on: %s", buf_text(&waits));
	return err;
}

/* ---- looks ------------------------------------------------------------------------------ */

static int find_running(const struct team_moves *m)
{
	for (size_t i = 0; i < m->order.members.len; i++) {
		if (m->order.members.items[i].state == MEMBER_RUNS)
			return (int)i;
	}
	return -1;
}

bool team_look_sleeps_outside(const struct target *t, const struct picture_thread *th, size_t looks)
{
	return th->wait.kind == WAIT_SYSCALL && !th->wait.limited && looks > BUSY_LOOKS &&
	       wait_sleeps_in_futex(t, th->lwp);
}

bool team_look_others_wait(const struct team *team, const struct target *t, const struct picture *p,
			   struct wait_marks *marks)
{
	bool ret = true;

	vec_for_each (th, &p->threads) {
		const struct thread *known = target_find_thread(t, th->lwp);
		if (!known || known->held || !picture_is_numbered(th) ||
		    team_member_of(team, th->lwp) >= 0)
			continue;
		ret &= wait_marks_hold(marks, t, th);
	}
	return ret;
}

static struct error *look_at_running(struct control *c, struct team_moves *m, const struct look *l,
				     int who, struct buf *text, bool *ret_changes)
{
	const struct picture *p = &l->snapshot->picture;
	struct team_member *member = &m->team.members.items[who];
	const int thread = team_thread(p, member->lwp);

	/* All others are asked, too: each look leaves marks for the next one. */
	if (!team_look_others_wait(&m->team, m->target, p, &m->marks) || thread < 0 ||
	    (!wait_marks_hold(&m->marks, m->target, &p->threads.items[thread]) &&
	     !team_look_sleeps_outside(m->target, &p->threads.items[thread], m->looks)))
		return NULL;
	struct error *err = team_member_waits(l, thread, member);
	vec_for_each (call, &member->calls) {
		if (!err)
			err = stations_add_return(c, &m->stations, call->back);
	}
	if (err)
		return err;
	m->last = member->lwp;
	*ret_changes = true;
	team_look_add_wait(p, thread, text);
	const bool barrier = !member->region.back &&
			     wait_kind_traits(p->threads.items[thread].wait.kind)->is_barrier;
	return order_blocks(&m->order, who, barrier) ? NULL : &error_nomem;
}

/* All that were to come out wait. */
static bool all_stay(struct team_moves *m, const struct picture *p)
{
	bool ret = true;

	for (size_t i = 0; i < m->order.members.len; i++) {
		struct team_member *member = &m->team.members.items[i];
		const struct picture_thread *th = picture_thread(p, team_thread(p, member->lwp));
		if (m->order.members.items[i].coming && th)
			ret &= wait_marks_hold(&m->marks, m->target, th);
	}
	return ret;
}

/*
 * Those that have not come into the region's code while the others stood: who waits at its end has
 * left it before, and from others nothing is to be expected.
 */
static void look_at_missing(struct team_moves *m, const struct picture *p, struct buf *text,
			    bool *ret_changes)
{
	for (size_t i = 0; i < m->team.members.len; i++) {
		struct team_member *member = &m->team.members.items[i];
		const int thread = team_thread(p, member->lwp);
		if (member->here || thread < 0 || !wait_is_blocked(&p->threads.items[thread]))
			continue;
		if (p->threads.items[thread].wait.kind == WAIT_REGION_END) {
			*ret_changes = member->here = member->ended = true;
		} else if (m->looks == 2 * BUSY_LOOKS && !text->len &&
			   p->threads.items[thread].wait.settled) {
			team_look_add_wait(p, thread, text);
			buf_adds(text, ", and is not in the code of the region");
		}
	}
}

/* Threads whose end nobody tells of. */
static struct error *drop_gone(struct team_moves *m, struct buf *text, bool *ret_changes)
{
	for (size_t i = 0; i < m->order.members.len; i++) {
		const pid_t lwp = m->team.members.items[i].lwp;
		if (m->order.members.items[i].state == MEMBER_ENDED || !lwp ||
		    target_find_thread(m->target, lwp))
			continue;
		team_moves_add_name(m, (int)i, text);
		buf_adds(text, " has ended");
		*ret_changes = true;
		return order_ends(&m->order, (int)i) ? NULL : &error_nomem;
	}
	return NULL;
}

struct error *team_look_anew(struct control *c, struct team_moves *m, struct buf *text,
			     bool *ret_changes)
{
	AUTO_LOOK l = { 0 };
	const int who = m->phase == TEAM_ORDERS ? find_running(m) : -1;

	m->looks++;
	if (m->phase == TEAM_LEAVES || (m->how->policy == ORDER_FREE && m->phase == TEAM_ORDERS))
		return NULL;
	struct error *err = drop_gone(m, text, ret_changes);
	if (err || *ret_changes)
		return err;
	if ((who < 0 || wait_is_busy(m->target, m->team.members.items[who].lwp)) &&
	    m->looks % BUSY_LOOKS)
		return NULL;
	err = target_stop_all(m->target);
	c->stands = !err;
	if (!err)
		err = team_look(c, false, &l);
	if (err)
		return err;
	if (m->phase == TEAM_GATHERS) {
		*ret_changes = m->how->policy != ORDER_ALONE && team_find_past(&l, &m->team);
		if (m->looks % (2 * BUSY_LOOKS) == 0)
			look_at_missing(m, &l.snapshot->picture, text, ret_changes);
		return NULL;
	}
	if (who >= 0)
		return look_at_running(c, m, &l, who, text, ret_changes);
	if (all_stay(m, &l.snapshot->picture)) {
		order_settles(&m->order);
		*ret_changes = true;
	}
	return NULL;
}
