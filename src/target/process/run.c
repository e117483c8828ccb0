/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/run.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/hits.h"
#include "target/process/late_traps.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"
#include "target/process/stepping.h"

/* ---- threads of which no report told ---------------------------------------------------- */

/* It is ours, but it need not be new: an exec may have given one that runs another number. */
struct error *run_adopt_ours(struct tracees *ts, pid_t lwp)
{
	struct error *err = tracee_adopt(ts, lwp);

	return err ? err : tracees_unless_gone(ptrace_interrupt(lwp));
}

struct error *run_adopt_unknown(struct tracees *ts)
{
	struct lwp_list lwps = { 0 };
	struct error *err = procfs_tasks(ts->target->pid, &lwps);
	pid_t self = gettid();

	if (err) { /* the process is gone: nothing to adopt */
		error_ignore(err);
		return NULL;
	}
	for (size_t i = 0; i < lwps.len && !err; i++) {
		struct proc_status status = { 0 };
		if (target_find_thread(ts->target, lwps.items[i]))
			continue;
		error_ignore(procfs_status(ts->target->pid, lwps.items[i], &status));
		if (status.tracer == self)
			err = run_adopt_ours(ts, lwps.items[i]);
	}
	vec_fini(&lwps);
	return err;
}

/*
 * Adopts threads whose making nobody lived to tell, as soon as only the leader seems to be left:
 * its end is not told before theirs. Without a leader the program may also go on under its number,
 * which an exec gave to the caller.
 */
static struct error *adopt_forgotten(struct tracees *ts)
{
	vec_for_each (th, &ts->target->threads) {
		if ((*th)->state != THREAD_GONE && (*th)->lwp != ts->target->pid)
			return NULL;
	}
	if (!ts->some_gone)
		return NULL;
	ts->some_gone = false;
	return run_adopt_unknown(ts);
}

/* ---- waiting for threads to stop -------------------------------------------------------- */

static bool is_any_due(const struct tracees *ts)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		if (thread_state_is_due(tracees_at(ts, i)->state))
			return true;
	}
	return false;
}

/* Asleep for longer than an instruction takes: only a system call does that; or dead in one. */
static bool sleeps(const struct thread *th, long waited_us)
{
	struct proc_stat stat = { 0 };

	error_ignore(procfs_stat(th->process, th->lwp, &stat));
	bool rests = stat.state == 'S' || stat.state == 'Z';

	return rests || (stat.state == 'D' && waited_us > PATIENCE_D);
}

/* Gives up on a thread that will not stop, once it is plain why, or after all patience. */
static struct error *look_at_straggler(struct tracees *ts, struct thread *th, long waited_us)
{
	struct proc_stat stat = { 0 };
	enum thread_input seen;

	if (!thread_state_is_due(th->state))
		return NULL;
	error_ignore(procfs_stat(th->process, th->lwp, &stat));
	bool patient = waited_us <= PATIENCE && (stat.state != 'D' || waited_us <= PATIENCE_D);
	if (thread_state_is_step(th->state) && (stat.state == 'S' || !patient))
		seen = WANT_STOP_NOW;
	else if (stat.state == 'Z' && th->lwp == ts->target->pid)
		seen = SEEN_ZOMBIE;
	else if (!patient)
		seen = SEEN_STUCK;
	else
		return NULL;
	log_debug(LOG_PTRACE, "thread %d does not stop: state %c", th->lwp, stat.state);
	return tracee_move(ts, th, seen);
}

static struct error *look_at_stragglers(struct tracees *ts, long waited_us)
{
	struct error *err = NULL;

	for (size_t i = 0; i < tracees_len(ts) && !err; i++)
		err = look_at_straggler(ts, tracees_at(ts, i), waited_us);
	return err;
}

/* Waits until no stop is due. */
struct error *run_await_stops(struct tracees *ts)
{
	long start = tracees_now_us(), look = start + LOOK_INTERVAL;

	for (;;) {
		struct error *err = tracee_sweep(ts);
		if (err || !is_any_due(ts))
			return err;
		long now = tracees_now_us();
		if (now - start < SPIN)
			continue;
		if (now >= look) {
			err = look_at_stragglers(ts, now - start);
			if (err)
				return err;
			look = now + LOOK_INTERVAL;
		}
		ptrace_sleep(LOOK_INTERVAL);
	}
}

struct error *run_interrupt_threads(struct tracees *ts)
{
	struct error *err = NULL;

	for (size_t i = 0; i < ts->target->threads.len && !err; i++)
		err = tracee_move(ts, ts->target->threads.items[i], WANT_STOP);
	return err;
}

