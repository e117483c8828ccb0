/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/tracee.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/log.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"
#include "target/process/stranded.h"

/* ---- changing states -------------------------------------------------------------------- */

static struct error *detach(struct tracees *ts, struct thread *th)
{
	struct error *err = ptrace_detach(th->lwp, th->signal);

	if (!err)
		return tracee_move(ts, th, REPORT_LOST);
	error_ignore(err); /* it was killed where it stood: the end is due */
	return NULL;
}

static struct error *step(struct tracees *ts, struct thread *th, int signal)
{
	if (th->state == THREAD_PASSING && passing_makes_call(ts, th))
		return ptrace_cont_to_call(th->lwp, signal);
	return ptrace_step(th->lwp, signal);
}

/* What has left its group-stop for a step gets back there, or learns that it is over. */
static struct error *listen(const struct thread *th)
{
	if (th->stop.kind == STOP_GROUP)
		return ptrace_listen(th->lwp);
	struct error *err = ptrace_interrupt(th->lwp);
	return err ? err : ptrace_cont(th->lwp, 0);
}

static struct error *ask(struct tracees *ts, struct thread *th, enum thread_ask what)
{
	struct error *err = NULL;

	if (what == ASK_CONT || what == ASK_STEP || what == ASK_DETACH)
		err = tracees_unless_gone(stranded_save(ts, th));
	if (!err && (what == ASK_CONT || what == ASK_STEP))
		err = passing_note_restart(ts, th);
	if (!err && (what == ASK_CONT || what == ASK_STEP || what == ASK_HOLD))
		err = passing_enter(ts, th, what != ASK_CONT);
	if (!err && (what == ASK_CONT || what == ASK_STEP || what == ASK_HOLD) && !th->maker)
		err = tracees_unless_gone(debug_registers_load(&ts->debug, th->lwp, &th->debug));
	if (!err && what == ASK_DETACH)
		err = tracees_unless_gone(debug_registers_clear(th->lwp, &th->debug));
	if (!err && what != ASK_INTERRUPT && what != ASK_NOTHING)
		err = tracees_unless_gone(tracees_flush(ts, th));
	if (err)
		return err;

	switch (what) {
	case ASK_NOTHING:
		return NULL;
	case ASK_DETACH:
		return detach(ts, th);
	case ASK_INTERRUPT:
		return tracees_unless_gone(ptrace_interrupt(th->lwp));
	case ASK_HOLD:
		th->stepping.signalled = true;
		err = kept_signals_add(&ts->kept, th->lwp);
		if (!err)
			err = step(ts, th, 0);
		break;
	case ASK_CONT:
		err = ts->calls.any && !th->maker ? ptrace_cont_to_call(th->lwp, th->signal)
						  : ptrace_cont(th->lwp, th->signal);
		break;
	case ASK_STEP:
		err = step(ts, th, th->signal);
		break;
	case ASK_LISTEN:
		err = listen(th);
		break;
	}
	th->signal = 0;
	th->general_valid = false;
	return tracees_unless_gone(err);
}

/* What a thread was in the middle of: its event, the thread that it made, its step. */
static struct error *leave(struct tracees *ts, struct thread *th, enum thread_state from)
{
	struct thread *made = NULL;

	if (from == THREAD_PENDING || from == THREAD_ENDED)
		events_drop(&ts->events, th);
	if (from == THREAD_PENDING && th->stop.kind == STOP_CLONE)
		made = target_find_thread(ts->target, (pid_t)th->stop.value);
	if (made)
		return tracee_move(ts, made, SEEN_TOLD);
	if (!thread_state_is_step(from) || thread_state_is_step(th->state))
		return NULL;
	kept_signals_send(&ts->kept, th->process, th->lwp);
	return sites_put_back(&ts->sites, th->lwp);
}

static struct error *go(struct tracees *ts, struct thread *th, struct thread_move move)
{
	enum thread_state from = th->state;

	if (move.to == from && !move.tell)
		return ask(ts, th, move.ask);
	th->state = move.to;
	ts->nstepping += (size_t)(move.to == THREAD_STEPPING) - (from == THREAD_STEPPING);
	struct error *err = leave(ts, th, from);
	if (err)
		return err;
	if (move.tell && !th->maker && !events_add(&ts->events, th))
		return &error_nomem;
	if (move.to == THREAD_GONE) {
		kept_signals_drop(&ts->kept, th->lwp);
		absences_drop(&ts->absences, th->lwp);
		notes_drop(&ts->notes, th->lwp);
		ts->some_gone = true;
	}
	return ask(ts, th, move.ask);
}

struct error *tracee_move(struct tracees *ts, struct thread *th, enum thread_input input)
{
	return go(ts, th, thread_move(th->state, input));
}

/* ---- what reports tell besides ---------------------------------------------------------- */

