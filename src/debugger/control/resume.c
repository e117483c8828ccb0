/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/resume.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "debugger/control/call_check.h"
#include "debugger/control/candidates.h"
#include "debugger/control/decide.h"
#include "debugger/control/event_hits.h"
#include "debugger/control/forks.h"
#include "debugger/control/hang.h"
#include "debugger/control/loader.h"
#include "debugger/control/placing.h"
#include "debugger/control/step.h"
#include "debugger/control/stopping.h"

enum { LOOK_MS = 20 }; /* between looks whether a called function can go on */

/* ---- going on --------------------------------------------------------------------------- */

static struct thread *plan_thread(const struct control *c)
{
	return c->plan.kind != PLAN_NONE ? target_find_thread(c->live->target, c->plan.lwp) : NULL;
}

/* Whether a thread is to stay where it is: frozen, or not the one that may run. */
static bool stays(const struct control *c, const struct thread *th, const struct thread *only)
{
	const struct numbered_thread *known = threads_by_lwp(&c->threads, th->lwp);

	return (only && th != only) || (known && known->frozen);
}

/* The one thread that may run: scheduler-locking; NULL: all. */
static struct thread *only_thread(const struct control *c)
{
	bool steps = c->plan.kind != PLAN_NONE && c->plan.kind != PLAN_FINISH &&
		     c->plan.kind != PLAN_REACH;
	bool locked = c->plan.kind == PLAN_CALL || c->settings.locking == LOCKING_ON ||
		      (c->settings.locking == LOCKING_STEP && steps);

	return locked ? target_find_thread(c->live->target,
					   c->plan.kind != PLAN_NONE ? c->plan.lwp : c->selected)
		      : NULL;
}

static void hold(struct control *c)
{
	const struct thread *only = only_thread(c);
	bool frozen = false;

	vec_for_each (known, &c->threads.items)
		frozen |= known->frozen;
	vec_for_each (th, &c->live->target->threads)
		(*th)->held = (only || frozen) && stays(c, *th, only);
}

/* Moves the plan's thread as it wants to be moved. */
static struct error *move_plan(struct control *c, struct thread *th)
{
	struct target *t = c->live->target;

	if (th->state != THREAD_STOPPED || c->plan.move == MOVE_RUN)
		return NULL;
	if (c->plan.move == MOVE_RANGE)
		return target_step_range(t, th, c->plan.way.start, c->plan.way.end);
	return target_resume(t, th, RESUME_STEP);
}

static bool is_alone(const struct target *t, const struct thread *but)
{
	vec_for_each (th, &t->threads) {
		if (*th != but && !(*th)->held && (*th)->state == THREAD_STOPPED)
			return false;
	}
	return true;
}

/* One by one: resuming all would turn the step that has just begun into going on. */
static struct error *resume_others(struct target *t, const struct thread *but)
{
	struct error *err = NULL;

	for (size_t i = 0; i < t->threads.len && !err; i++) {
		struct thread *th = t->threads.items[i];
		if (th != but && !th->held && th->state == THREAD_STOPPED)
			err = target_resume(t, th, RESUME_CONTINUE);
	}
	return err;
}

static struct error *go_on(struct control *c)
{
	struct error *settled = forks_settle(c);
	struct thread *th = plan_thread(c);

	if (settled)
		return settled;

	if (c->stands)
		omp_ids_arm(c->live->ids, c->live->target, &c->next_point);
	if (c->driver) {
		frames_select(&c->frames, c->live, NULL, 0);
		c->stands = false;
		return c->driver->go_on(c, c->driver->self);
	}
	hold(c);
	frames_select(&c->frames, c->live, NULL, 0);
	c->stands = false;
	/* Who steps in a range goes on with that when all are resumed. */
	bool all = !th || c->plan.move == MOVE_RUN ||
		   (c->plan.move == MOVE_RANGE && th->state == THREAD_STOPPED &&
		    !is_alone(c->live->target, th));
	struct error *err = th ? move_plan(c, th) : NULL;
	if (err || all)
		return err ? err : target_resume(c->live->target, NULL, RESUME_CONTINUE);
	return resume_others(c->live->target, th);
}

