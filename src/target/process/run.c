/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/run.h"

#include <sched.h>

#include "base/clock.h"
#include "target/process/adopt.h"
#include "target/process/children.h"
#include "target/process/go_on.h"
#include "target/process/halt.h"
#include "target/process/hits.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"
#include "target/process/stepping.h"

/* ---- resuming --------------------------------------------------------------------------- */

/* Those at sites first, while the others stand anyway. */
static struct error *resume_all(struct tracees *ts, enum resume_how how)
{
	struct lwp_list halted = { 0 };
	struct error *err = NULL;
	bool first = true;

	for (size_t i = 0; ts->sites.len && i < tracees_len(ts) && !err; i++) {
		struct thread *th = tracees_at(ts, i);
		struct site *site = th->held ? NULL : passing_site(ts, th);
		if (site && !passing_is_in_place(ts, site))
			continue;
		if (site && first)
			err = halt_others(ts, &halted);
		first = first && !site;
		if (site && !err)
			err = go_on_in_place(ts, th, site, th->maker ? RESUME_CONTINUE : how);
	}
	if (!err)
		err = go_on_others(ts, &halted);
	vec_fini(&halted);
	for (size_t i = 0; i < ts->target->threads.len && !err; i++) {
		struct thread *th = ts->target->threads.items[i];
		if (th->state == THREAD_STUCK)
			err = go_on(ts, th, RESUME_CONTINUE);
		else if (th->state == THREAD_STOPPED && !th->held)
			err = go_on_over_site(ts, th, how);
	}
	return err ? err : children_resume(ts, true);
}

/* A leader that stands may have become the caller of an exec: resuming that would lose the event.
 */
static struct error *collect_exec(struct tracees *ts)
{
	struct thread *leader = target_find_thread(ts->target, ts->target->pid);

	return leader && thread_state_stands(leader->state) ? tracee_collect(ts, leader) : NULL;
}

/* th NULL: all that are not held. What waits to be told keeps its range until then, and so does who
 * was resumed into one just now, before all others. */
static struct error *note_wish(struct tracees *ts, struct thread *th, enum resume_how how)
{
	struct error *err = NULL;

	vec_for_each (each, &ts->target->threads) {
		if ((*each != th && (th || (*each)->held)) || err)
			continue;
		if (!th && (*each)->stepping.active && (*each)->state != THREAD_STOPPED)
			continue;
		(*each)->goes = true;
		(*each)->steps = how == RESUME_STEP;
		if ((*each)->state == THREAD_STOPPED)
			err = stepping_end(ts, *each);
	}
	return err;
}

struct error *run_resume(struct tracees *ts, struct thread *th, enum resume_how how)
{
	if (th && th->state != THREAD_STOPPED)
		return error_new(ERROR_USAGE, "thread %d cannot be resumed: it is not stopped",
				 th->lwp);
	struct error *err = collect_exec(ts);
	if (err)
		return err;
	err = note_wish(ts, th, how);
	if (err)
		return err;
	if (!th)
		return resume_all(ts, how);
	if (th->state == THREAD_STOPPED)
		err = go_on_over_site(ts, th, how);
	return err ? err : children_resume(ts, false);
}

/* On through a range. */
static struct error *step_on(struct tracees *ts, struct thread *th)
{
	enum stepping_way way;
	struct error *err = stepping_prepare(ts, th, &way);

	if (err)
		return err;
	if (way == STEPPING_DONE)
		return go_on_tell(ts, th, STOP_STEPPED);
	return way == STEPPING_RUNS ? go_on(ts, th, RESUME_CONTINUE)
				    : go_on_over_site(ts, th, RESUME_STEP);
}

/* All are known to step before the first does. */
static struct error *begin_ranges(struct tracees *ts, const struct range_step *steps, size_t n)
{
	struct error *err = collect_exec(ts);

	for (size_t i = 0; !err && i < n; i++) {
		struct thread *th = steps[i].thread;
		err = note_wish(ts, th, RESUME_STEP);
		if (!err && th->state == THREAD_STOPPED)
			stepping_begin(th, steps[i].start, steps[i].end);
	}
	return err;
}

struct error *run_step_ranges(struct tracees *ts, const struct range_step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (steps[i].thread->state != THREAD_STOPPED)
			return error_new(ERROR_USAGE,
					 "thread %d cannot be resumed: it is not stopped",
					 steps[i].thread->lwp);
	}
	struct error *err = begin_ranges(ts, steps, n);
	for (size_t i = 0; !err && i < n; i++) {
		if (steps[i].thread->state == THREAD_STOPPED)
			err = step_on(ts, steps[i].thread);
	}
	return err ? err : children_resume(ts, false);
}

