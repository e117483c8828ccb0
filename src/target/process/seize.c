/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/seize.h"

#include <stdlib.h>
#include <unistd.h>

#include "target/process/adopt.h"
#include "target/process/gate.h"
#include "target/process/halt.h"
#include "target/process/ptrace.h"

static bool is_refused(const struct tracees *ts, pid_t lwp)
{
	vec_for_each (r, &ts->refused) {
		if (*r == lwp)
			return true;
	}
	return false;
}

struct error *seize_running(struct tracees *ts, pid_t lwp)
{
	enum ptrace_options more = ts->exit_kill ? PTRACE_EXIT_KILL : 0;
	struct error *err = ptrace_seize(lwp, PTRACE_FOLLOW | more);
	struct thread *th = err ? NULL : target_add_thread(ts->target, lwp);

	if (th) {
		th->process = ts->target->pid;
		th->state = THREAD_RUNNING;
	}
	return err || th ? err : &error_nomem;
}

/* Seizes one thread, or finds that the kernel did it, or that it is dying. */
static struct error *seize(struct tracees *ts, pid_t lwp)
{
	struct error *err = seize_running(ts, lwp);

	if (!error_is(err, ERROR_GONE) && !error_is(err, ERROR_NOT_PERMITTED))
		return err;
	error_ignore(err);
	struct proc_status status = { 0 };
	error_ignore(procfs_status(ts->target->pid, lwp, &status));
	if (status.tracer == gettid())
		return adopt_ours(ts, lwp);
	return vec_push(&ts->refused, lwp) ? NULL : &error_nomem;
}

/* All that are ours are there until they are reaped: as many as there are, are all. */
static bool has_all(const struct tracees *ts)
{
	size_t ours = 0;

	vec_for_each (th, &ts->target->threads)
		ours += !thread_state_is_over((*th)->state);
	return ours && ours == procfs_count_tasks(ts->target->pid);
}

/* One scan of the process's threads. */
static struct error *seize_new(struct tracees *ts, bool *ret_found)
{
	struct lwp_list lwps = { 0 };

	*ret_found = false;
	if (has_all(ts))
		return NULL;
	struct error *err = procfs_tasks(ts->target->pid, &lwps);
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

/*
 * Two or three scans do, under any honest load: what a seized thread makes is ours. Threads that
 * each make the next one and end may be ahead of the scans for long, and for ever if they mean to.
 */
static struct error *seize_until_none_is_new(struct tracees *ts, int *scans, bool *ret_any)
{
	enum { SCANS_MAX = 10000 }; /* about a second */
	struct error *err = NULL;
	bool found = true;

	*ret_any = false;
	ptrace_guard_begin(reap_dead, ts);
	for (; found && !err; ++*scans) {
		if (*scans == SCANS_MAX)
			err = error_new(ERROR_UNSUPPORTED,
					"process %d makes threads faster than they can be "
					"attached: stop it before, with 'kill -STOP %d'",
					ts->target->pid, ts->target->pid);
		else
			err = seize_new(ts, &found);
		if (!err)
			err = tracee_sweep(ts);
		*ret_any |= found;
	}
	ptrace_guard_end();
	return err;
}

/*
 * All are seized before the first is interrupted: none stands still meanwhile. The kernel decides
 * when it begins to make a thread whether somebody traces it: one that was in the making when its
 * maker was seized is nobody's, and is there for certain only when the maker stands.
 */
static struct error *seize_and_stop(struct tracees *ts)
{
	struct error *err = NULL;
	bool found = true;

	for (int scans = 0; found && !err;) {
		err = seize_until_none_is_new(ts, &scans, &found);
		gate_meet(ts->target->gate, GATE_SEIZED);
		if (!err && found)
			err = halt_interrupt(ts);
		gate_meet(ts->target->gate, GATE_INTERRUPTED);
		if (!err && found)
			err = halt_await(ts);
	}
	tracees_drop_gone(ts);
	return err;
}

/* That job control had stopped it before is no news. */
static struct error *forget_group_stops(struct tracees *ts)
{
	struct error *err = NULL;

	vec_for_each (th, &ts->target->threads) {
		if ((*th)->state == THREAD_PENDING && (*th)->stop.kind == STOP_GROUP && !err)
			err = tracee_move(ts, *th, SEEN_TOLD);
	}
	return err;
}

/*
 * When a thread calls exec, its process has for a moment no thread that could be seized: the
 * leader is dead, and the caller is about to get its number. What was refused then is tried
 * again; what was seized then has another number.
 */
struct error *seize_all(struct tracees *ts)
{
	enum { ATTEMPTS = 10 };

	for (int i = 0; i < ATTEMPTS && !ts->target->threads.len; i++) {
		ts->refused.len = 0;
		struct error *err = seize_and_stop(ts);
		if (!err && (ts->refused.len || !ts->target->threads.len))
			err = adopt_unknown(ts);
		if (!err)
			err = halt_await(ts);
		tracees_drop_gone(ts);
		if (err)
			return tracees_unless_gone(err);
	}
	return forget_group_stops(ts);
}