/* After the threads: one that waits for its child in vfork() stops when that is done. */
static struct error *stop_children(struct tracees *ts)
{
	struct error *err = NULL;

	if (!ts->children.len)
		return NULL;
	for (size_t i = 0; i < ts->children.len && !err; i++)
		err = tracee_move(ts, ts->children.items[i], WANT_STOP);
	if (!err)
		err = run_await_stops(ts);
	for (size_t i = 0; i < ts->children.len && !err; i++) {
		if (ts->children.items[i]->state == THREAD_PENDING)
			err = tracee_move(ts, ts->children.items[i], SEEN_TOLD);
	}
	return err;
}

struct error *run_stop_all(struct tracees *ts)
{
	tracees_drop_gone(ts);
	vec_for_each (th, &ts->target->threads)
		(*th)->goes = false;
	struct error *err = run_interrupt_threads(ts);
	if (!err)
		err = run_await_stops(ts);
	if (!err)
		err = adopt_forgotten(ts);
	if (!err)
		err = run_await_stops(ts);
	if (!err)
		err = stop_children(ts);
	if (!err && ts->sites.len)
		err = late_traps_collect(ts, false);
	if (err)
		return err;
	vec_for_each (th, &ts->target->threads) {
		if (thread_state_stands((*th)->state) || (*th)->state == THREAD_STUCK)
			return NULL;
	}
	return error_new(ERROR_GONE, "process %d has ended", ts->target->pid);
}

/* ---- getting over sites ----------------------------------------------------------------- */

/* It executes nothing until the child that has its memory runs another program or ends. */
static bool waits_in_vfork(const struct tracees *ts, const struct thread *th)
{
	vec_for_each (child, &ts->children) {
		if (th->stop.kind == STOP_VFORK && (*child)->maker == th->lwp && (*child)->shares &&
		    !thread_state_is_over((*child)->state))
			return true;
	}
	return false;
}

/* Stops all that run, in *ret for end_halt(). */
static struct error *halt(struct tracees *ts, struct lwp_list *ret)
{
	struct error *err = NULL;

	for (size_t i = 0; i < tracees_len(ts) && !err; i++) {
		struct thread *th = tracees_at(ts, i);
		if (th->state != THREAD_RUNNING && th->state != THREAD_LISTENING)
			continue;
		if (waits_in_vfork(ts, th))
			continue;
		if (!vec_push(ret, th->lwp))
			return &error_nomem;
		err = tracee_move(ts, th, WANT_STOP);
	}
	return err ? err : run_await_stops(ts);
}

/* Waits until a step is done, or sleeps in the kernel: there it is behind its instruction. */
static struct error *await_step(struct tracees *ts, struct thread *th)
{
	long start = tracees_now_us();
	struct error *err = NULL;

	for (;;) {
		err = tracee_collect(ts, th);
		long waited = tracees_now_us() - start;
		if (err || !thread_state_is_step(th->state))
			return err;
		if (waited > LOOK_INTERVAL && (sleeps(th, waited) || waited > PATIENCE))
			return tracee_move(ts, th, SEEN_ASLEEP);
		if (waited > SPIN)
			ptrace_sleep(LOOK_INTERVAL);
	}
}

/* One step of what belongs at a site; repeated instructions (rep movsb) take many. */
static struct error *step_over(struct tracees *ts, struct thread *th, struct site *site,
			       enum thread_input want)
{
	struct error *err = sites_lift(&ts->sites, site, th->lwp);

	if (!err)
		err = tracee_move(ts, th, want);
	if (!err)
		err = await_step(ts, th);
	struct error *others = sites_put_back(&ts->sites, th->lwp);
	if (!err)
		return others;
	error_ignore(others);
	return err;
}

/* Brings a thread over its site, while all others stand. */
static struct error *pass(struct tracees *ts, struct thread *th, struct site *site,
			  enum resume_how how)
{
	enum { STEPS_MAX = 1000 };
	struct error *err = NULL;

	if (how == RESUME_STEP)
		return step_over(ts, th, site, WANT_STEP);
	for (int i = 0; site && i < STEPS_MAX && !err; i++) {
		err = step_over(ts, th, site, WANT_PASS);
		site = passing_site(ts, th);
	}
	return err;
}

/* ---- resuming --------------------------------------------------------------------------- */

static struct error *go_on(struct tracees *ts, struct thread *th, enum resume_how how)
{
	enum thread_input want = WANT_CONTINUE;

