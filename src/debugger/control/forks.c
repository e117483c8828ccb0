/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/forks.h"

#include "debugger/control/candidates.h"
#include "debugger/control/ifuncs.h"
#include "debugger/control/loader.h"
#include "debugger/control/placing.h"

void forks_note(struct control *c, pid_t child, pid_t maker, bool vfork)
{
	c->fork.child = child;
	c->fork.maker = maker;
	c->fork.vfork = vfork;
}

static void tell(const struct control *c, enum notice_kind kind, int inferior, pid_t pid)
{
	const char *how = c->fork.vfork ? "vfork" : "fork";

	control_notice(c, &(struct notice){ .kind = kind,
					    .lwp = c->pid,
					    .inferior = inferior,
					    .number = pid,
					    .text = how });
}

/* ---- from one process to another -------------------------------------------------------- */

/* Of a child, which has those of its parent. */
static void clear_points(struct control *c, struct target *t)
{
	if (c->loader_point)
		error_ignore(target_clear_point(t, c->loader_point));
	ifuncs_clear(c, t);
	vec_for_each (p, &c->plan.points)
		error_ignore(target_clear_point(t, p->id));
	vec_for_each (b, &c->breakpoints.items) {
		vec_for_each (copy, &(*b)->copies) {
			if (copy->scope_point)
				error_ignore(target_clear_point(t, copy->scope_point));
		}
		vec_for_each (l, &(*b)->locations) {
			if (l->point)
				error_ignore(target_clear_point(t, l->point));
		}
	}
}

/* The breakpoints have nothing to do with the process any more, whose points stay. */
static void forget_points(struct control *c)
{
	placing_count(c);
	vec_for_each (b, &c->breakpoints.items)
		breakpoint_forget(*b);
	plan_forget(&c->plan);
	c->loader_point = 0;
	ifuncs_forget(c);
}

/* Takes the selected process away from the control, which has none then. */
static struct kept_process put_away(struct control *c)
{
	struct kept_process ret = { .session = c->live,
				    .threads = c->threads,
				    .number = c->inferior,
				    .pid = c->pid,
				    .selected = c->selected };

	forget_points(c);
	frames_select(&c->frames, NULL, NULL, 0);
	c->live = NULL;
	c->threads = (struct threads){ 0 };
	c->runs = false;
	c->selected = c->pid = 0;
	c->rests = false;
	c->level = 0;
	return ret;
}

/* Takes what p owns. */
static struct error *take_out(struct control *c, struct kept_process *p)
{
	c->live = p->session;
	c->threads = p->threads;
	c->inferior = p->number;
	c->pid = p->pid;
	c->selected = p->selected;
	c->runs = c->stands = true;
	*p = (struct kept_process){ 0 };
	frames_select(&c->frames, c->live, NULL, 0);
	struct error *err = threads_update(&c->threads, c->live->target);
	if (!err)
		err = target_pass_signals(c->live->target, placing_quiet_signals(c));
	if (!err)
		err = loader_begin(c);
	return err ? err : placing_renew(c);
}

/* ---- a fork ----------------------------------------------------------------------------- */

static struct error *take_child(struct control *c, struct kept_process *ret)
{
	struct target *t;
	struct error *err = target_take_child(c->live->target, c->fork.child, &t);

	if (err)
		return err;
	clear_points(c, t);
	*ret = (struct kept_process){ .number = ++c->last_inferior,
				      .pid = c->fork.child,
				      .selected = c->fork.child };
	err = session_new(t, &c->options, &ret->session);
	return err ? err : threads_update(&ret->threads, ret->session->target);
}

static struct error *keep(struct control *c, struct kept_process *p)
{
	if (!vec_push(&c->kept, *p))
		return &error_nomem;
	*p = (struct kept_process){ 0 };
	return NULL;
}

static struct error *follow(struct control *c, struct kept_process *child)
{
	bool keeps = c->settings.keep_forks;

