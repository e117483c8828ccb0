/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/tracees.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/ptrace.h"

/* How long to wait for threads that were told to stop or to die, in microseconds. */
enum {
	PATIENCE_D = 300 * 1000,     /* while it is in state D                     */
	PATIENCE = 10 * 1000 * 1000, /* for any other: it may have to get a CPU first */
	LOOK_INTERVAL = 50 * 1000,   /* between looks at what holds it up           */
	SPIN = 50,                   /* poll before sleeping: a wake-up costs as much */
};

/* Memory that is read, usually: of each thread's stack, and of all modules together. */
enum { STACK_PAGES = 2, MODULE_PAGES = 128 };

void tracees_fini(struct tracees *ts)
{
	vec_fini(&ts->refused);
	vec_fini(&ts->children);
}

static long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* ---- reports of the kernel -------------------------------------------------------------- */

static enum ptrace_options options(const struct tracees *ts)
{
	return ts->exit_kill ? PTRACE_FOLLOW | PTRACE_EXIT_KILL : PTRACE_FOLLOW;
}

/* Dying threads answer ESRCH: their end is collected later. */
static struct error *unless_gone(struct error *err)
{
	if (!error_is(err, ERROR_GONE))
		return err;
	error_ignore(err);
	return NULL;
}

/* A thread that a report or a scan named. The kernel has attached it: its first stop is due. */
static struct error *adopt(struct tracees *ts, pid_t lwp)
{
	struct thread *th = target_find_thread(ts->target, lwp);

	if (th && th->state != THREAD_GONE)
		return NULL;
	if (!th)
		th = target_add_thread(ts->target, lwp);
	if (!th)
		return &error_nomem;
	th->state = THREAD_STOPPING;
	th->untold = true;
	return NULL;
}

/* It is ours, but it need not be new: an exec may have given one that runs another number. */
static struct error *adopt_ours(struct tracees *ts, pid_t lwp)
{
	struct error *err = adopt(ts, lwp);

	return err ? err : unless_gone(ptrace_interrupt(lwp));
}

static bool is_thread_of(pid_t lwp, pid_t pid)
{
	struct proc_status status = { 0 };

	error_ignore(procfs_status(lwp, 0, &status));
	return status.tgid == pid;
}

/*
 * What clone() made is a thread, or with CLONE_VM alone a process that shares our memory;
 * fork() and vfork() make a process.
 */
static struct error *note_made(struct tracees *ts, struct thread *th)
{
	struct tracee_child child = { th->lwp, (pid_t)th->stop.value };

	if (th->stop.kind == STOP_CLONE && is_thread_of(child.pid, ts->target->pid))
		return adopt(ts, child.pid);
	return vec_push(&ts->children, child) ? NULL : &error_nomem;
}

/* It exists no longer. What it had to tell is of no interest, unless its end is the process's. */
static void set_gone(struct tracees *ts, struct thread *th)
{
	th->state = THREAD_GONE;
	th->unreported = false;
	ts->some_gone = true;
}

/* The caller's LWP became the leader's, all other threads are dead and to be reaped. */
static void note_exec(struct tracees *ts, struct thread *leader)
{
	vec_for_each (th, &ts->target->threads) {
		int status;
		bool gone;
		if (*th == leader || (*th)->state == THREAD_GONE)
			continue;
		while (ptrace_poll((*th)->lwp, &status, &gone) && !gone)
			;
		set_gone(ts, *th);
	}
	free(leader->name);
	leader->name = NULL;
	ts->new_program = true;
}

static struct error *note_details(struct tracees *ts, struct thread *th)
{
	switch (th->stop.kind) {
	case STOP_SIGNAL:
		th->signal = (int)th->stop.value;
		return NULL;
	case STOP_BREAKPOINT:
		/* The program's own trap instruction, unless who planted it says otherwise. */
		th->signal = SIGTRAP;
		return NULL;
	case STOP_CLONE:
	case STOP_FORK:
	case STOP_VFORK:
		return note_made(ts, th);
	case STOP_EXEC:
		note_exec(ts, th);
		return NULL;
	case STOP_NONE:
	case STOP_EXITED:
	case STOP_KILLED:
	case STOP_GROUP:
	case STOP_INTERRUPTED:
	case STOP_STEPPED:
	case STOP_WATCHPOINT:
	case STOP_VFORK_DONE:
	case STOP_EXITING:
		return NULL;
	}
	return NULL;
}

static struct stop decode(pid_t lwp, int status)
{
	unsigned long message = 0;
	siginfo_t info;
	bool have_info = false;

