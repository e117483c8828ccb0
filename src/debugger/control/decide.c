/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/decide.h"

#include <signal.h>
#include <string.h>

#include "base/text.h"
#include "debugger/control/call_end.h"
#include "debugger/control/decision.h"
#include "debugger/control/event_hits.h"
#include "debugger/control/forks.h"
#include "debugger/control/ifuncs.h"
#include "debugger/control/loader.h"
#include "debugger/control/placing.h"
#include "debugger/control/probes.h"
#include "debugger/control/step.h"
#include "debugger/control/watching.h"
#include "target/symbols/ifunc.h"

/* ---- plans ------------------------------------------------------------------------------ */

static enum report_kind kind_of_plan(const struct plan *p)
{
	switch (p->kind) {
	case PLAN_FINISH:
	case PLAN_FINISH_INLINE:
		return STOPPED_FINISHED;
	case PLAN_REACH:
		return STOPPED_REACHED;
	case PLAN_CALL:
	case PLAN_NONE:
	case PLAN_STEP:
	case PLAN_NEXT:
	case PLAN_STEPI:
	case PLAN_NEXTI:
	case PLAN_UNTIL:
		break;
	}
	return STOPPED_STEPPED;
}

static struct error *ask_plan(struct decision *d, const struct plan_point *point)
{
	struct control *c = d->c;
	const struct plan_context context = control_plans(c);
	enum plan_answer answer;

	frames_select(&c->frames, c->live, d->event->thread, 0);
	struct error *err = step_answer(&c->plan, &context, point, &answer);
	if (!err && answer == PLAN_DONE)
		decision_stop_for(d, kind_of_plan(&c->plan));
	return err;
}

static struct error *decide_step(struct decision *d)
{
	const struct plan *p = &d->c->plan;

	return p->kind != PLAN_NONE && d->event->thread->lwp == p->lwp ? ask_plan(d, NULL) : NULL;
}

/* ---- points ----------------------------------------------------------------------------- */

static struct error *load(struct decision *d)
{
	struct breakpoint *b;
	AUTO_FREE char *text = NULL;
	struct error *err = decision_stand(d->c);

	frames_select(&d->c->frames, d->c->live, NULL, 0);
	if (!err)
		err = loader_answer(d->c, &b, &text);
	if (err || !b)
		return err;
	b->hits++;
	err = decision_fill_hit(d, b, 0);
	free(d->report->text);
	d->report->text = TAKE(text);
	d->report->library = true;
	return err;
}

/* A resolver is called, or has returned. */
static struct error *choose(struct decision *d, unsigned int id)
{
	bool chosen = false;
	struct error *err = decision_stand(d->c);

	if (!err)
		err = ifuncs_answer(d->c, d->event->thread, id, &chosen);
	return err || !chosen ? err : placing_renew(d->c);
}

/* The frame of a watched local variable has returned, or its region is over: of a team's, the last
 * one tells. */
static struct error *end_scope(struct decision *d, struct breakpoint *b, size_t copy)
{
	struct error *err = decision_stand(d->c);
	bool follows = false;

	if (!err)
		err = watching_follow(d->c, b, copy, &follows);
	if (!err && follows)
		return placing_update(d->c, b);
	if (!err)
		err = watching_end(d->c, b, copy);
	vec_for_each (other, &b->copies) {
		if (!err && !other->over)
			return placing_update(d->c, b);
	}
	if (err)
		return err;
	if (!vec_push(&d->report->hits, b->number))
		return &error_nomem;
	if (!d->stops)
		decision_stop_for(d, STOPPED_SCOPE_END);
	return placing_remove(d->c, b);
}

static struct breakpoint *find_scope(const struct control *c, unsigned int point, size_t *ret_copy)
{
	vec_for_each (b, &c->breakpoints.items) {
		for (*ret_copy = 0; *ret_copy < (*b)->copies.len; ++*ret_copy) {
			if ((*b)->copies.items[*ret_copy].scope_point == point)
				return *b;
		}
	}
	return NULL;
}

static struct error *decide_point(struct decision *d, unsigned int id)
{
	struct control *c = d->c;
	const struct plan_point *step = plan_find_point(&c->plan, id);
	struct breakpoint *b;
	size_t location;