/* ---- waiting ---------------------------------------------------------------------------- */

static int interrupt_fd(const struct control *c)
{
	return c->listener.interrupt_fd ? c->listener.interrupt_fd(c->listener.context) : -1;
}

static bool take_interrupt(const struct control *c)
{
	return c->listener.take_interrupt && c->listener.take_interrupt(c->listener.context);
}

static int heard_fd(const struct control *c)
{
	return c->listener.heard_fd ? c->listener.heard_fd(c->listener.context) : -1;
}

/*
 * Who is told to stop by the terminal, and does not: the signal is blocked, or who could take it
 * stands. *ret_ms: how long that may still take; -1: nobody was told.
 */
static bool does_not_listen(struct control *c, int *ret_ms)
{
	enum { PATIENCE_US = 1000 * 1000 };
	bool heard = c->listener.take_heard && c->listener.take_heard(c->listener.context);

	*ret_ms = -1;
	if (heard && !c->patient_until && c->signals.of[SIGINT].stop)
		c->patient_until = clock_us() + PATIENCE_US;
	if (!c->patient_until)
		return false;
	int64_t left = c->patient_until - clock_us();
	*ret_ms = left > 0 ? (int)(left / 1000) + 1 : 0;
	return left <= 0;
}

/* What was told while a function was called is decided before anything else runs. */
static bool take_deferred(struct control *c, struct event *ret)
{
	while (c->plan.kind != PLAN_CALL && c->deferred.len) {
		*ret = c->deferred.items[0];
		c->deferred.len--;
		memmove(c->deferred.items, c->deferred.items + 1,
			c->deferred.len * sizeof(*c->deferred.items));
		vec_for_each (th, &c->live->target->threads) {
			if (*th == ret->thread)
				return true;
		}
	}
	return false;
}

/* While a function is called: all others are held, so that nobody may ever wake it. */
static struct error *watch_call(struct control *c)
{
	bool stands;
	struct error *err = call_watch(c, &stands);

	return err || !stands ? err : go_on(c);
}

/* Nothing has happened for a while: *ret_more is false if it has been stopped for that. */
static struct error *look(struct control *c, struct stop_report *r, bool *ret_more)
{
	pid_t lwp = c->plan.lwp;
	bool stops = false;

	if (c->plan.kind == PLAN_CALL)
		return watch_call(c);
	struct error *err = c->driver ? c->driver->look(c, c->driver->self, r, &lwp, &stops)
				      : hang_look(c, r, &lwp, &stops);
	if (!err && stops) {
		err = stopping_stop(c, lwp, r);
		*ret_more = !c->stands && c->live;
	} else if (!err && c->stands) {
		err = go_on(c);
	}
	if (!error_is(err, ERROR_GONE))
		return err;
	error_ignore(err); /* that is told next */
	return NULL;
}

/* The next event; *ret_interrupt: the user wants it to stop instead; *ret_more: as of look(). */
static struct error *wait_for(struct control *c, struct event *ret, struct stop_report *r,
			      bool *ret_interrupt, bool *ret_more)
{
	struct target *t = c->live->target;
	struct pollfd fds[3 + CANDIDATES_MAX] = { { .fd = target_wait_fd(t), .events = POLLIN },
						  { .fd = interrupt_fd(c), .events = POLLIN },
						  { .events = POLLIN } };
	int limit;

	const bool calls = c->plan.kind == PLAN_CALL || c->driver;
	const bool looks = calls || hang_is_due(c);

	*ret_interrupt = false;
	for (;;) {
		const bool alone = fds[1].fd < 0 && !looks && !c->candidates.len;
		bool other = false;
		struct error *err = target_wait(t, alone ? -1 : 0, ret);
		if (err || ret->stop.kind != STOP_NONE)
			return err;
		err = forks_look(c, &other);
		if (err || other)
			return err;
		if (take_interrupt(c) || does_not_listen(c, &limit)) {
			*ret_interrupt = true;
			return NULL;
		}
		fds[2].fd = heard_fd(c);
		if (calls)
			limit = LOOK_MS;
		else if (looks && limit < 0)
			limit = hang_pause(c);
		int n = poll(fds, 3 + candidates_poll(c, fds + 3), limit);
		if (n < 0 && errno != EINTR)
			return error_os(errno, "poll");
		err = looks && !n ? look(c, r, ret_more) : NULL;
		if (err || !*ret_more)
			return err;
	}
}

