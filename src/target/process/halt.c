/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/halt.h"

#include "base/clock.h"
#include "base/log.h"
#include "target/process/adopt.h"
#include "target/process/late_traps.h"
#include "target/process/ptrace.h"

static bool is_any_due(const struct tracees *ts)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		if (thread_state_is_due(tracees_at(ts, i)->state))
			return true;
	}
	return false;
}

/* How long each look since "start" has found it in state D: it may be there for moments, often. */
static long uninterruptible_us(struct thread *th, char state, long start, long now)
{
	if (state != 'D' || th->blocked_since < start)
		th->blocked_since = state == 'D' ? now : 0;
	return state == 'D' ? now - th->blocked_since : 0;
}

/* Gives up on a thread that will not stop, once it is plain why, or after all patience. */
static struct error *look_at_straggler(struct tracees *ts, struct thread *th, long start, long now)
{
	struct proc_stat stat = { 0 };
	enum thread_input seen;

	if (!thread_state_is_due(th->state))
		return NULL;
	error_ignore(procfs_stat(th->process, th->lwp, &stat));
	bool patient = now - start <= PATIENCE &&
		       uninterruptible_us(th, stat.state, start, now) <= PATIENCE_D;
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

static struct error *look_at_stragglers(struct tracees *ts, long start, long now)
{
	struct error *err = NULL;

	for (size_t i = 0; i < tracees_len(ts) && !err; i++)
		err = look_at_straggler(ts, tracees_at(ts, i), start, now);
	return err;
}

struct error *halt_await(struct tracees *ts)
{
	/* While others await theirs, too, who spins takes the processor from what is to stop. */
	const long spin = ts->target->gate ? 0 : SPIN;
	long start = clock_us(), look = start + LOOK_INTERVAL;

	for (;;) {
		struct error *err = tracee_sweep(ts);
		if (err || !is_any_due(ts))
			return err;
		long now = clock_us();
		if (now - start < spin)
			continue;
		if (now >= look) {
			err = look_at_stragglers(ts, start, now);
			if (err)
				return err;
			look = now + LOOK_INTERVAL;
		}
		ptrace_sleep(LOOK_INTERVAL);
	}
}

struct error *halt_interrupt(struct tracees *ts)
{
	struct error *err = NULL;

	for (size_t i = 0; i < ts->target->threads.len && !err; i++)
		err = tracee_move(ts, ts->target->threads.items[i], WANT_STOP);
	return err;
}

struct error *halt_children(struct tracees *ts)
{
	struct error *err = NULL;

	if (!ts->children.len)
		return NULL;
	for (size_t i = 0; i < ts->children.len && !err; i++)
		err = tracee_move(ts, ts->children.items[i], WANT_STOP);
	if (!err)
		err = halt_await(ts);
	for (size_t i = 0; i < ts->children.len && !err; i++) {
		if (ts->children.items[i]->state == THREAD_PENDING)
			err = tracee_move(ts, ts->children.items[i], SEEN_TOLD);
	}
	return err;
}

struct error *halt_all(struct tracees *ts)
{
	tracees_drop_gone(ts);
	vec_for_each (th, &ts->target->threads)
		(*th)->goes = false;
	struct error *err = halt_interrupt(ts);
	if (!err)
		err = halt_await(ts);
	if (!err)
		err = adopt_forgotten(ts);
	if (!err)
		err = halt_await(ts);
	if (!err)
		err = halt_children(ts);
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

struct error *halt_others(struct tracees *ts, struct lwp_list *ret)
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
	return err ? err : halt_await(ts);
}