	/* Both fail only when SIGKILL has ended the stop meanwhile; the end is told next. */
	if (stop_needs_message(status))
		error_ignore(ptrace_event_message(lwp, &message));
	if (stop_needs_siginfo(status)) {
		struct error *err = ptrace_siginfo(lwp, &info);
		have_info = !err;
		error_ignore(err);
	}
	return stop_decode(status, have_info ? &info : NULL, message);
}

static void set_end(struct tracees *ts, struct thread *th, struct stop stop)
{
	set_gone(ts, th);
	th->stop = stop;
	th->unreported = th->lwp == ts->target->pid;
}

/* The one place where a report changes a thread's state. */
static struct error *note_report(struct tracees *ts, struct thread *th, int status)
{
	struct stop stop = decode(th->lwp, status);
	bool asked_for = th->state != THREAD_RUNNING;

	log_debug(LOG_PTRACE, "thread %d: %s %ld", th->lwp, stop_kind_name(stop.kind), stop.value);
	if (stop_is_end(&stop)) {
		set_end(ts, th, stop);
		return NULL;
	}
	if (stop.kind == STOP_INTERRUPTED && !asked_for) {
		/* Job control let it go again, or an interrupt came late: let it go on. */
		th->listening = false;
		error_ignore(th->stepping ? ptrace_step(th->lwp, 0) : ptrace_cont(th->lwp, 0));
		return NULL;
	}
	th->state = THREAD_STOPPED;
	th->stop = stop;
	th->signal = 0;
	th->listening = false;
	th->general_valid = false;
	th->unreported = stop.kind != STOP_INTERRUPTED && !(stop.kind == STOP_GROUP && asked_for);
	return note_details(ts, th);
}

static bool has_report_due(const struct thread *th)
{
	return th->state == THREAD_STOPPING || th->state == THREAD_RUNNING ||
	       th->state == THREAD_STUCK || th->state == THREAD_ZOMBIE;
}

/* Collects the report of one thread, if there is one. */
static struct error *collect(struct tracees *ts, struct thread *th)
{
	int status;
	bool gone = false;

	if (th->state == THREAD_GONE)
		return NULL;
	if (ptrace_poll(th->lwp, &status, &gone))
		return note_report(ts, th, status);
	if (gone) /* an exec gave its number away, or somebody else reaped it */
		set_gone(ts, th);
	return NULL;
}

/* Adopts threads that the kernel attached for us, but of which no report told. */
static struct error *adopt_unknown(struct tracees *ts)
{
	struct lwp_list lwps = { 0 };
	struct error *err = procfs_tasks(ts->target->pid, &lwps);
	pid_t self = getpid();

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
			err = adopt_ours(ts, lwps.items[i]);
	}
	vec_fini(&lwps);
	return err;
}

/*
 * A stopped thread has nothing to report but its end, by SIGKILL, an exec or an exit of the whole
 * process; and that ends all the others, too. So one that still stands vouches for the rest, except
 * for the leader: its end comes last.
 */
static struct error *collect_killed(struct tracees *ts)
{
	struct thread *leader = NULL;

	for (size_t i = 0; i < ts->target->threads.len; i++) {
		struct thread *th = ts->target->threads.items[i];
		if (th->lwp == ts->target->pid)
			leader = th;
		if (th->state != THREAD_STOPPED || th == leader)
			continue;
		struct error *err = collect(ts, th);
		if (err || th->state == THREAD_STOPPED)
			return err;
	}
	return leader && leader->state == THREAD_STOPPED ? collect(ts, leader) : NULL;
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
	return adopt_unknown(ts);
}

/* Collects every report there is. By index: reports add threads. */
static struct error *sweep(struct tracees *ts)
{
	for (size_t i = 0; i < ts->target->threads.len; i++) {
		struct thread *th = ts->target->threads.items[i];
		struct error *err = has_report_due(th) ? collect(ts, th) : NULL;
		if (err)
			return err;
	}
	return collect_killed(ts);
}

/* ---- waiting for threads to stop -------------------------------------------------------- */

static size_t count(const struct tracees *ts, enum thread_state state)
{
	size_t n = 0;

	vec_for_each (th, &ts->target->threads)
		n += (*th)->state == state;
	return n;
}

/* Gives up on a thread that will not stop, once it is plain why, or after all patience. */
static void look_at_straggler(struct tracees *ts, struct thread *th, long waited_us)
{
	struct proc_stat stat = { 0 };

	if (th->state != THREAD_STOPPING)
		return;
	error_ignore(procfs_stat(ts->target->pid, th->lwp, &stat));
	if (stat.state == 'Z' && th->lwp == ts->target->pid)
		th->state = THREAD_ZOMBIE;
	else if (waited_us > PATIENCE || (stat.state == 'D' && waited_us > PATIENCE_D))
		th->state = THREAD_STUCK;
	else
		return;
	log_debug(LOG_PTRACE, "thread %d does not stop: state %c", th->lwp, stat.state);
}