/* ---- events ---------------------------------------------------------------------------- */

/* Of a thread that is held while another one calls a function. */
static bool is_deferred(const struct control *c, const struct event *event)
{
	bool ends = event->stop.kind == STOP_EXITED || event->stop.kind == STOP_KILLED;

	return c->plan.kind == PLAN_CALL && event->thread && event->thread->lwp != c->plan.lwp &&
	       !ends && event->stop.kind != STOP_EXEC;
}

/* One event; *ret_more: nothing stops yet. */
static struct error *take_event(struct control *c, const struct event *event,
				struct stop_report *ret, bool *ret_more)
{
	pid_t lwp = event->thread ? event->thread->lwp : 0;
	bool stops = false;

	if (is_deferred(c, event))
		return vec_push(&c->deferred, *event) ? NULL : &error_nomem;
	struct error *err = NULL;
	bool own = false;

	if (c->driver)
		err = c->driver->take(c, c->driver->self, event, ret, &lwp, &stops, &own);
	if (!err && !own)
		err = decide_event(c, event, ret, &stops);
	if (!err && c->call_stays) { /* all has been told */
		c->call_stays = *ret_more = false;
		return NULL;
	}

	if (error_is(err, ERROR_GONE)) { /* killed meanwhile: that is told next */
		error_ignore(err);
		return NULL;
	}
	if (!err && stops && c->plan.kind == PLAN_CALL && ret->kind == STOPPED_CALL_ENDED) {
		*ret_more = false;
		err = target_stop_all(c->live->target);
		c->stands = !err;
	} else if (!err && stops) {
		err = stopping_stop(c, lwp, ret);
		*ret_more = !c->stands && c->live;
	}
	return err;
}

/* Until it stops. What is left to be told of the stop before comes first. */
static struct error *loop(struct control *c, struct stop_report *ret)
{
	struct event event;
	bool more = true, interrupted = false;
	struct error *err = NULL;

	if (!take_deferred(c, &event))
		err = target_wait(c->live->target, 0, &event);
	while (!err && more) {
		if (event.stop.kind != STOP_NONE)
			err = take_event(c, &event, ret, &more);
		if (err || !more || take_deferred(c, &event))
			continue;
		err = go_on(c);
		if (!err)
			err = wait_for(c, &event, ret, &interrupted, &more);
		if (interrupted)
			return stopping_interrupt(c, ret);
	}
	return err;
}

/* Those that are not to be passed any more, but for one that the user has just given. */
static void drop_signals(struct control *c)
{
	vec_for_each (th, &c->live->target->threads) {
		int signal = (*th)->signal;
		bool known = signal > 0 && signal < SIGNALS_END;
		if (known && !c->signals.of[signal].pass && (*th)->lwp != c->given)
			(*th)->signal = 0;
	}
	c->given = 0;
}

struct error *resume_loop(struct control *c, struct stop_report *ret)
{
	struct error *err;