	tell(c, NOTICE_FOLLOWED, child->number, child->pid);
	if (!keeps && !c->fork.vfork)
		tell(c, NOTICE_LEFT, c->inferior, c->pid);
	if (keeps && !c->fork.vfork)
		clear_points(c, c->live->target);
	struct plan plan = c->plan;
	c->plan = (struct plan){ 0 };
	struct kept_process parent = put_away(c);
	struct error *err = NULL;
	parent.leaves = !keeps && c->fork.vfork;
	if (parent.leaves)
		parent.selected = c->fork.maker;
	if (keeps || parent.leaves)
		err = keep(c, &parent);
	else
		err = target_detach(parent.session->target);
	kept_process_fini(&parent);
	if (!err)
		err = take_out(c, child);
	c->plan = plan;
	c->plan.first_function = 0; /* its first stop is told in full */
	if (err || plan.lwp != c->fork.maker) {
		plan_forget(&c->plan);
		return err;
	}
	const struct plan_context context = control_plans(c);
	return plan_follow(&c->plan, &context, c->pid);
}

/* Neither is chosen yet: both go on. */
static struct error *add_candidate(struct control *c)
{
	struct target *t;
	struct error *err = c->stands ? NULL : target_stop_all(c->live->target);

	if (!err)
		err = target_take_child(c->live->target, c->fork.child, &t);
	if (err)
		return err;
	/* One with the memory of its parent has the points in it, too, until it executes another
	 * program. */
	if (!c->fork.vfork)
		clear_points(c, t);
	return candidates_add(c, t, c->fork.vfork);
}

struct error *forks_settle(struct control *c)
{
	struct kept_process child = { 0 };
	bool follows = c->settings.follow == FOLLOW_CHILD;

	/* With the parent asleep until it has gone, the child of a vfork cannot stand. */
	bool keeps = c->settings.keep_forks && !c->fork.vfork;

	if (!c->fork.child || !control_is_live(c))
		return NULL;
	struct error *err = NULL;
	if (c->settings.follow == FOLLOW_AUTO && candidates_have_room(c) &&
	    !candidates_is_openmp(c->live)) {
		err = add_candidate(c);
	} else if (follows || keeps) {
		err = c->stands ? NULL : target_stop_all(c->live->target);
		if (!err)
			err = take_child(c, &child);
		if (!err && follows)
			err = follow(c, &child);
		else if (!err)
			err = keep(c, &child);
		if (!err && !follows)
			tell(c, NOTICE_INFERIOR_NEW, c->last_inferior, c->fork.child);
		kept_process_fini(&child);
	} else {
		tell(c, NOTICE_FORK, 0, c->fork.child);
	}
	c->fork.child = 0;
	return error_add(err, "following a fork");
}

/* ---- whoever maps a runtime ------------------------------------------------------------- */

/* Takes s, which stands, to be debugged from now on. */
static struct error *take_other(struct control *c, struct session *s)
{
	struct kept_process next = { .session = s,
				     .number = ++c->last_inferior,
				     .pid = s->target->pid,
				     .selected = s->target->pid };
	struct error *err = threads_update(&next.threads, s->target);

	if (!err)
		err = take_out(c, &next);
	c->fork.vfork = false;
	control_notice(c, &(struct notice){ .kind = NOTICE_CHOSEN,
					    .lwp = c->pid,
					    .inferior = c->inferior,
					    .number = c->pid,
					    .text = s->target->exe ? s->target->exe : "?" });
	kept_process_fini(&next);
	return err;
}

/* Lets go of one that may have ended meanwhile. */
static struct error *leave(struct target *t)
{
	struct error *err = target_stop_all(t);

	if (!err)
		err = target_detach(t);
	if (!error_is(err, ERROR_GONE))
		return err;
	error_ignore(err);
	return NULL;
}

struct error *forks_look(struct control *c, bool *ret_other)
{
	struct session *found;
	struct error *err = candidates_look(c, &found);

	*ret_other = !err && found;
	if (err || !found)
		return err;
	const int number = c->inferior;
	const pid_t pid = c->pid;
	plan_forget(&c->plan);
	struct kept_process before = put_away(c);
	err = leave(before.session->target);
	kept_process_fini(&before);
	candidates_end(c, false);
	if (err) {
		session_free(found);
		return err;
	}
	err = take_other(c, found);
	tell(c, NOTICE_LEFT, number, pid);
	return error_add(err, "following what the program has started");
}

struct error *forks_inherit(struct control *c, bool *ret_other)
{
	struct session *found;
	struct error *err = candidates_take(c, &found);