/* Waits until no thread is STOPPING. */
static struct error *await_stops(struct tracees *ts)
{
	long start = now_us(), look = start + LOOK_INTERVAL;

	for (;;) {
		struct error *err = sweep(ts);
		if (err)
			return err;
		if (!count(ts, THREAD_STOPPING))
			return NULL;
		long now = now_us();
		if (now - start < SPIN)
			continue;
		if (now >= look) {
			vec_for_each (th, &ts->target->threads)
				look_at_straggler(ts, *th, now - start);
			look = now + LOOK_INTERVAL;
		}
		ptrace_sleep(LOOK_INTERVAL);
	}
}

static struct error *interrupt(struct thread *th)
{
	struct error *err = unless_gone(ptrace_interrupt(th->lwp));

	if (!err)
		th->state = THREAD_STOPPING;
	return err;
}

static struct error *interrupt_all(struct tracees *ts)
{
	vec_for_each (th, &ts->target->threads) {
		struct error *err = (*th)->state == THREAD_RUNNING ? interrupt(*th) : NULL;
		if (err)
			return err;
	}
	return NULL;
}

struct error *tracees_stop_all(struct tracees *ts)
{
	target_drop_gone(ts->target);
	struct error *err = interrupt_all(ts);
	if (!err)
		err = await_stops(ts);
	if (!err)
		err = adopt_forgotten(ts);
	if (!err)
		err = await_stops(ts);
	if (err || count(ts, THREAD_STOPPED) || count(ts, THREAD_STUCK))
		return err;
	return error_new(ERROR_GONE, "process %d has ended", ts->target->pid);
}

/* ---- seizing ---------------------------------------------------------------------------- */

static bool is_refused(const struct tracees *ts, pid_t lwp)
{
	vec_for_each (r, &ts->refused) {
		if (*r == lwp)
			return true;
	}
	return false;
}

struct error *tracees_seize_running(struct tracees *ts, pid_t lwp)
{
	struct error *err = ptrace_seize(lwp, options(ts));
	struct thread *th = err ? NULL : target_add_thread(ts->target, lwp);

	if (th)
		th->state = THREAD_RUNNING;
	return err || th ? err : &error_nomem;
}

/* Seizes one thread, or finds that the kernel did it, or that it is dying. */
static struct error *seize(struct tracees *ts, pid_t lwp)
{
	struct error *err = tracees_seize_running(ts, lwp);

	if (!error_is(err, ERROR_GONE) && !error_is(err, ERROR_NOT_PERMITTED))
		return err;
	error_ignore(err);
	struct proc_status status = { 0 };
	error_ignore(procfs_status(ts->target->pid, lwp, &status));
	if (status.tracer == getpid())
		return adopt_ours(ts, lwp);
	return vec_push(&ts->refused, lwp) ? NULL : &error_nomem;
}

/* One scan of the process's threads. */
static struct error *seize_new(struct tracees *ts, bool *ret_found)
{
	struct lwp_list lwps = { 0 };
	struct error *err = procfs_tasks(ts->target->pid, &lwps);

	*ret_found = false;
	for (size_t i = 0; i < lwps.len && !err; i++) {
		if (target_find_thread(ts->target, lwps.items[i]) || is_refused(ts, lwps.items[i]))
			continue;
		*ret_found = true;
		err = seize(ts, lwps.items[i]);
	}
	vec_fini(&lwps);
	return err;
}

/* In a signal handler, while a seize is under way: the list stands still. */
static void reap_dead(void *context)
{
	const struct tracees *ts = context;

	vec_for_each (th, &ts->target->threads)
		ptrace_reap_dead((*th)->lwp);
}

static struct error *seize_until_none_is_new(struct tracees *ts)
{
	struct error *err = NULL;
	bool found = true;

	ptrace_guard_begin(reap_dead, ts);
	while (found && !err) {
		err = seize_new(ts, &found);
		if (!err)
			err = sweep(ts);
	}
	ptrace_guard_end();
	return err;
}

/* All are seized before the first is interrupted: none stands still meanwhile. */
static struct error *seize_and_stop(struct tracees *ts)
{
	struct error *err = seize_until_none_is_new(ts);