	if (how == RESUME_STEP)
		want = WANT_STEP;
	else if (th->state == THREAD_STOPPED && th->stop.kind == STOP_GROUP && !th->signal)
		want = WANT_LISTEN;
	return tracee_move(ts, th, want);
}

/* Lets those go on that halt() has stopped and that have nothing to tell. */
static struct error *end_halt(struct tracees *ts, struct lwp_list *halted)
{
	struct error *err = NULL;

	for (size_t i = 0; i < halted->len && !err; i++) {
		struct thread *th = tracees_find(ts, halted->items[i]);
		if (th)
			err = go_on(ts, th, RESUME_CONTINUE);
	}
	vec_fini(halted);
	return err;
}

static struct error *tell_step(struct tracees *ts, struct thread *th)
{
	th->stop = (struct stop){ .kind = STOP_STEPPED };
	return tracee_move(ts, th, SEEN_STEPPED);
}

/* Over a site in place: nobody else runs meanwhile. */
static struct error *resume_in_place(struct tracees *ts, struct thread *th, struct site *site,
				     enum resume_how how)
{
	struct lwp_list halted = { 0 };
	struct error *err = halt(ts, &halted);

	if (!err)
		err = pass(ts, th, site, how);
	if (!err && how == RESUME_CONTINUE)
		err = go_on(ts, th, how);
	struct error *others = end_halt(ts, &halted);
	if (!err)
		return others;
	error_ignore(others);
	return err;
}

/* Resumes one that stands, over the site where it may stand. */
static struct error *resume_one(struct tracees *ts, struct thread *th, enum resume_how how)
{
	struct site *site = passing_site(ts, th);

	if (!site)
		return go_on(ts, th, how);
	if (passing_emulate(ts, th, site))
		return how == RESUME_STEP ? tell_step(ts, th) : go_on(ts, th, how);
	return site->copy ? go_on(ts, th, how) : resume_in_place(ts, th, site, how);
}

/* A child that stands, and need not wait for its maker. */
static struct error *resume_child(struct tracees *ts, struct thread *child)
{
	struct error *err = NULL;

	if (!thread_state_stands(child->state))
		return NULL;
	if (!child->shares) {
		if (child->state == THREAD_NEW)
			err = tracees_unless_gone(passing_clean(ts, child->lwp));
		return err ? err : tracee_move(ts, child, WANT_RELEASE);
	}
	err = tracee_move(ts, child, SEEN_TOLD);
	return err ? err : resume_one(ts, child, RESUME_CONTINUE);
}

/* Children whose maker goes on do so, too; with all set, all of them. */
static struct error *resume_children(struct tracees *ts, bool all)
{
	struct error *err = NULL;

	for (size_t i = 0; i < ts->children.len && !err; i++) {
		struct thread *child = ts->children.items[i];
		const struct thread *maker = tracees_find(ts, child->maker);
		bool waits = maker && thread_state_stands(maker->state);
		if (child->state == THREAD_PENDING || (child->state == THREAD_NEW && !waits) || all)
			err = resume_child(ts, child);
	}
	return err;
}

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
			err = halt(ts, &halted);
		first = first && !site;
		if (site && !err)
			err = pass(ts, th, site, th->maker ? RESUME_CONTINUE : how);
	}
	if (!err)
		err = end_halt(ts, &halted);
	vec_fini(&halted);
	for (size_t i = 0; i < ts->target->threads.len && !err; i++) {
		struct thread *th = ts->target->threads.items[i];
		if (th->state == THREAD_STUCK)
			err = go_on(ts, th, RESUME_CONTINUE);
		else if (th->state == THREAD_STOPPED && !th->held)
			err = resume_one(ts, th, how);
	}
	return err ? err : resume_children(ts, true);
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
		err = resume_one(ts, th, how);
	return err ? err : resume_children(ts, false);
}

struct error *run_step_range(struct tracees *ts, struct thread *th, taddr start, taddr end)
{
	bool runs;

	if (th->state != THREAD_STOPPED)
		return error_new(ERROR_USAGE, "thread %d cannot be resumed: it is not stopped",
				 th->lwp);
	struct error *err = collect_exec(ts);
	if (!err)
		err = note_wish(ts, th, RESUME_STEP);
	if (err || th->state != THREAD_STOPPED)
		return err;
	stepping_begin(th, start, end);
	err = stepping_prepare(ts, th, &runs);
	if (!err)
		err = resume_one(ts, th, RESUME_STEP);
	return err ? err : resume_children(ts, false);
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
	vec_for_each (th, &ts->target->threads) {
		if ((*th)->state == THREAD_STEPPING && !sleeps(*th, waited_us))
			return true;
	}
	return false;
}