	if (id == c->loader_point)
		return load(d);
	if (ifuncs_has(c, id))
		return choose(d, id);
	if (probes_has(c->probes, id))
		return event_hits_answer(d, id);
	if (step && call_end_leaves(c, step->role, d->report)) {
		d->stops = true;
		return NULL;
	}
	if (step) {
		bool stops = d->stops;
		enum report_kind kind = d->report->kind;
		struct error *err = ask_plan(d, step);
		if (stops) /* a breakpoint is told first */
			decision_stop_for(d, kind);
		return err;
	}
	b = breakpoint_of_point(&c->breakpoints, id, &location);
	if (b)
		return decision_hit(d, b, location, id);
	b = find_scope(c, id, &location);
	return b ? end_scope(d, b, location) : NULL;
}

/* Also of a step that has led to points: for its plan it is the step that counts. */
static struct error *decide_points(struct decision *d)
{
	struct control *c = d->c;
	struct called *called = call_end_find(c, d->event);
	bool own = false;
	struct error *err = NULL;

	if (called) {
		d->stops = true;
		err = c->plan.kind == PLAN_CALL ? NULL : decision_stand(d->c);
		return err ? err : call_end_return(d->c, d->event, called, d->report);
	}

	for (size_t i = 0; i < d->event->npoints && !err && !c->call_stays; i++) {
		own |= plan_find_point(&c->plan, d->event->points[i]) != NULL;
		err = decide_point(d, d->event->points[i]);
	}
	if (err || d->stops || own || c->call_stays || c->plan.move == MOVE_RUN)
		return err;
	return decide_step(d);
}

/* ---- signals ---------------------------------------------------------------------------- */

static struct breakpoint *find_catch(const struct control *c, enum catch_kind kind, int which)
{
	vec_for_each (b, &c->breakpoints.items) {
		bool own = which == SIGTRAP || which == SIGINT;
		bool listed = !(*b)->which.len && (kind != CATCH_SIGNAL || (*b)->any || !own);
		if ((*b)->kind != BREAK_CATCH || (*b)->catches != kind || !(*b)->enabled)
			continue;
		vec_for_each (n, &(*b)->which)
			listed |= *n == which;
		if (listed)
			return *b;
	}
	return NULL;
}

/* about: of a process or program, for tables; NULL: nothing. */
static struct error *catch_it(struct decision *d, enum catch_kind kind, int which, const char *text,
			      const char *about)
{
	struct breakpoint *b = find_catch(d->c, kind, which);

	if (!b)
		return NULL;
	b->hits++;
	free(b->caught);
	b->caught = about ? strdup(about) : NULL;
	if (b->ignore) {
		b->ignore--;
		return NULL;
	}
	struct error *err = decision_fill_hit(d, b, 0);
	if (err)
		return err;
	free(d->report->text);
	d->report->text = strdup(text);
	return d->report->text ? decision_count_stop(d, b) : &error_nomem;
}

/* Whether it rests; who runs may have the terminal, and hears of Ctrl-C. */
static void rest(struct control *c, bool rests)
{
	bool before = c->rests;

	c->rests = rests;
	if (before != rests && c->listener.runs)
		c->listener.runs(c->listener.context, !rests);
}

/* Job control: nobody runs until there is a SIGCONT, which ompdb does not send. The first tells it.
 */
static struct error *decide_group(struct decision *d)
{
	struct control *c = d->c;
	const struct notice n = { .kind = NOTICE_RESTS,
				  .lwp = c->pid,
				  .number = (int)d->event->stop.value };

	if (!c->rests)
		control_notice(c, &n);
	rest(c, true);
	return NULL;
}

/* Job control lets it go on: not every program hears of SIGCONT. */
static struct error *decide_group_over(struct decision *d)
{
	rest(d->c, false);
	return NULL;
}

static struct error *decide_signal(struct decision *d)
{
	struct thread *th = d->event->thread;
	bool own_trap = d->event->stop.kind == STOP_BREAKPOINT;
	int signal = own_trap ? SIGTRAP : (int)d->event->stop.value;
	const struct signal_policy *policy =
		&d->c->signals.of[signal > 0 && signal < SIGNALS_END ? signal : 0];
	AUTO_BUF text = { 0 };

	buf_addf(&text, "signal %s", signals_name(signal));
	struct error *err = catch_it(d, CATCH_SIGNAL, signal, buf_text(&text), NULL);
	if (!policy->pass)
		th->signal = 0;
	if (err || d->stops)
		return err;
	if (policy->stop) {
		d->report->signal = signal;
		decision_stop_for(d, STOPPED_SIGNAL);
	} else if (policy->print) {
		control_notice(d->c, &(struct notice){ .kind = NOTICE_SIGNAL,
						       .lwp = th->lwp,
						       .number = signal });
	}
	return NULL;
}

/* ---- processes and threads -------------------------------------------------------------- */

