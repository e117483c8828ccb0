/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/tracees.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/log.h"
#include "target/process/ptrace.h"

long tracees_now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

struct error *tracees_unless_gone(struct error *err)
{
	if (!error_is(err, ERROR_GONE))
		return err;
	error_ignore(err);
	return NULL;
}

/* ---- who there is ----------------------------------------------------------------------- */

void tracees_fini(struct tracees *ts)
{
	vec_for_each (child, &ts->children)
		free(*child);
	vec_fini(&ts->children);
	events_fini(&ts->events);
	kept_signals_fini(&ts->kept);
	sites_fini(&ts->sites);
	points_fini(&ts->points);
	absences_fini(&ts->absences);
	vec_fini(&ts->refused);
}

size_t tracees_len(const struct tracees *ts)
{
	return ts->target->threads.len + ts->children.len;
}

struct thread *tracees_at(const struct tracees *ts, size_t i)
{
	size_t n = ts->target->threads.len;

	return i < n ? ts->target->threads.items[i] : ts->children.items[i - n];
}

size_t tracees_count(const struct tracees *ts, enum thread_state state)
{
	size_t n = 0;

	vec_for_each (th, &ts->target->threads)
		n += (*th)->state == state;
	return n;
}

struct thread *tracees_find(const struct tracees *ts, pid_t lwp)
{
	struct thread *th = target_find_thread(ts->target, lwp);

	if (th)
		return th;
	vec_for_each (child, &ts->children) {
		if ((*child)->lwp == lwp && (*child)->state != THREAD_GONE)
			return *child;
	}
	return NULL;
}

void tracees_drop_gone(struct tracees *ts)
{
	size_t kept = 0;

	target_drop_gone(ts->target);
	vec_for_each (child, &ts->children) {
		if (thread_state_is_over((*child)->state))
			free(*child);
		else
			ts->children.items[kept++] = *child;
	}
	ts->children.len = kept;
}

struct error *tracees_give(struct thread *child, struct tracees *to)
{
	struct thread *th = target_add_thread(to->target, child->lwp);

	if (!th)
		return &error_nomem;
	th->process = child->process;
	th->stop = child->stop;
	th->signal = child->signal;
	th->state = THREAD_STOPPED;
	child->state = THREAD_GONE; /* for its maker's target */
	return NULL;
}

/* ---- changing states -------------------------------------------------------------------- */

static struct error *detach(struct tracees *ts, struct thread *th)
{
	struct error *err = ptrace_detach(th->lwp, th->signal);

	if (!err)
		return tracees_move(ts, th, REPORT_LOST);
	error_ignore(err); /* it was killed where it stood: the end is due */
	return NULL;
}

/*
 * It goes on without the instruction at the site where it stands: to a signal's handler, or to the
 * trap, which it then executes once more.
 */
static struct error *leave_site(struct tracees *ts, struct thread *th)
{
	const struct arch *arch = ts->target->arch;
	struct passage was = th->passage;
	const uint8_t *general;

	th->passage.arrived = false;
	if (!was.arrived || !was.settled || !sites_find(&ts->sites, was.at))
		return NULL;
	struct error *err = tracees_unless_gone(target_general(ts->target, th, &general));
	if (err || !th->general_valid || arch_get(arch->pc, general) != was.at)
		return err;
	return absences_add(&ts->absences, arch, th->lwp, general);
}

static struct error *ask(struct tracees *ts, struct thread *th, enum thread_ask what)
{
	struct error *err = NULL;

	if (what == ASK_CONT || (what == ASK_STEP && th->signal))
		err = leave_site(ts, th);
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
		err = kept_signals_add(&ts->kept, th->lwp);
		if (!err)
			err = ptrace_step(th->lwp, 0);
		break;
	case ASK_CONT:
		err = ts->calls.any && !th->maker ? ptrace_cont_to_call(th->lwp, th->signal)
						  : ptrace_cont(th->lwp, th->signal);
		break;
	case ASK_STEP:
		err = ptrace_step(th->lwp, th->signal);
		break;
	case ASK_LISTEN:
		err = ptrace_listen(th->lwp);
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
		return tracees_move(ts, made, SEEN_TOLD);
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
	struct error *err = leave(ts, th, from);
	if (err)
		return err;
	if (move.tell && !th->maker && !events_add(&ts->events, th))
		return &error_nomem;
	if (move.to == THREAD_GONE) {
		kept_signals_drop(&ts->kept, th->lwp);
		absences_drop(&ts->absences, th->lwp);
		ts->some_gone = true;
	}
	return ask(ts, th, move.ask);
}

struct error *tracees_move(struct tracees *ts, struct thread *th, enum thread_input input)
{
	return go(ts, th, thread_move(th->state, input));
}

/* ---- what reports tell besides ---------------------------------------------------------- */

struct error *tracees_adopt(struct tracees *ts, pid_t lwp)
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
		return tracees_adopt(ts, made);
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
	vec_for_each (th, &ts->target->threads) {
		if (*th == leader || thread_state_is_over((*th)->state))
			continue;
		ptrace_reap_dead((*th)->lwp);
		struct error *err = tracees_move(ts, *th, REPORT_LOST);
		if (err)
			return err;
	}
	free(leader->name);
	leader->name = NULL;
	leader->passage = (struct passage){ 0 };
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