/* ---- waiting ---------------------------------------------------------------------------- */

/* What was made has to stand at its first instruction before its making is told. */
static bool is_made(const struct tracees *ts, const struct stop *stop)
{
	bool makes =
		stop->kind == STOP_CLONE || stop->kind == STOP_FORK || stop->kind == STOP_VFORK;
	const struct thread *made = makes ? tracees_find(ts, (pid_t)stop->value) : NULL;

	return !made || made->state != THREAD_STARTING;
}

/* A step is under way that will end by itself. */
static bool is_stepping(const struct tracees *ts, long waited_us)
{
	if (!ts->nstepping)
		return false;
	vec_for_each (th, &ts->target->threads) {
		if ((*th)->state == THREAD_STEPPING && !tracees_sleeps(*th, waited_us))
			return true;
	}
	return false;
}

/* Of what nobody is to know: the thread goes on, if it was to. */
static struct error *go_on_silently(struct tracees *ts, struct thread *th)
{
	if (!th->goes || th->held || th->state != THREAD_STOPPED)
		return NULL;
	if (th->stepping.active && th->steps)
		return step_on(ts, th);
	return go_on_over_site(ts, th, th->steps ? RESUME_STEP : RESUME_CONTINUE);
}

/* Whether an event is to be told: its points say so, or a range that is left. */
static bool is_told(struct tracees *ts, struct event *event)
{
	struct thread *th = event->thread;
	bool back = event->stop.kind == STOP_SITE && th->stepping.waits &&
		    (taddr)event->stop.value == th->stepping.back_at;

	if (!hits_judge(ts, event)) {
		/* Back from a handler in another range than it left: by longjmp(), or a new one. */
		if (back && !stepping_goes_on(ts, th))
			event->stop = (struct stop){ .kind = STOP_STEPPED };
		return event->stop.kind == STOP_STEPPED;
	}
	/* All were stopped meanwhile, and nobody has said since that it is to go on. */
	return event->stop.kind != STOP_STEPPED || !th->goes || !stepping_goes_on(ts, th);
}

/* Steps of a range take turns with what others tell. */
static const struct event *pick(struct tracees *ts)
{
	const struct event *first = events_first(&ts->events);
	bool quiet = first && first->stop.kind == STOP_STEPPED && first->thread->stepping.active;

	return quiet && events_count(&ts->events) > 1 && stepping_goes_on(ts, first->thread)
		       ? first + 1
		       : first;
}

/*
 * Takes the next event. STOP_NONE: there is none that can be told yet; or, with *ret_silent set,
 * it was one that stops nobody.
 */
static struct error *take(struct tracees *ts, long waited_us, struct event *ret, bool *ret_silent)
{
	const struct event *next = pick(ts);

	*ret = (struct event){ 0 };
	*ret_silent = false;
	if (!next || !is_made(ts, &next->stop) || is_stepping(ts, waited_us))
		return NULL;
	struct event event = *next;
	*ret_silent = !is_told(ts, &event);
	struct error *err = tracee_move(ts, event.thread, SEEN_TOLD);
	if (err)
		return err;
	if (*ret_silent)
		return go_on_silently(ts, event.thread);
	ts->end_told = stop_is_end(&event.stop);
	event.thread->goes = false;
	*ret = event;
	err = stepping_end(ts, event.thread);
	return err ? err : tracees_unless_gone(tracees_flush(ts, event.thread));
}

/*
 * Of thousands of threads, to ask each takes a millisecond: only if somebody has something to tell.
 * Whom the kernel has forgotten (an exec gives numbers away) it names to nobody who asks for any.
 */
static bool is_sweep_due(struct tracees *ts)
{
	bool one = tracees_len(ts) <= 1;
	long now = one ? 0 : clock_us();

	if (!one && now - ts->swept_us < LOOK_INTERVAL && !ptrace_any_report())
		return false;
	ts->swept_us = now;
	return true;
}

/* Collects what can be collected. */
static struct error *look(struct tracees *ts)
{
	size_t known;
	struct error *err;

	ts->hints = 0;
	do {
		known = tracees_len(ts);
		err = is_sweep_due(ts) ? tracee_sweep(ts) : NULL;
		if (!err)
			err = children_resume(ts, false);
		if (!err)
			err = adopt_forgotten(ts);
	} while (!err && tracees_len(ts) != known);
	return err;
}

/* No thread is left, and no end was told: the leader was never ours. */
static bool is_over(const struct tracees *ts)
{
	return tracees_count(ts, THREAD_GONE) == ts->target->threads.len;
}