	*ret_other = !err && found;
	if (err || !found)
		return err;
	plan_forget(&c->plan);
	struct kept_process before = put_away(c);
	kept_process_fini(&before);
	return error_add(take_other(c, found), "following what the program has started");
}

/* ---- the maker of a vfork --------------------------------------------------------------- */

static bool is_over(const struct event *e)
{
	return e->stop.kind == STOP_VFORK_DONE || (!e->thread && e->stop.kind == STOP_EXITED);
}

static struct error *wake(struct kept_process *p)
{
	struct target *t = p->session->target;
	struct thread *th = target_find_thread(t, p->selected);
	struct event event = { 0 };
	struct error *err = th ? target_resume(t, th, RESUME_CONTINUE) : NULL;

	while (!err && th) {
		err = target_wait(t, -1, &event);
		if (err || is_over(&event))
			break;
		th = event.thread;
		if (th && th->state == THREAD_STOPPED)
			err = target_resume(t, th, RESUME_CONTINUE);
	}
	if (!err)
		err = target_stop_all(t);
	if (!err)
		err = target_detach(t);
	if (error_is(err, ERROR_GONE)) {
		error_ignore(err);
		err = NULL;
	}
	return err;
}

static void drop(struct control *c, size_t i)
{
	kept_process_fini(&c->kept.items[i]);
	c->kept.len--;
	for (; i < c->kept.len; i++)
		c->kept.items[i] = c->kept.items[i + 1];
}

struct error *forks_release(struct control *c, const char *after)
{
	struct error *err = NULL;

	for (size_t i = c->kept.len; i-- > 0 && !err;) {
		struct kept_process *p = &c->kept.items[i];
		if (!p->leaves)
			continue;
		err = wake(p);
		control_notice(c, &(struct notice){ .kind = NOTICE_RELEASED,
						    .inferior = p->number,
						    .number = p->pid,
						    .text = after });
		drop(c, i);
	}
	return error_add(err, "letting go of the parent of a vfork");
}

/* ---- the user's choice ------------------------------------------------------------------ */

static struct error *find(struct control *c, int number, size_t *ret)
{
	for (size_t i = 0; i < c->kept.len; i++) {
		if (c->kept.items[i].number == number) {
			*ret = i;
			return NULL;
		}
	}
	return error_new(ERROR_NOT_FOUND, "Inferior ID %d not known.", number);
}

bool forks_debuggee(struct control *c, int number, struct debuggee *ret)
{
	if (number == c->inferior) {
		*ret = (struct debuggee){ number, c->pid, c->live, &c->threads, c->selected };
		return true;
	}
	vec_for_each (p, &c->kept) {
		if (p->number != number)
			continue;
		*ret = (struct debuggee){ number, p->pid, p->session, &p->threads, 0 };
		return true;
	}
	return false;
}

bool forks_are_kept(const struct control *c)
{
	return c->kept.len > 0;
}

bool forks_are_many(const struct control *c)
{
	return forks_are_kept(c) || c->inferior > 1;
}

struct error *forks_select(struct control *c, int number)
{
	size_t i = 0;
	struct error *err = number == c->inferior ? NULL : find(c, number, &i);

	if (err || number == c->inferior)
		return err;
	if (c->live && !c->runs)
		return error_new(ERROR_UNSUPPORTED, "a core file is looked at");
	struct kept_process next = c->kept.items[i];
	c->kept.items[i] = (struct kept_process){ 0 };
	drop(c, i);
	if (c->live) {
		clear_points(c, c->live->target);
		struct kept_process now = put_away(c);
		err = keep(c, &now);
		kept_process_fini(&now);
	}
	if (!err)
		err = take_out(c, &next);
	kept_process_fini(&next);
	if (!err)
		control_select_lwp(c, c->selected, 0);
	return err;
}

struct error *forks_end(struct control *c, int number, bool kills, pid_t *ret_pid)
{
	size_t i = 0;
	struct error *err = find(c, number, &i);

	if (err)
		return err;
	struct target *t = c->kept.items[i].session->target;
	*ret_pid = c->kept.items[i].pid;
	err = kills ? target_kill(t) : target_detach(t);
	if (!err)
		drop(c, i);
	return err;
}