struct error *tracee_adopt(struct tracees *ts, pid_t lwp)
{
	struct thread *th = target_find_thread(ts->target, lwp);

	if (th && !thread_state_is_over(th->state))
		return NULL;
	if (!th)
		th = target_add_thread(ts->target, lwp);
	if (!th)
		return &error_nomem;
	th->process = ts->target->pid;
	th->state = THREAD_STARTING;
	return NULL;
}

/*
 * What clone() made is a thread, or with CLONE_VM alone a process that shares our memory;
 * clone() with SIGCHLD is told as a fork, whatever it shares.
 */
static struct error *note_made(struct tracees *ts, const struct thread *th, const struct stop *stop)
{
	pid_t made = (pid_t)stop->value;
	bool is_thread = stop->kind == STOP_CLONE && ptrace_is_thread(th->process, made);

	if (is_thread && !th->maker)
		return tracee_adopt(ts, made);
	struct thread *child = calloc(1, sizeof(*child));
	if (!child || !vec_push(&ts->children, child)) {
		free(child);
		return &error_nomem;
	}
	child->lwp = made;
	child->maker = th->lwp;
	child->process = is_thread ? th->process : made;
	child->shares = ptrace_shares_memory(th->lwp, made, stop->kind != STOP_FORK);
	child->state = THREAD_STARTING;
	return NULL;
}

/* The caller's LWP became the leader's, all other threads are dead and to be reaped. */
static struct error *note_exec(struct tracees *ts, struct thread *leader)
{
	ts->new_program = ts->sites.replaced = true;
	kept_registers_fini(&ts->before);
	vec_for_each (th, &ts->target->threads) {
		if (*th == leader || thread_state_is_over((*th)->state))
			continue;
		struct error *err = tracee_move(ts, *th, REPORT_LOST);
		if (err)
			return err;
	}
	free(leader->name);
	leader->name = NULL;
	leader->passage = (struct passage){ 0 };
	leader->debug = 0;
	return NULL;
}

static struct error *note_details(struct tracees *ts, struct thread *th, const struct stop *stop)
{
	switch (stop->kind) {
	case STOP_CLONE:
	case STOP_FORK:
	case STOP_VFORK:
		return note_made(ts, th, stop);
	case STOP_EXEC:
		th->shares = false;
		return th->maker ? NULL : note_exec(ts, th);
	case STOP_NONE:
	case STOP_EXITED:
	case STOP_KILLED:
	case STOP_SIGNAL:
	case STOP_GROUP:
	case STOP_INTERRUPTED:
	case STOP_STEPPED:
	case STOP_BREAKPOINT:
	case STOP_SITE:
	case STOP_WATCHPOINT:
	case STOP_VFORK_DONE:
	case STOP_EXITING:
	case STOP_CALL:
	case STOP_RETURN:
		return NULL;
	}
	return NULL;
}

/* ---- reports of the kernel -------------------------------------------------------------- */

/*
 * Which system call it enters or leaves. One that nobody asked for is no more than a stop, or how a
 * thread has got over a site.
 */
static void find_call(struct tracees *ts, struct thread *th, struct stop *stop)
{
	const struct arch *arch = ts->target->arch;
	const uint8_t *general;

	if (stop->kind != STOP_CALL)
		return;
	struct error *err = tracees_general(ts, th, &general);
	long number = err ? -1 : (int)arch_get(arch->call_number, general);
	error_ignore(err);
	bool passes = th->state == THREAD_PASSING;
	stop->kind = passes ? STOP_STEPPED : STOP_INTERRUPTED;
	th->passage.called |= passes;
	if (call_set_has(&ts->calls, number))
		*stop = (struct stop){ ptrace_leaves_call(th->lwp) ? STOP_RETURN : STOP_CALL,
				       number };
}

/* trap: what is known already of a SIGTRAP; NULL: nothing is. */
static struct stop decode(struct tracees *ts, struct thread *th, int status, const siginfo_t *trap)
{
	unsigned long message = 0;
	siginfo_t info;
	bool have_info = false;

	/* Both fail only when SIGKILL has ended the stop meanwhile; the end is told next. */
	if (stop_needs_message(status))
		error_ignore(ptrace_event_message(th->lwp, &message));
	if (trap) {
		info = *trap;
		have_info = true;
	} else if (stop_needs_siginfo(status)) {
		struct error *err = ptrace_siginfo(th->lwp, &info);
		have_info = !err;
		error_ignore(err);
	}
	struct stop stop = stop_decode(status, have_info ? &info : NULL, message);
	passing_note(ts, th, &stop, have_info ? &info : NULL);
	find_call(ts, th, &stop);
	if (stop.kind == STOP_SIGNAL && ts->kept.len)
		kept_signals_restore(&ts->kept, th->lwp, (int)stop.value);
	return stop;
}