	stop_report_fini(ret);
	event_hits_forget(c);
	c->call_stays = false;
	if (c->plan.kind != PLAN_CALL)
		c->call_texts.lwp = 0;
	drop_signals(c);
	c->patient_until = 0;
	if (c->listener.runs)
		c->listener.runs(c->listener.context, true);
	err = target_pass_signals(c->live->target, placing_quiet_signals(c));
	if (error_is(err, ERROR_UNSUPPORTED)) {
		error_ignore(err);
		err = NULL;
	}
	c->ran_at = clock_us();
	hang_begin(c);
	if (!err)
		err = loop(c, ret);
	if (!err && ret->kind == STOPPED_STUCK)
		err = hang_show_caller(c, ret);
	hang_end(c);
	c->stood_at = clock_us();
	control_look_anew(c);
	if (c->listener.runs)
		c->listener.runs(c->listener.context, false);
	return err;
}

/* ---- commands --------------------------------------------------------------------------- */

/* Nothing would ever happen if nobody may run, or not the one that steps. */
static struct error *check_frozen(const struct control *c, enum plan_kind kind)
{
	const struct numbered_thread *steps =
		kind == PLAN_NONE ? NULL : threads_by_lwp(&c->threads, c->selected);
	bool all = c->threads.items.len;

	if (steps && steps->frozen)
		return error_new(ERROR_USAGE, "thread %d is frozen: 'thaw %d' lets it go on",
				 steps->number, steps->number);
	vec_for_each (th, &c->threads.items)
		all &= th->frozen || th->ended;
	return all ? error_new(ERROR_USAGE, "all threads are frozen: 'thaw all' lets them go on")
		   : NULL;
}

/* A plan is for the selected thread, and goes by its frames. */
static struct error *prepare(struct control *c, enum plan_kind kind, unsigned long count)
{
	struct error *err = control_need_live(c);

	c->stands = true;
	if (!err)
		err = check_frozen(c, kind);
	if (!err)
		err = forks_settle(c);
	if (err)
		return err;
	const struct thread *th = control_selected_thread(c);
	const struct plan_context context = control_plans(c);
	if (kind == PLAN_NONE || !th || c->plan.lwp != th->lwp)
		plan_drop(&c->plan, &context);
	if (kind == PLAN_NONE)
		return NULL;
	/* What has happened to one that is PENDING is told first, and may give this up. */
	if (!th || (th->state != THREAD_STOPPED && th->state != THREAD_PENDING))
		return error_new(ERROR_USAGE, "the selected thread does not stand where it could "
					      "go on from");
	c->plan.kind = kind;
	c->plan.lwp = th->lwp;
	c->plan.count = count ? count : 1;
	c->plan.enters_handler = th->signal;
	return NULL;
}

static struct error *begun(struct control *c, struct error *err)
{
	const struct plan_context context = control_plans(c);

	if (err)
		plan_end(&c->plan, &context);
	return err;
}

struct error *resume_continue(struct control *c, unsigned long count, struct stop_report *ret)
{
	struct breakpoint *b = breakpoint_find(&c->breakpoints, c->stopped_by);
	struct error *err = prepare(c, PLAN_NONE, 0);

	if (!err && count > 1 && b) {
		b->ignore = count - 1;
		err = placing_update(c, b);
	}
	return err ? err : resume_loop(c, ret);
}

struct error *resume_driven(struct control *c, const struct driver *driver, struct stop_report *ret)
{
	struct error *err = prepare(c, PLAN_NONE, 0);

	if (err)
		return err;
	c->driver = driver;
	err = resume_loop(c, ret);
	c->driver = NULL;
	return err;
}

/* It is there already. */
static struct error *is_there(struct control *c, struct stop_report *ret)
{
	const struct plan_context context = control_plans(c);

	stop_report_fini(ret);
	control_select_lwp(c, c->plan.lwp, c->plan.hidden);
	struct error *err = control_report(c, ret);
	ret->kind = STOPPED_STEPPED;
	if (!err)
		err = stopping_find_team(c, ret);
	plan_end(&c->plan, &context);
	return err;
}

