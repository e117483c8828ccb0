/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What has made other debuggers lose hits, signals or the program. */
#include "inferior.h"

enum { POINT = 1, ELSEWHERE = 7 };

static void set(struct target *t, enum point_kind kind, taddr at, uint64_t ignore)
{
	struct point p = { .id = POINT, .kind = kind, .addr = at, .ignore = ignore };

	ck_assert_no_error(target_set_point(t, &p));
}

static uint64_t hits(struct target *t)
{
	struct point_state state;

	ck_assert_no_error(target_point_state(t, POINT, &state));
	return state.hits;
}

/* ---- memory that is mapped to be shared ------------------------------------------------- */

START_TEST(no_trap_can_be_in_shared_memory_but_hardware_stops_there)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_hard", "shared")));
	AUTO_TARGET *t = inferior_attach(&i);
	taddr code = inferior_value(&i, "code");
	struct point trap = { .id = POINT, .addr = code };
	struct told told = { 0 };

	ck_assert_error(target_set_point(t, &trap), ERROR_OS, "hbreak");
	ck_assert_error(target_plant(t, code), ERROR_OS, "hbreak");
	set(t, POINT_CODE_HARD, code, 0);
	for (uint64_t n = 1; n <= 3; n++) {
		inferior_poke(&i);
		struct event event = run_until(t, STOP_SITE, &told);
		ck_assert_uint_eq((taddr)event.stop.value, code);
		ck_assert_uint_eq(hits(t), n);
	}
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

/* ---- state D ---------------------------------------------------------------------------- */

/* Until it has said how often it came to site(). */
static void run_until_counted(struct target *t, struct inferior *i)
{
	struct event event;

	while (!strstr(buf_text(&i->said), "count")) {
		ck_assert_no_error(target_wait(t, 1000, &event));
		ck_assert(!stop_is_end(&event.stop));
		if (event.stop.kind != STOP_NONE)
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		inferior_listen(i);
	}
	ck_assert_no_error(target_stop_all(t));
}

/* Points are set while it cannot be stopped; it wakes while everybody stands, or runs. */
START_TEST(who_wakes_in_state_D_comes_to_points_that_were_set_meanwhile)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_hard", "vfork")));
	AUTO_TARGET *t = inferior_attach(&i);

	ck_assert_uint_eq(count_threads(t, THREAD_STUCK), 1);
	set(t, POINT_CODE, inferior_symbol(&i, "site"), 1000000);
	uint64_t before = inferior_peek(&i, inferior_symbol(&i, "count"));
	if (_i) { /* it wakes, and comes to the trap, while all are said to stand */
		inferior_poke(&i);
		inferior_await_state(i.pid, 0, "tSRZ");
	}
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	if (!_i)
		inferior_poke(&i);
	run_until_counted(t, &i);
	ck_assert_uint_eq(hits(t), inferior_value(&i, "count") - before);
	ck_assert_uint_eq(count_threads(t, THREAD_STUCK), 0);
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(who_wakes_in_state_D_after_points_were_taken_out_is_well)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_hard", "vfork")));
	AUTO_TARGET *t = inferior_attach(&i);

	set(t, POINT_CODE, inferior_symbol(&i, "site"), 1000000);
	inferior_poke(&i);
	inferior_await_state(i.pid, 0, "tSRZ");
	ck_assert_no_error(target_clear_point(t, POINT));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	run_until_counted(t, &i);
	run_to_end(t, &i, NULL);
}
END_TEST

/* ---- job control ------------------------------------------------------------------------ */

