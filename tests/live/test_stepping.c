/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps through a range of code, and signals that are not told. */
#include "inferior.h"

#include <signal.h>

#include "target/process/procfs.h"

#define BIT(signal) (UINT64_C(1) << ((signal)-1))

static struct target *launch(struct inferior *i, const char *how, const char *n, taddr *ret_site)
{
	struct target *t = inferior_launch(i, ARGS("live_sites", how, n));

	*ret_site = inferior_symbol(i, "site");
	struct point p = { .id = 1, .addr = *ret_site };
	ck_assert_no_error(target_set_point(t, &p));
	return t;
}

static taddr pc_of(struct target *t, struct thread *th)
{
	uint64_t pc;

	ck_assert_no_error(target_get_uint(t, th, t->arch->pc, &pc));
	return pc;
}

START_TEST(signals_that_are_passed_are_not_told)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "signals", "300", &site);
	struct told told = { 0 };

	ck_assert_no_error(target_pass_signals(t, BIT(SIGALRM)));
	for (int n = 0; n < 300; n++)
		run_until(t, STOP_SITE, &told);
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 300);
	ck_assert_uint_eq(told.of[STOP_SIGNAL], 0);
	ck_assert_uint_gt(inferior_peek(&i, inferior_symbol(&i, "ticks")), 0);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(a_range_is_left_once_whatever_comes)
{
	enum { HITS = 300 };
	AUTO_INFERIOR i;
	taddr site;
	uint64_t size;
	AUTO_TARGET *t = launch(&i, _i ? "signals" : "fork", "300", &site);

	inferior_function(&i, "site", &size);
	ck_assert_no_error(target_pass_signals(t, BIT(SIGALRM)));
	for (int n = 0; n < HITS; n++) {
		struct event event = run_until(t, STOP_SITE, NULL);
		ck_assert_no_error(target_step_range(t, event.thread, site, site + size));
		event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
		taddr pc = pc_of(t, event.thread);
		ck_assert(pc < site || pc >= site + size);
		uint64_t caller, run = inferior_function(&i, "main", &caller);
		ck_assert(pc >= run && pc < run + caller);
		ck_assert_uint_eq(inferior_peek(&i, inferior_symbol(&i, "count")), n + 1);
	}
	run_to_end(t, &i, NULL);
}
END_TEST

static uint64_t stops_of(const struct inferior *i)
{
	struct proc_status status = { 0 };

	ck_assert_no_error(procfs_status(i->pid, i->pid, &status));
	return status.voluntary_switches;
}

/* FD_ZERO() is a loop of 16 rounds, of four instructions each. */
START_TEST(what_only_goes_on_is_run_through)
{
	enum { ROUNDS = 16, BESIDES = 8, ENOUGH = 256 };
	AUTO_INFERIOR i;
	taddr site;
	uint64_t size;
	AUTO_TARGET *t = launch(&i, "loop", "1", &site);
	struct event event = run_until(t, STOP_SITE, NULL);

	inferior_function(&i, "site", &size);
	ck_assert_no_error(target_clear_point(t, 1));
	ck_assert_no_error(target_step_range(t, event.thread, site, site + size));
	event = wait_event(t);
	taddr loop = pc_of(t, event.thread);
	uint64_t before = stops_of(&i);
	ck_assert_no_error(target_step_range(t, event.thread, loop, loop + ENOUGH));
	event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	taddr pc = pc_of(t, event.thread); /* in the stub of select() */
	ck_assert(pc < loop || pc >= loop + ENOUGH);
	ck_assert_uint_le(stops_of(&i) - before, ROUNDS + BESIDES);
	ck_assert_no_error(target_kill(t));
}
END_TEST

START_TEST(a_call_ends_a_range)
{
	if (is_traced()) /* a tracer stops the others with each event */
		return;
	AUTO_INFERIOR i;
	taddr site;
	uint64_t size;
	AUTO_TARGET *t = launch(&i, "threads", "50", &site);

	taddr thread = inferior_function(&i, "thread", &size);
	struct event event = run_until(t, STOP_SITE, NULL);
	struct thread *th = event.thread;
	pid_t lwp = th->lwp;
	unsigned int others = 0, own = 0;
	/* Through a loop that calls the site, while others come there, too. */
	while (own < 40) {
		ck_assert_no_error(target_step_range(t, th, thread, thread + size));
		do {
			event = wait_event(t);
			if (event.thread->lwp != lwp) {
				others++;
				ck_assert_no_error(target_resume(t, event.thread, RESUME_CONTINUE));
			}
		} while (event.thread->lwp != lwp);
		th = event.thread;
		own += event.stop.kind == STOP_SITE && pc_of(t, th) == site;
		if (event.stop.kind == STOP_EXITED)
			break;
	}
	ck_assert_uint_eq(own, 40);
	ck_assert_uint_gt(others, 0);
	ck_assert_no_error(target_kill(t));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stepping");

	live_case(s, "signals", 60, signals_that_are_passed_are_not_told);
	live_table(s, a_range_is_left_once_whatever_comes, 60, 2);
	live_case(s, "straight code", 60, what_only_goes_on_is_run_through);
	live_case(s, "calls", 60, a_call_ends_a_range);
	return unit_run(s);
}