/* A trap at a site is ompdb's: the thread stands before the instruction that belongs there. */
static struct error *find_site(struct tracees *ts, struct thread *th, struct stop *stop)
{
	const struct arch *arch = ts->target->arch;
	size_t len = sizeof(th->general);

	uint32_t note = arch->regset_note[REGSET_GENERAL];
	struct error *err = ptrace_get_regset(th->lwp, note, th->general, &len);
	struct site *site = err ? NULL : sites_hit(&ts->sites, arch_get(arch->pc, th->general));
	if (!site)
		return err;
	arch_put(arch->pc, th->general, site->addr);
	bool is_back = absences_end(&ts->absences, arch, th->lwp, th->general);
	/* Of children nothing is told. */
	th->passage =
		(struct passage){ site->addr, .arrived = true, .settled = is_back || th->maker };
	*stop = (struct stop){ .kind = STOP_SITE, .value = (long)site->addr };
	return ptrace_set_regset(th->lwp, note, th->general, len);
}

/* A step may lead away from a site, and to one. */
static struct error *follow_step(struct tracees *ts, struct thread *th, const struct stop *stop)
{
	const struct arch *arch = ts->target->arch;
	size_t len = sizeof(th->general);
	bool stepped = stop->kind == STOP_STEPPED && ts->sites.len;

	if (!th->passage.arrived && !stepped)
		return NULL;
	uint32_t note = arch->regset_note[REGSET_GENERAL];
	struct error *err = ptrace_get_regset(th->lwp, note, th->general, &len);
	taddr pc = err ? 0 : arch_get(arch->pc, th->general);
	if (!err && pc != th->passage.at)
		th->passage.arrived = false;
	if (!err && !th->passage.arrived && stepped && sites_find(&ts->sites, pc))
		th->passage = (struct passage){ pc, .arrived = true };
	return err;
}

/* Errors: it has been killed, and the end is told next. */
static void note_place(struct tracees *ts, struct thread *th, struct stop *stop)
{
	if (stop->kind == STOP_BREAKPOINT && ts->sites.len)
		error_ignore(find_site(ts, th, stop));
	if (stop->kind != STOP_SITE && !stop_is_end(stop))
		error_ignore(follow_step(ts, th, stop));
}

/* Which system call it enters or leaves. One that nobody asked for is no more than a stop. */
static void find_call(struct tracees *ts, struct thread *th, struct stop *stop)
{
	const struct arch *arch = ts->target->arch;
	size_t len = sizeof(th->general);

	if (stop->kind != STOP_CALL)
		return;
	struct error *err =
		ptrace_get_regset(th->lwp, arch->regset_note[REGSET_GENERAL], th->general, &len);
	long number = err ? -1 : (int)arch_get(arch->call_number, th->general);
	error_ignore(err);
	*stop = (struct stop){ .kind = STOP_INTERRUPTED };
	if (call_set_has(&ts->calls, number))
		*stop = (struct stop){ ptrace_leaves_call(th->lwp) ? STOP_RETURN : STOP_CALL,
				       number };
}

static struct stop decode(struct tracees *ts, struct thread *th, int status)
{
	unsigned long message = 0;
	siginfo_t info;
	bool have_info = false;

	/* Both fail only when SIGKILL has ended the stop meanwhile; the end is told next. */
	if (stop_needs_message(status))
		error_ignore(ptrace_event_message(th->lwp, &message));
	if (stop_needs_siginfo(status)) {
		struct error *err = ptrace_siginfo(th->lwp, &info);
		have_info = !err;
		error_ignore(err);
	}
	struct stop stop = stop_decode(status, have_info ? &info : NULL, message);
	note_place(ts, th, &stop);
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

static struct error *note_report(struct tracees *ts, struct thread *th, int status)
{
	struct stop stop = decode(ts, th, status);
	if (stop_is_ours(&stop)) {
		int taken = ptrace_take(th->lwp);
		if (taken && taken != status)
			stop = decode(ts, th, taken);
	}
	bool is_leader = th->lwp == ts->target->pid;
	struct thread_move move = thread_move(th->state, thread_input_of(&stop, is_leader));

	log_debug(LOG_PTRACE, "%s thread %d: %s %ld; %s", thread_state_name(th->state), th->lwp,
		  stop_kind_name(stop.kind), stop.value, thread_state_name(move.to));
	th->general_valid = false;
	if (move.tell || thread_state_stands(move.to) || move.ask == ASK_DETACH) {
		th->stop = stop;
		th->signal = signal_of(&stop);
	}
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

struct error *tracees_collect(struct tracees *ts, struct thread *th)
{
	int status;
	bool gone = false;

	if (thread_state_is_over(th->state))
		return NULL;
	if (ptrace_poll(th->lwp, &status, &gone))
		return is_news(th, status) ? note_report(ts, th, status) : NULL;
	/* An exec gave its number away, or somebody else reaped it. */
	return gone ? tracees_move(ts, th, REPORT_LOST) : NULL;
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
		struct error *err = tracees_collect(ts, th);
		if (err || thread_state_stands(th->state))
			return err;
	}
	return leader && thread_state_stands(leader->state) ? tracees_collect(ts, leader) : NULL;
}

struct error *tracees_sweep(struct tracees *ts)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		struct thread *th = tracees_at(ts, i);
		bool may_report = th->maker || !thread_state_stands(th->state);
		struct error *err = may_report ? tracees_collect(ts, th) : NULL;
		if (err)
			return err;
	}
	return collect_killed(ts);
}