struct error *resume_step(struct control *c, enum plan_kind kind, unsigned long count,
			  struct stop_report *ret)
{
	struct error *err = prepare(c, kind, count);
	const struct plan_context context = control_plans(c);
	enum plan_answer answer = PLAN_GOES_ON;

	if (!err)
		err = step_begin(&c->plan, &context, &answer);
	while (!err && answer == PLAN_DONE && c->plan.count > 1) {
		c->plan.count--;
		frames_select(&c->frames, c->live, c->frames.thread, c->plan.hidden);
		err = step_begin(&c->plan, &context, &answer);
	}
	if (err)
		return begun(c, err);
	return answer == PLAN_DONE ? is_there(c, ret) : resume_loop(c, ret);
}

struct error *resume_may_finish(struct control *c)
{
	const struct plan_context context = control_plans(c);
	struct error *err = control_need_live(c);

	return err ? err : step_may_finish(&context, c->level);
}

struct error *resume_finish(struct control *c, bool creator, struct stop_report *ret)
{
	struct error *err = prepare(c, PLAN_FINISH, 1);
	const struct plan_context context = control_plans(c);

	if (!err)
		err = begun(c, creator ? step_begin_finish_task(&c->plan, &context)
				       : step_begin_finish(&c->plan, &context, c->level));
	return err ? err : resume_loop(c, ret);
}

/* The places that a text means, with the selected frame's file and line. */
static struct error *find_places(struct control *c, const char *text, struct code_places *ret)
{
	AUTO_LINESPEC spec = { 0 };
	const struct linespec_context where = control_linespecs(c);
	int line;
	struct error *err = linespec_parse(text, &spec);

	if (!err && spec.kind == LINESPEC_HERE)
		err = error_new(ERROR_USAGE, "Argument required (a location).");
	return err ? err : linespec_resolve(&spec, &where, ret, &line);
}

struct error *resume_reach(struct control *c, const char *text, bool anywhere,
			   struct stop_report *ret)
{
	struct code_places places = { 0 };
	struct error *err = prepare(c, PLAN_REACH, 1);
	const struct plan_context context = control_plans(c);

	if (!err)
		err = find_places(c, text, &places);
	if (!err)
		err = step_begin_reach(&c->plan, &context, &places, c->level, anywhere);
	vec_fini(&places);
	err = begun(c, err);
	return err ? err : resume_loop(c, ret);
}

struct error *resume_jump(struct control *c, const char *text, struct stop_report *ret)
{
	struct code_places places = { 0 };
	struct error *err = control_need_live(c);
	struct thread *th = control_selected_thread(c);

	if (!err && !th)
		err = error_new(ERROR_USAGE, "No thread selected.");
	if (!err)
		err = check_frozen(c, PLAN_NONE); /* refused, it stays where it is */
	if (!err)
		err = find_places(c, text, &places);
	if (!err && places.len != 1)
		err = error_new(ERROR_USAGE,
				"'%s' is in %zu places: say which, as in 'jump *ADDRESS'", text,
				places.len);
	if (!err)
		err = target_set_uint(c->live->target, th, c->live->target->arch->pc,
				      places.items[0].addr);
	vec_fini(&places);
	if (!err)
		control_select_lwp(c, th->lwp, 0);
	return err ? err : resume_continue(c, 1, ret);
}

struct error *resume_queue_signal(struct control *c, int signal)
{
	struct thread *th = control_selected_thread(c);
	struct error *err = control_need_live(c);

	if (!err && !th)
		err = error_new(ERROR_USAGE, "No thread selected.");
	if (!err)
		th->signal = signal;
	if (!err)
		c->given = th->lwp;
	return err;
}

struct error *resume_signal(struct control *c, int signal, struct stop_report *ret)
{
	struct error *err = control_need_live(c);

	if (!err)
		err = check_frozen(c, PLAN_NONE); /* refused, it gets none */
	if (!err)
		err = resume_queue_signal(c, signal);
	return err ? err : resume_continue(c, 1, ret);
}