/* A thread of a stopped process makes steps, and is stopped for everybody before and after. */
START_TEST(a_step_in_a_stop_by_job_control_does_not_end_it)
{
	enum { STEPS = 5 };
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));
	AUTO_TARGET *t = inferior_attach(&i);
	taddr count = inferior_symbol(&i, "count");
	struct event event;

	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	event = run_until(t, STOP_GROUP, NULL);
	for (int n = 0; n < STEPS; n++) {
		ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
		event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	}
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	uint64_t before = inferior_peek(&i, count);
	ck_assert_no_error(target_wait(t, 50 * 1000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_NONE);
	ck_assert_uint_eq(inferior_peek(&i, count), before);
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	event = run_until(t, STOP_SIGNAL, NULL);
	ck_assert_int_eq(event.stop.value, SIGCONT);
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	while (inferior_peek(&i, count) == before)
		ck_assert_no_error(target_wait(t, 1000, &event));
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

START_TEST(detached_after_a_step_in_it_the_process_stays_stopped)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));
	AUTO_TARGET *t = inferior_attach(&i);

	ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	struct event event = run_until(t, STOP_GROUP, NULL);
	ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
	event = wait_event(t);
	if (_i)
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "T");
	ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_finish(&i);
}
END_TEST

/* ---- pc of a thread in a system call ------------------------------------------------------ */

/* The kernel would set pc back, to make the call again. */
START_TEST(a_thread_in_a_system_call_can_be_sent_elsewhere)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_hard", "call")));
	inferior_await_sleep(&i);
	AUTO_TARGET *t = inferior_attach(&i);
	struct thread *th = target_find_thread(t, t->pid);

	ck_assert_no_error(target_set_uint(t, th, t->arch->pc, inferior_symbol(&i, "elsewhere")));
	struct event event = run_until(t, STOP_EXITED, NULL);
	ck_assert_int_eq(event.stop.value, ELSEWHERE);
}
END_TEST

/* Whoever is stopped in a call is back at its instruction when it goes on, which is no new hit. */
START_TEST(a_call_at_a_site_that_is_made_again_counts_once)
{
	enum { CALLS = 3, STOPS = 10 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "calls"));
	struct point sleeps = { .id = POINT + 1,
				.addr = inferior_symbol(&i, "at_sleep"),
				.ignore = 1000 };
	struct point_state state;
	struct event event;

	set(t, POINT_CODE, inferior_symbol(&i, "at_read"), 1000);
	ck_assert_no_error(target_set_point(t, &sleeps));
	for (uint64_t n = 1; n <= CALLS; n++) {
		for (int stop = 0; stop < STOPS || hits(t) < n; stop++) {
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
			ck_assert_no_error(target_wait(t, 10 * 1000, &event));
			ck_assert_int_eq(event.stop.kind, STOP_NONE);
			ck_assert_no_error(target_stop_all(t));
		}
		ck_assert_uint_eq(hits(t), n);
		ck_assert_no_error(target_point_state(t, sleeps.id, &state));
		ck_assert_uint_eq(state.hits, n);
		ck_assert_uint_eq(inferior_peek(&i, inferior_symbol(&i, "count")), n);
		inferior_poke(&i);
	}
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(a_step_over_a_system_call_leaves_no_trap_flag)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_insns", "1", "1"));
	uint64_t flags;

	set(t, POINT_CODE, inferior_symbol(&i, "at_syscall"), 0);
	struct event event = run_until(t, STOP_SITE, NULL);
	ck_assert_no_error(target_stop_all(t));
	ck_assert_no_error(target_clear_point(t, POINT));
	ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
	event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	ck_assert_no_error(target_get_uint(t, event.thread, t->arch->call_flags, &flags));
	ck_assert_uint_eq(flags & t->arch->step_flag, 0);
	run_to_end(t, &i, NULL); /* it looks there itself, too */
}
END_TEST

/* ---- its own trap --------------------------------------------------------------------------- */

/* The trap that stopped it is ompdb's: no SIGTRAP of it may be left. */
START_TEST(detached_where_it_came_to_a_site_it_gets_no_signal)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));

	for (int n = 0; n < 20; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		set(t, POINT_CODE, inferior_symbol(&i, "site"), 0);
		struct event event = run_until(t, STOP_SITE, NULL);
		ck_assert_int_eq(event.thread->signal, 0);
		if (n % 2) { /* after a step of the instruction there, too */
			ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
			event = wait_event(t);
		}
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "SR");
	}
	inferior_finish(&i);
}
END_TEST