	if (err)
		return err;
	memory_prepare(ts->target->memory, ts->target->threads.len * STACK_PAGES + MODULE_PAGES);
	err = interrupt_all(ts);
	if (!err)
		err = await_stops(ts);
	target_drop_gone(ts->target);
	return err;
}

/*
 * When a thread calls exec, its process has for a moment no thread that could be seized: the
 * leader is dead, and the caller is about to get its number. What was refused then is tried
 * again; what was seized then has another number.
 */
struct error *tracees_seize_all(struct tracees *ts)
{
	enum { ATTEMPTS = 10 };

	for (int i = 0; i < ATTEMPTS && !ts->target->threads.len; i++) {
		ts->refused.len = 0;
		struct error *err = seize_and_stop(ts);
		if (!err && (ts->refused.len || !ts->target->threads.len))
			err = adopt_unknown(ts);
		if (!err)
			err = await_stops(ts);
		target_drop_gone(ts->target);
		if (err)
			return unless_gone(err);
	}
	/* That job control had stopped it before is no news. */
	vec_for_each (th, &ts->target->threads)
		(*th)->unreported = (*th)->unreported && (*th)->stop.kind != STOP_GROUP;
	return NULL;
}

/* ---- resuming, waiting, letting go ------------------------------------------------------ */

static void release_child(const struct tracee_child *child)
{
	int status;
	bool gone = false;
	long limit = now_us() + PATIENCE;

	while (!ptrace_poll(child->pid, &status, &gone) && !gone && now_us() < limit)
		ptrace_sleep(LOOK_INTERVAL);
	if (!gone)
		error_ignore(ptrace_detach(child->pid, 0));
}

/* Processes that this thread made (0: any thread) go their own way from here on. */
static void release_children(struct tracees *ts, pid_t parent_lwp)
{
	size_t kept = 0;

	vec_for_each (child, &ts->children) {
		if (parent_lwp && child->parent_lwp != parent_lwp)
			ts->children.items[kept++] = *child;
		else
			release_child(child);
	}
	ts->children.len = kept;
}

static struct error *resume_one(struct tracees *ts, struct thread *th, enum resume_how how)
{
	struct error *err;
	bool listen = th->stop.kind == STOP_GROUP && !th->signal && how == RESUME_CONTINUE;

	release_children(ts, th->lwp);
	if (listen)
		err = ptrace_listen(th->lwp);
	else if (how == RESUME_STEP)
		err = ptrace_step(th->lwp, th->signal);
	else
		err = ptrace_cont(th->lwp, th->signal);
	err = unless_gone(err);
	if (err)
		return err;
	th->state = THREAD_RUNNING;
	th->listening = listen;
	th->stepping = how == RESUME_STEP;
	th->signal = 0;
	th->general_valid = false;
	return NULL;
}

/* When it gets out of where it is stuck, the interrupt stops it, and it is let go on. */
static void forget_interrupt(struct thread *th)
{
	th->state = THREAD_RUNNING;
	th->listening = th->stepping = false;
}

struct error *tracees_resume(struct tracees *ts, struct thread *th, enum resume_how how)
{
	if (th) {
		if (th->state != THREAD_STOPPED || th->unreported)
			return error_new(ERROR_USAGE,
					 "thread %d cannot be resumed: it is not stopped", th->lwp);
		return resume_one(ts, th, how);
	}
	vec_for_each (each, &ts->target->threads) {
		if ((*each)->state == THREAD_STUCK)
			forget_interrupt(*each);
		if ((*each)->state != THREAD_STOPPED || (*each)->unreported || (*each)->untold)
			continue;
		struct error *err = resume_one(ts, *each, how);
		if (err)
			return err;
	}
	return NULL;
}

/* The next thread with something to tell, in turn, so that a busy one cannot hide the others. */
static struct thread *next_unreported(const struct tracees *ts)
{
	struct thread *first = NULL;

	vec_for_each (th, &ts->target->threads) {
		if (!(*th)->unreported)
			continue;
		if ((*th)->lwp > ts->last_reported)
			return *th;
		if (!first)
			first = *th;
	}
	return first;
}

/* The thread whose making a stop tells about; NULL: it is about something else. */
static struct thread *made_by(const struct tracees *ts, const struct stop *stop)
{
	return stop->kind == STOP_CLONE ? target_find_thread(ts->target, (pid_t)stop->value) : NULL;
}

/* What was made has to stand at its first instruction before its making is told. */
static struct error *await_made(struct tracees *ts, const struct thread *th)
{
	const struct thread *made = made_by(ts, &th->stop);

	return made && made->state == THREAD_STOPPING ? await_stops(ts) : NULL;
}

