/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/go_on.h"

#include "base/clock.h"
#include "target/process/halt.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"

/* Waits until a step is done, or sleeps in the kernel: there it is behind its instruction. */
static struct error *await_step(struct tracees *ts, struct thread *th)
{
	long start = clock_us();
	struct error *err = NULL;

	for (;;) {
		err = tracee_collect(ts, th);
		long waited = clock_us() - start;
		if (err || !thread_state_is_step(th->state))
			return err;
		if (waited > LOOK_INTERVAL && (tracees_sleeps(th, waited) || waited > PATIENCE))
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

struct error *go_on_tell(struct tracees *ts, struct thread *th, enum stop_kind kind)
{
	th->stop = (struct stop){ .kind = kind };
	return tracee_move(ts, th, SEEN_STEPPED);
}

/* Brings a thread over its site, while all others stand. */
struct error *go_on_in_place(struct tracees *ts, struct thread *th, struct site *site,
			     enum resume_how how)
{
	enum { STEPS_MAX = 1000 };
	struct error *err = NULL;
	bool calls = passing_makes_call(ts, th);

	if (how == RESUME_STEP && !calls)
		return step_over(ts, th, site, WANT_STEP);
	for (int i = 0; site && i < STEPS_MAX && !err && !th->nfired; i++) {
		err = step_over(ts, th, site, WANT_PASS);
		site = passing_site(ts, th);
	}
	/* What is watched is told now, and not with what comes next. */
	if (!err && th->nfired && th->state == THREAD_STOPPED)
		return go_on_tell(ts, th, how == RESUME_STEP ? STOP_STEPPED : STOP_WATCHPOINT);
	/* The step ends with the call: while that lasts, others may run. */
	if (!err && how == RESUME_STEP && th->state == THREAD_STOPPED)
		err = go_on(ts, th, how);
	return err;
}

struct error *go_on(struct tracees *ts, struct thread *th, enum resume_how how)
{
	enum thread_input want = WANT_CONTINUE;

	if (how == RESUME_STEP)
		want = WANT_STEP;
	else if (th->state == THREAD_STOPPED && th->in_group_stop && !th->signal)
		want = WANT_LISTEN;
	return tracee_move(ts, th, want);
}

/* Lets those go on that halt_others() has stopped and that have nothing to tell. */
struct error *go_on_others(struct tracees *ts, struct lwp_list *halted)
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

/* Over a site in place: nobody else runs meanwhile. */
static struct error *resume_in_place(struct tracees *ts, struct thread *th, struct site *site,
				     enum resume_how how)
{
	struct lwp_list halted = { 0 };
	struct error *err = halt_others(ts, &halted);

	if (!err)
		err = go_on_in_place(ts, th, site, how);
	if (!err && how == RESUME_CONTINUE && th->state == THREAD_STOPPED)
		err = go_on(ts, th, how);
	struct error *others = go_on_others(ts, &halted);
	if (!err)
		return others;
	error_ignore(others);
	return err;
}

/* Resumes one that stands, over the site where it may stand. */
struct error *go_on_over_site(struct tracees *ts, struct thread *th, enum resume_how how)
{
	struct site *site = passing_site(ts, th);

	if (!site)
		return go_on(ts, th, how);
	if (passing_emulate(ts, th, site)) {
		if (how == RESUME_STEP || th->nfired)
			return go_on_tell(ts, th,
					  how == RESUME_STEP ? STOP_STEPPED : STOP_WATCHPOINT);
		return go_on(ts, th, how);
	}
	return site->copy ? go_on(ts, th, how) : resume_in_place(ts, th, site, how);
}