/* Though an interrupt was told before the trap that they had come to. */
START_TEST(nobody_stands_behind_a_trap)
{
	enum { STOPS = 1000 };
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_busy")));
	AUTO_TARGET *t = inferior_attach(&i);
	taddr work = inferior_symbol(&i, "work");
	struct event event;
	uint64_t pc;

	set(t, POINT_CODE, work, UINT64_MAX);
	for (int n = 0; n < STOPS; n++) {
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_wait(t, 0, &event));
		ck_assert_no_error(target_stop_all(t));
		vec_for_each (th, &t->threads) {
			ck_assert_no_error(target_get_uint(t, *th, t->arch->pc, &pc));
			ck_assert_uint_ne(pc, work + 1);
		}
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

/* The debug register stops it first, then the trap. */
START_TEST(a_trap_and_a_debug_register_in_one_place_are_one_arrival)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));
	AUTO_TARGET *t = inferior_attach(&i);
	struct point hard = { .id = POINT + 1,
			      .kind = POINT_CODE_HARD,
			      .addr = inferior_symbol(&i, "site") };
	struct point_state state;

	ck_assert_no_error(target_set_point(t, &hard));
	set(t, POINT_CODE, hard.addr, 0);
	for (uint64_t n = 1; n <= 10; n++) {
		struct event event = run_until(t, STOP_SITE, NULL);
		ck_assert_uint_eq(event.npoints, 2);
		ck_assert_no_error(target_point_state(t, hard.id, &state));
		ck_assert_uint_eq(state.hits, n);
		ck_assert_uint_eq(hits(t), n);
		if (n % 2)
			continue;
		ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
		ck_assert_int_eq(wait_event(t).stop.kind, STOP_STEPPED);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

/* ---- debug registers of many threads -------------------------------------------------------- */

START_TEST(writes_of_64_threads_are_counted)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "watch"));
	struct point p = { .id = POINT,
			   .kind = POINT_WRITE,
			   .addr = inferior_symbol(&i, "watched"),
			   .size = 8,
			   .ignore = 1000000 };

	ck_assert_no_error(target_set_point(t, &p));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	run_until_counted(t, &i);
	ck_assert_uint_eq(hits(t), inferior_value(&i, "count"));
	run_to_end(t, &i, NULL);
}
END_TEST

/* The processor stops for reads and writes alike. */
START_TEST(reads_are_told_from_writes)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_reads"));
	struct point p = { .id = POINT + 1,
			   .kind = POINT_ACCESS,
			   .addr = inferior_symbol(&i, "watched"),
			   .size = 8,
			   .ignore = 1000000 };
	struct point_state state;

	ck_assert_no_error(target_set_point(t, &p));
	p.id = POINT;
	p.kind = POINT_READ;
	ck_assert_no_error(target_set_point(t, &p));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	run_until_counted(t, &i);
	ck_assert_uint_eq(hits(t), inferior_value(&i, "count"));
	ck_assert_no_error(target_point_state(t, POINT + 1, &state));
	ck_assert_uint_eq(state.hits, inferior_value(&i, "all"));
	run_to_end(t, &i, NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hard cases");

	live_table(s, who_wakes_in_state_D_comes_to_points_that_were_set_meanwhile, 60, 2);
	live_case(s, "state D", 60, who_wakes_in_state_D_after_points_were_taken_out_is_well);
	live_case(s, "job control", 60, a_step_in_a_stop_by_job_control_does_not_end_it);
	live_table(s, detached_after_a_step_in_it_the_process_stays_stopped, 60, 2);
	live_case(s, "going elsewhere", 60, a_thread_in_a_system_call_can_be_sent_elsewhere,
		  detached_where_it_came_to_a_site_it_gets_no_signal, nobody_stands_behind_a_trap);
	live_case(s, "system calls", 60, a_call_at_a_site_that_is_made_again_counts_once,
		  a_step_over_a_system_call_leaves_no_trap_flag);
	if (debug_registers_work())
		live_case(s, "debug registers", 60,
			  no_trap_can_be_in_shared_memory_but_hardware_stops_there,
			  a_trap_and_a_debug_register_in_one_place_are_one_arrival,
			  writes_of_64_threads_are_counted, reads_are_told_from_writes);
	return unit_run(s);
}
