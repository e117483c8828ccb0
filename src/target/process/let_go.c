/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/let_go.h"

#include "base/clock.h"
#include "target/process/adopt.h"
#include "target/process/children.h"
#include "target/process/halt.h"
#include "target/process/late_traps.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"

static bool does_any_run(const struct tracees *ts)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		enum thread_state state = tracees_at(ts, i)->state;
		if (state == THREAD_RUNNING || state == THREAD_LISTENING ||
		    thread_state_is_due(state))
			return true;
	}
	return false;
}

static struct error *move_all(struct tracees *ts, enum thread_input input)
{
	struct error *err = NULL;

	for (size_t i = 0; i < tracees_len(ts) && !err; i++)
		err = tracee_move(ts, tracees_at(ts, i), input);
	return err;
}

static bool is_any_left(const struct tracees *ts)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		if (!thread_state_is_over(tracees_at(ts, i)->state))
			return true;
	}
	return false;
}

/*
 * What was killed where it stood cannot be detached: the kernel waits for it to be reaped. If an
 * exec killed the leader, the caller stands under its number then, and can be.
 */
static struct error *release_all(struct tracees *ts)
{
	long limit = clock_us() + PATIENCE;
	struct error *err = move_all(ts, WANT_RELEASE);

	while (!err && is_any_left(ts) && clock_us() < limit) {
		err = tracee_sweep(ts);
		if (!err)
			err = move_all(ts, WANT_RELEASE);
		if (!err && is_any_left(ts))
			ptrace_sleep(LOOK_INTERVAL);
	}
	return err;
}

/*
 * A signal that was kept from a thread (kept_signals.h) is put right when it comes; and it comes as
 * soon as the thread goes on, before it executes anything.
 */
static struct error *await_kept_signals(struct tracees *ts, struct thread *th)
{
	long limit = clock_us() + PATIENCE;
	struct error *err = NULL;

	while (!err && thread_state_stands(th->state) && th->stop.kind != STOP_GROUP &&
	       kept_signals_are_due(&ts->kept, th->lwp) && clock_us() < limit) {
		err = tracee_move(ts, th, SEEN_TOLD);
		if (!err)
			err = tracee_move(ts, th, WANT_CONTINUE);
		while (!err && th->state == THREAD_RUNNING && clock_us() < limit) {
			ptrace_sleep(LOOK_INTERVAL);
			err = tracee_collect(ts, th);
		}
	}
	return err;
}

static struct error *await_all_kept_signals(struct tracees *ts)
{
	struct error *err = NULL;

	for (size_t i = 0; ts->kept.len && i < ts->target->threads.len && !err; i++)
		err = await_kept_signals(ts, ts->target->threads.items[i]);
	return err;
}

/* Who executes what the debugger has sent it to goes on where it was. */
static struct error *give_registers_back(struct tracees *ts)
{
	const struct arch *arch = ts->target->arch;
	struct error *err = NULL;

	vec_for_each (one, &ts->before) {
		struct thread *th = tracees_find(ts, one->lwp);
		if (err || !th || !thread_state_stands(th->state))
			continue;
		th->general_valid = th->general_changed = false;
		err = tracees_unless_gone(ptrace_set_regset(one->lwp, arch->regset_note[one->set],
							    one->bytes, one->len));
	}
	return err;
}

struct error *let_go_detach(struct tracees *ts)
{
	struct error *err = NULL;

	if (does_any_run(ts))
		err = tracees_unless_gone(halt_all(ts));
	if (!err)
		err = late_traps_collect(ts, true);
	if (!err)
		err = await_all_kept_signals(ts);
	if (!err)
		err = children_release(ts);
	passing_remove(ts);
	if (!err)
		err = give_registers_back(ts);
	return err ? err : release_all(ts);
}

/* The kernel tells the leader's end only when every other thread has been reaped. */
struct error *let_go_kill(struct tracees *ts)
{
	long limit = clock_us() + PATIENCE;
	struct error *err = children_release(ts);

	if (ts->sites.shared)
		passing_forget(ts);
	else
		passing_remove(ts);
	/* When all are gone, the number may already be another process's. */
	if (is_any_left(ts))
		ptrace_kill(ts->target->pid);
	while (!err && is_any_left(ts)) {
		err = move_all(ts, SEEN_KILLED);
		if (!err)
			err = tracee_sweep(ts);
		if (!err)
			err = adopt_unknown(ts);
		if (err || !is_any_left(ts))
			return err;
		if (clock_us() > limit)
			return error_new(ERROR_OS, "process %d does not die", ts->target->pid);
		ptrace_sleep(LOOK_INTERVAL);
	}
	return err;
}
