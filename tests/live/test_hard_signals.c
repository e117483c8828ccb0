/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signals, faults and watchpoints about a site: each is the program's as without it. */
#include "inferior.h"

#include <signal.h>

enum { POINT = 1 };

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

/* ---- signals and faults -----------------------------------------------------------------------
 */

/* A range that does not end before a handler has run. */
START_TEST(a_range_that_waits_for_a_handler_is_left)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "spin"));
	uint64_t size, pc, outer_size;
	taddr spin = inferior_function(&i, "spin", &size);
	taddr outer = inferior_function(&i, "spin_often", &outer_size);

	ck_assert_no_error(target_pass_signals(t, UINT64_C(1) << (SIGALRM - 1)));
	for (int n = 0; n < 3; n++) {
		set(t, POINT_CODE, spin, 0);
		struct event event = run_until(t, STOP_SITE, NULL);
		ck_assert_no_error(target_stop_all(t));
		ck_assert_no_error(target_clear_point(t, POINT)); /* the loop may lead there */
		ck_assert_no_error(target_step_range(t, event.thread, spin, spin + size));
		event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
		ck_assert_no_error(target_get_uint(t, event.thread, t->arch->pc, &pc));
		ck_assert(pc >= outer && pc < outer + outer_size);
		ck_assert_no_error(target_stop_all(t));
	}
	run_to_end(t, &i, NULL);
}
END_TEST

/* Its handler is told of the instruction itself, wherever that was executed. */
START_TEST(faults_at_a_site_are_those_of_the_program)
{
	enum { TIMES = 20 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "faults"));
	struct point touch = { .id = POINT + 1,
			       .addr = inferior_symbol(&i, "at_touch"),
			       .ignore = 1000 };
	struct map_list maps = { 0 };
	struct point_state state;

	if (_i) {
		ck_assert_no_error(target_maps(t, &maps));
		taddr end = map_list_find(&maps, touch.addr)->end;
		ck_assert_no_error(target_lend(t, end - 256, end));
		map_list_fini(&maps);
	}
	set(t, POINT_CODE, inferior_symbol(&i, "at_divide"), 1000);
	ck_assert_no_error(target_set_point(t, &touch));
	run_until_ready(t, &i, NULL);
	ck_assert_uint_eq(hits(t), TIMES);
	ck_assert_no_error(target_point_state(t, touch.id, &state));
	ck_assert_uint_eq(state.hits, TIMES);
	run_to_end(t, &i, NULL);
}
END_TEST

/* Its handler comes to the site, which is a hit of its own; to be back from there is none. */
START_TEST(a_signal_that_is_given_at_a_site_makes_no_other_hit)
{
	enum { TIMES = 20 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "handler"));
	struct told told = { 0 };
	uint64_t outer, inner;

	set(t, POINT_CODE, inferior_symbol(&i, "site"), 0);
	for (int n = 0; n < TIMES; n++) {
		struct event event = run_until(t, STOP_SITE, NULL);
		ck_assert_no_error(target_get_uint(t, event.thread, t->arch->sp, &outer));
		event.thread->signal = SIGUSR1;
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_SITE);
		ck_assert_no_error(target_get_uint(t, event.thread, t->arch->sp, &inner));
		ck_assert_uint_lt(inner, outer);
	}
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 0);
	ck_assert_uint_eq(hits(t), 2 * TIMES);
	run_to_end(t, &i, NULL);
}
END_TEST

/* It came into a step, and was kept until that ended. */
START_TEST(a_signal_that_was_kept_comes_from_its_sender_though_we_leave)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_hard", "sender")));

	for (int n = 0; n < 20; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		struct thread *th = target_find_thread(t, t->pid);
		ck_assert_int_eq(kill(i.pid, SIGUSR1), 0);
		ck_assert_no_error(target_resume(t, th, RESUME_STEP));
		struct event event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "SR");
	}
	inferior_finish(&i);
}
END_TEST

/* The kernel kills it for any call that ompdb would have it make. */
START_TEST(where_calls_are_forbidden_points_do_as_elsewhere)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "seccomp"));
	struct point changes = { .id = POINT + 1,
				 .kind = POINT_CHANGE,
				 .addr = inferior_symbol(&i, "count"),
				 .size = 8,
				 .ignore = 1000 };
	struct point_state state;
	struct told told = { 0 };

	set(t, POINT_CODE, inferior_symbol(&i, "site"), _i ? 0 : 1000);
	ck_assert_no_error(target_set_point(t, &changes));
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(hits(t), inferior_value(&i, "count"));
	ck_assert_uint_eq(told.of[STOP_SITE], _i ? hits(t) : 0);
	ck_assert_no_error(target_point_state(t, changes.id, &state));
	ck_assert_uint_eq(state.hits, hits(t));
	run_to_end(t, &i, NULL);
}
END_TEST

/* The instruction at a site writes itself to what is watched: told then, not with what comes next.
 */
START_TEST(a_write_by_what_is_at_a_site_is_told_at_once)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_hard", "seccomp"));
	struct point changes = { .id = POINT + 1,
				 .kind = POINT_CHANGE,
				 .addr = inferior_symbol(&i, "count"),
				 .size = 8 };

	set(t, POINT_CODE, inferior_symbol(&i, "site"), 0);
	ck_assert_no_error(target_set_point(t, &changes));
	for (uint64_t n = 1; n <= 20; n++) {
		run_until(t, STOP_SITE, NULL);
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		struct event event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_WATCHPOINT);
		ck_assert_uint_eq(inferior_peek(&i, changes.addr), n);
	}
	run_to_end(t, &i, NULL);
}
END_TEST

/* The same of what ompdb could do for it. */
START_TEST(a_push_at_a_site_is_a_write)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_insns", "1", "1"));
	struct point writes = { .id = POINT + 1, .kind = POINT_WRITE, .size = 8 };

	set(t, POINT_CODE, inferior_symbol(&i, "at_push"), 0);
	struct event event = run_until(t, STOP_SITE, NULL);
	ck_assert_no_error(target_stop_all(t));
	ck_assert_no_error(target_get_uint(t, event.thread, t->arch->sp, &writes.addr));
	writes.addr -= 8;
	ck_assert_no_error(target_set_point(t, &writes));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_WATCHPOINT);
	ck_assert_no_error(target_stop_all(t));
	ck_assert_no_error(target_clear_point(t, POINT + 1));
	run_to_end(t, &i, NULL);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hard signals");

	live_case(s, "signals", 60, a_range_that_waits_for_a_handler_is_left,
		  a_signal_that_is_given_at_a_site_makes_no_other_hit,
		  a_signal_that_was_kept_comes_from_its_sender_though_we_leave);
	live_table(s, faults_at_a_site_are_those_of_the_program, 60, 2);
	if (debug_registers_work()) {
		live_table(s, where_calls_are_forbidden_points_do_as_elsewhere, 60, 2);
		live_case(s, "watchpoints", 60, a_write_by_what_is_at_a_site_is_told_at_once,
			  a_push_at_a_site_is_a_write);
	}
	return unit_run(s);
}