/*
 * Hints tell of most reports, but some are lost (rule 3 of target.h): to look at all threads after
 * so many of them costs little, however many threads there are, and nobody waits for long.
 */
static bool is_look_due(struct tracees *ts)
{
	enum { HINTS = 16 };

	return ts->hints > HINTS + ts->target->threads.len;
}

/* Finds the next event that is there already; STOP_NONE: there is none. */
static struct error *find(struct tracees *ts, long waited_us, struct event *ret, bool *ret_silent)
{
	struct error *err = is_look_due(ts) ? look(ts) : NULL;

	if (!err)
		err = take(ts, waited_us, ret, ret_silent);
	if (err || ret->stop.kind != STOP_NONE || *ret_silent)
		return err;
	err = look(ts);
	if (!err)
		err = take(ts, waited_us, ret, ret_silent);
	if (err || ret->stop.kind != STOP_NONE || *ret_silent)
		return err;
	if (is_over(ts)) {
		ts->end_told = true;
		ret->stop = (struct stop){ .kind = STOP_EXITED, .value = -1 };
	}
	return NULL;
}

/* What a SIGCHLD hints at; children of ompdb that are not traced are no business of ours. */
static struct error *follow_hint(struct tracees *ts, pid_t lwp)
{
	struct thread *th = lwp > 0 ? tracees_find(ts, lwp) : NULL;

	ts->hints += th != NULL;
	if (th)
		return tracee_collect_hinted(ts, th);
	if (lwp > 0 && ptrace_has_stopped(lwp) && ptrace_is_thread(ts->target->pid, lwp))
		return adopt_ours(ts, lwp);
	return NULL;
}

/*
 * How long to wait for a hint before all are looked at. While events are held back by a step, there
 * is something to look at even if nobody reports. Who goes on silently will report soon: to wait
 * for that about as long as a look at many threads takes keeps those that sleep from being looked
 * at.
 */
static long nap(const struct tracees *ts, bool silent, long timeout_us, long waited_us)
{
	enum { THREADS_PER_US = 32 };
	long left = timeout_us < 0 ? -1 : timeout_us - waited_us;

	if (silent)
		return (long)(ts->target->threads.len / THREADS_PER_US);
	return events_count(&ts->events) && (left < 0 || left > LOOK_INTERVAL) ? LOOK_INTERVAL
									       : left;
}

/*
 * Who goes on silently is often back at once: a wake-up would cost more than that takes. It may
 * need this very processor, though.
 */
static pid_t await_hint(long limit_us)
{
	pid_t lwp = ptrace_sleep(0);

	for (long start = clock_us(); lwp <= 0 && clock_us() - start < limit_us;) {
		sched_yield();
		lwp = ptrace_sleep(0);
	}
	return lwp;
}

struct error *run_wait(struct tracees *ts, long timeout_us, struct event *ret)
{
	enum { AT_LEAST = 1000 }; /* hits that stop nobody may come without end */
	long start = clock_us();
	long limit = timeout_us >= 0 && timeout_us < AT_LEAST ? AT_LEAST : timeout_us;
	long looked = 0; /* for who wakes us: hits that stop nobody come faster than that */
	bool silent = false;

	tracees_drop_gone(ts);
	if (ts->end_told)
		return error_new(ERROR_GONE, "process %d has ended", ts->target->pid);
	struct error *err = follow_hint(ts, ptrace_sleep(0));
	while (!err) {
		err = find(ts, clock_us() - start, ret, &silent);
		long waited = clock_us() - start;
		bool late = timeout_us >= 0 && waited >= (silent ? limit : timeout_us);
		if (!err && late && silent)
			ptrace_nudge();
		if (err || late || ret->stop.kind != STOP_NONE)
			return err;
		if ((!silent || waited - looked >= SPIN) && ptrace_is_woken())
			return NULL;
		looked = silent && waited - looked < SPIN ? looked : waited;
		bool held_back = silent && events_count(&ts->events);
		pid_t hint = held_back ? 0 : await_hint(timeout_us ? SPIN : 0);
		if (hint <= 0 && !held_back)
			hint = ptrace_doze(nap(ts, silent, timeout_us, waited));
		err = follow_hint(ts, hint);
	}
	return err;
}

bool run_may_tell(const struct tracees *ts)
{
	bool stands = ts->target->threads.len && !ts->children.len;

	vec_for_each (th, &ts->target->threads)
		stands = stands && (*th)->state == THREAD_STOPPED;
	return !stands || events_count(&ts->events) || ts->end_told;
}

struct error *run_follow_exec(struct tracees *ts)
{
	struct error *err = children_release(ts);

	passing_forget(ts);
	hits_forget(ts);
	return err;
}