static struct error *decide_thread(struct decision *d)
{
	struct error *err = threads_add(&d->c->threads, (pid_t)d->event->stop.value);

	if (err)
		return err;
	control_notice(d->c, &(struct notice){ .kind = NOTICE_THREAD_NEW,
					       .lwp = (pid_t)d->event->stop.value });
	return NULL;
}

static struct error *decide_fork(struct decision *d)
{
	bool vfork = d->event->stop.kind == STOP_VFORK;
	int child = (int)d->event->stop.value;
	AUTO_BUF text = { 0 }, about = { 0 };

	buf_addf(&text, "%sed process %d", vfork ? "vfork" : "fork", child);
	buf_addf(&about, "process %d", child);
	forks_note(d->c, child, d->event->thread->lwp, vfork);
	return catch_it(d, vfork ? CATCH_VFORK : CATCH_FORK, 0, buf_text(&text), buf_text(&about));
}

static struct error *decide_exec(struct decision *d)
{
	struct control *c = d->c;
	AUTO_BUF text = { 0 };

	plan_forget(&c->plan);
	threads_exec(&c->threads, (pid_t)d->event->stop.value, c->live->target->pid);
	c->pid = c->live->target->pid;
	struct error *err = decision_stand(c);
	if (err)
		return err;
	vec_for_each (b, &c->breakpoints.items)
		breakpoint_forget(*b);
	omp_ids_forget(c->live->ids);
	ifuncs_forget(c);
	ifunc_forget(c->live->symbols);
	frames_select(&c->frames, c->live, NULL, 0);
	err = forks_release(c, "exec");
	const char *exe = c->live->target->exe ? c->live->target->exe : "?";
	if (!err && c->settings.leaves_exec) {
		decision_stop_for(d, STOPPED_LEFT);
		d->report->text = strdup(exe);
		return d->report->text ? NULL : &error_nomem;
	}
	if (!err)
		err = loader_begin(c);
	control_notice(c, &(struct notice){ .kind = NOTICE_EXEC, .lwp = c->pid, .text = exe });
	if (!err)
		err = placing_renew(c);
	buf_addf(&text, "exec'd %s", exe);
	return err ? err : catch_it(d, CATCH_EXEC, 0, buf_text(&text), exe);
}

static struct error *decide_call(struct decision *d)
{
	const struct arch *a = d->c->live->target->arch;
	long n = d->event->stop.value;
	const char *name = n >= 0 && (size_t)n < a->ncall_names ? a->call_names[n] : NULL;
	bool enters = d->event->stop.kind == STOP_CALL;
	AUTO_BUF text = { 0 };

	buf_adds(&text, enters ? "call to syscall " : "returned from syscall ");
	if (name)
		buf_adds(&text, name);
	else
		buf_addf(&text, "%ld", n);
	return catch_it(d, CATCH_SYSCALL, (int)n, buf_text(&text), NULL);
}

static struct error *decide_end(struct decision *d)
{
	bool killed = d->event->stop.kind == STOP_KILLED, other = false;
	struct error *err = forks_inherit(d->c, &other);

	if (err || other)
		return err;
	if (killed)
		d->report->signal = (int)d->event->stop.value;
	else
		d->report->value = d->event->stop.value;
	decision_stop_for(d, killed ? STOPPED_KILLED : STOPPED_EXITED);
	return NULL;
}

static struct error *go_on(struct decision *d)
{
	(void)d;
	return NULL;
}

static struct error *(*const deciders[])(struct decision *d) = {
	[STOP_NONE] = go_on,          [STOP_EXITED] = decide_end,
	[STOP_KILLED] = decide_end,   [STOP_SIGNAL] = decide_signal,
	[STOP_GROUP] = decide_group,  [STOP_INTERRUPTED] = decide_group_over,
	[STOP_STEPPED] = decide_step, [STOP_BREAKPOINT] = decide_signal,
	[STOP_SITE] = decide_points,  [STOP_WATCHPOINT] = decide_points,
	[STOP_CLONE] = decide_thread, [STOP_FORK] = decide_fork,
	[STOP_VFORK] = decide_fork,   [STOP_VFORK_DONE] = go_on,
	[STOP_EXEC] = decide_exec,    [STOP_EXITING] = go_on,
	[STOP_CALL] = decide_call,    [STOP_RETURN] = decide_call,
};

struct error *decide_event(struct control *c, const struct event *event, struct stop_report *ret,
			   bool *ret_stops)
{
	struct decision d = { .c = c, .event = event, .report = ret };
	struct error *err = deciders[event->stop.kind](&d);

	*ret_stops = d.stops;
	return err;
}