/* Of what nobody is to know: the thread goes on, if it was to. */
static struct error *go_on_silently(struct tracees *ts, struct thread *th)
{
	bool runs = false;

	if (!th->goes || th->held || th->state != THREAD_STOPPED)
		return NULL;
	if (th->stepping.active && th->steps) {
		struct error *err = stepping_prepare(ts, th, &runs);
		if (err || runs)
			return err ? err : go_on(ts, th, RESUME_CONTINUE);
	}
	return resume_one(ts, th, th->steps ? RESUME_STEP : RESUME_CONTINUE);
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
	return event->stop.kind != STOP_STEPPED || !stepping_goes_on(ts, th);
}

/* Steps of a range take turns with what others tell. */
static const struct event *pick(struct tracees *ts)
{
	const struct event *first = events_first(&ts->events);
	bool quiet = first && first->stop.kind == STOP_STEPPED && first->thread->stepping.active;

	return quiet && ts->events.len > 1 && stepping_goes_on(ts, first->thread) ? first + 1
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

/* Collects what can be collected. */
static struct error *look(struct tracees *ts)
{
	size_t known;
	struct error *err;

	ts->hints = 0;
	do {
		known = tracees_len(ts);
		err = tracee_sweep(ts);
		if (!err)
			err = resume_children(ts, false);
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
	enum { HINTS = 16, THREADS_EACH = 8 };

	return ts->hints > HINTS + ts->target->threads.len / THREADS_EACH;
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
		return tracee_collect(ts, th);
	if (lwp > 0 && ptrace_has_stopped(lwp) && ptrace_is_thread(ts->target->pid, lwp))
		return run_adopt_ours(ts, lwp);
	return NULL;
}

/* While events are held back by a step, there is something to look at even if nobody reports. */
static long nap(const struct tracees *ts, long timeout_us, long waited_us)
{
	long left = timeout_us < 0 ? -1 : timeout_us - waited_us;

	return ts->events.len && (left < 0 || left > LOOK_INTERVAL) ? LOOK_INTERVAL : left;
}

/*
 * Who goes on silently is often back at once: a wake-up would cost more than that takes. It may
 * need this very processor, though.
 */
static pid_t await_hint(long limit_us)
{
	pid_t lwp = ptrace_sleep(0);

	for (long start = tracees_now_us(); lwp <= 0 && tracees_now_us() - start < limit_us;) {
		sched_yield();
		lwp = ptrace_sleep(0);
	}
	return lwp;
}

struct error *run_wait(struct tracees *ts, long timeout_us, struct event *ret)
{
	enum { AT_LEAST = 1000 }; /* hits that stop nobody may come without end */
	long start = tracees_now_us();
	long limit = timeout_us >= 0 && timeout_us < AT_LEAST ? AT_LEAST : timeout_us;
	bool silent = false;

	tracees_drop_gone(ts);
	if (ts->end_told)
		return error_new(ERROR_GONE, "process %d has ended", ts->target->pid);
	struct error *err = follow_hint(ts, ptrace_sleep(0));
	while (!err) {
		err = find(ts, tracees_now_us() - start, ret, &silent);
		long waited = tracees_now_us() - start;
		bool late = timeout_us >= 0 && waited >= (silent ? limit : timeout_us);
		if (!err && late && silent)
			ptrace_nudge();
		if (err || late || ret->stop.kind != STOP_NONE || ptrace_is_woken())
			return err;
		pid_t hint = silent && ts->events.len ? 0 : await_hint(timeout_us ? SPIN : 0);
		if (hint <= 0 && !silent)
			hint = ptrace_doze(nap(ts, timeout_us, waited));
		err = follow_hint(ts, hint);
	}
	return err;
}

/* ---- children that go their own way ----------------------------------------------------- */

struct error *run_release_children(struct tracees *ts)
{
	struct error *err = stop_children(ts);

	for (size_t i = 0; i < ts->children.len && !err; i++) {
		struct thread *child = ts->children.items[i];
		if (thread_state_stands(child->state) &&
		    (child->state == THREAD_NEW || child->shares))
			err = tracees_unless_gone(passing_clean(ts, child->lwp));
		if (!err)
			err = tracee_move(ts, child, WANT_RELEASE);
	}
	return err;
}

struct error *run_follow_exec(struct tracees *ts)
{
	struct error *err = run_release_children(ts);

	passing_forget(ts);
	hits_forget(ts);
	return err;
}