static void report(struct tracees *ts, struct thread *th, struct event *ret)
{
	struct thread *made = made_by(ts, &th->stop);

	if (made)
		made->untold = false;
	th->unreported = th->untold = false;
	ts->last_reported = th->lwp;
	ts->end_told = stop_is_end(&th->stop);
	*ret = (struct event){ th, th->stop };
}

/* No thread is left, and no end was told: the leader was never ours. */
static bool ended_untold(const struct tracees *ts)
{
	return count(ts, THREAD_GONE) == ts->target->threads.len;
}

static struct error *after_sleep(struct tracees *ts, pid_t hint)
{
	struct thread *th = hint > 0 ? target_find_thread(ts->target, hint) : NULL;

	if (th)
		return collect(ts, th);
	return hint > 0 ? adopt_unknown(ts) : NULL;
}

/* Finds the next event that is there already; STOP_NONE: there is none. */
static struct error *look(struct tracees *ts, struct event *ret)
{
	for (;;) {
		size_t known = ts->target->threads.len;
		struct thread *th = next_unreported(ts);
		struct error *err = th ? await_made(ts, th) : sweep(ts);
		if (!err && !th)
			err = adopt_forgotten(ts);
		if (err)
			return err;
		if (th && th->unreported) { /* it may have been killed meanwhile */
			report(ts, th, ret);
			return NULL;
		}
		if (!th && !next_unreported(ts) && ts->target->threads.len == known)
			break;
	}
	ts->end_told = ended_untold(ts);
	*ret = (struct event){ .stop.kind = ts->end_told ? STOP_EXITED : STOP_NONE,
			       .stop.value = ts->end_told ? -1 : 0 };
	return NULL;
}

struct error *tracees_wait(struct tracees *ts, long timeout_us, struct event *ret)
{
	long start = now_us();
	struct error *err;

	target_drop_gone(ts->target);
	if (ts->end_told)
		return error_new(ERROR_GONE, "process %d has ended", ts->target->pid);
	for (;;) {
		err = look(ts, ret);
		long waited = now_us() - start;
		if (err || ret->stop.kind != STOP_NONE || (timeout_us >= 0 && waited >= timeout_us))
			return err;
		err = after_sleep(ts, ptrace_sleep(timeout_us < 0 ? -1 : timeout_us - waited));
		if (err)
			return err;
	}
}

static void detach(struct thread *th)
{
	struct error *failed = NULL;

	if (th->state == THREAD_STOPPED)
		failed = ptrace_detach(th->lwp, th->signal);
	if (!failed)
		th->state = THREAD_GONE;
	error_ignore(failed);
}

/*
 * What was killed where it stood cannot be detached: the kernel waits for it to be reaped. If an
 * exec killed the leader, the caller stands under its number then, and can be.
 */
static struct error *bury(struct tracees *ts)
{
	long limit = now_us() + PATIENCE;

	while (count(ts, THREAD_STOPPED) && now_us() < limit) {
		struct error *err = collect_killed(ts);
		if (err)
			return err;
		vec_for_each (th, &ts->target->threads)
			detach(*th);
		if (count(ts, THREAD_STOPPED))
			ptrace_sleep(LOOK_INTERVAL);
	}
	return NULL;
}

struct error *tracees_detach(struct tracees *ts)
{
	struct error *err = NULL;

	if (count(ts, THREAD_RUNNING) || count(ts, THREAD_STOPPING))
		err = unless_gone(tracees_stop_all(ts));
	vec_for_each (th, &ts->target->threads)
		detach(*th);
	if (!err)
		err = bury(ts);
	release_children(ts, 0);
	return err;
}

/* The kernel tells the leader's end only when every other thread has been reaped. */
struct error *tracees_kill(struct tracees *ts)
{
	long limit = now_us() + PATIENCE;

	/* When all are gone, the number may already be another process's. */
	if (count(ts, THREAD_GONE) < ts->target->threads.len)
		kill(ts->target->pid, SIGKILL);
	release_children(ts, 0);
	while (count(ts, THREAD_GONE) < ts->target->threads.len) {
		vec_for_each (th, &ts->target->threads) {
			if ((*th)->state == THREAD_STOPPED)
				(*th)->state = THREAD_RUNNING;
		}
		struct error *err = sweep(ts);
		if (!err)
			err = adopt_unknown(ts);
		if (err)
			return err;
		if (count(ts, THREAD_GONE) == ts->target->threads.len)
			break;
		if (now_us() > limit)
			return error_new(ERROR_OS, "process %d does not die", ts->target->pid);
		ptrace_sleep(LOOK_INTERVAL);
	}
	return NULL;
}