/* What resuming delivers: a trap that is not ompdb's is the program's own. */
static int signal_of(const struct stop *stop)
{
	if (stop->kind == STOP_BREAKPOINT)
		return SIGTRAP;
	return stop->kind == STOP_SIGNAL ? (int)stop->value : 0;
}

/*
 * A fault that a step meets is told, though others like it are not. So is what wakes a thread that
 * waits in a system call: its step would last as long as the signal is kept from it.
 */
static enum thread_input input_of(struct tracees *ts, struct thread *th, const struct stop *stop)
{
	if (stop->kind == STOP_SIGNAL && th->state == THREAD_STEPPING &&
	    passing_waits_in_call(ts, th))
		return REPORT_EVENT;
	bool passes = stop->kind == STOP_SIGNAL && stop->value <= 64 &&
		      ts->passed >> (stop->value - 1) & 1;

	bool steps = thread_state_is_step(th->state) || th->stepping.runs;
	if (passes && !(stop->fault && steps))
		return REPORT_PASSED;
	if (stop->kind == STOP_INTERRUPTED && th->in_group_stop)
		return REPORT_GROUP_OVER;
	return thread_input_of(stop, th->lwp == ts->target->pid);
}

static struct error *note_report(struct tracees *ts, struct thread *th, int status,
				 const siginfo_t *trap)
{
	th->general_valid = th->general_changed = false;
	struct stop stop = decode(ts, th, status, trap);
	if (stop_is_ours(&stop)) {
		int taken = ptrace_take(th->lwp);
		if (taken && taken != status) {
			th->general_valid = th->general_changed = false;
			stop = decode(ts, th, taken, NULL);
		}
	}
	enum thread_input input = input_of(ts, th, &stop);
	struct thread_move move = thread_move(th->state, input);

	log_debug(LOG_PTRACE, "%s thread %d: %s %ld; %s", thread_state_name(th->state), th->lwp,
		  stop_kind_name(stop.kind), stop.value, thread_state_name(move.to));
	if (stop.kind == STOP_GROUP || (input == REPORT_GROUP_OVER && move.tell))
		th->in_group_stop = stop.kind == STOP_GROUP;
	if (move.tell || thread_state_stands(move.to) || move.ask == ASK_DETACH ||
	    move.ask == ASK_LISTEN) {
		th->stop = stop;
		th->signal = signal_of(&stop);
	}
	if (input == REPORT_PASSED && move.ask == ASK_CONT) {
		th->signal = (int)stop.value;
		th->stepping.runs = false;
	}
	if (input == REPORT_PASSED && thread_state_stands(move.to))
		th->stop = (struct stop){ .kind = STOP_INTERRUPTED };
	struct error *err = note_details(ts, th, &stop);
	return err ? err : go(ts, th, move);
}

/*
 * Of one that stands, the stop that is known is told again. New is its end, or that the caller of
 * an exec stands under its number.
 */
static bool is_news(const struct thread *th, int status)
{
	return !thread_state_stands(th->state) || !WIFSTOPPED(status) || stop_is_exec(status);
}

struct error *tracee_collect(struct tracees *ts, struct thread *th)
{
	int status;
	bool gone = false;

	if (thread_state_is_over(th->state))
		return NULL;
	if (ptrace_poll(th->lwp, &status, &gone))
		return is_news(th, status) ? note_report(ts, th, status, NULL) : NULL;
	/* An exec gave its number away, or somebody else reaped it. */
	return gone ? tracee_move(ts, th, REPORT_LOST) : NULL;
}

/* What it stands for, if that is a trap: asking at once saves asking first whether it stands. */
struct error *tracee_collect_hinted(struct tracees *ts, struct thread *th)
{
	enum { TRAPPED = SIGTRAP << 8 | 0x7f };
	siginfo_t info;
	bool may_run = !thread_state_stands(th->state) && !thread_state_is_over(th->state);
	struct error *err = may_run ? ptrace_siginfo(th->lwp, &info) : NULL;
	bool trapped = may_run && !err && stop_is_trap(&info);

	error_ignore(err); /* it does not stand, or in a group-stop, or has ended */
	return trapped ? note_report(ts, th, TRAPPED, &info) : tracee_collect(ts, th);
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
		if (!thread_state_stands(th->state) || th == leader)
			continue;
		struct error *err = tracee_collect(ts, th);
		if (err || thread_state_stands(th->state))
			return err;
	}
	return leader && thread_state_stands(leader->state) ? tracee_collect(ts, leader) : NULL;
}

struct error *tracee_sweep(struct tracees *ts)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		struct thread *th = tracees_at(ts, i);
		bool may_report = th->maker || !thread_state_stands(th->state);
		struct error *err = may_report ? tracee_collect(ts, th) : NULL;
		if (err)
			return err;
	}
	return collect_killed(ts);
}
