/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Planted traps: who gets to know of them, and how threads get over them. */
#include "inferior.h"

#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum { TRAP = 0xcc };

static struct target *launch(struct inferior *i, const char *how, const char *n, taddr *ret_site)
{
	struct target *t = inferior_launch(i, ARGS("live_sites", how, n));

	*ret_site = inferior_symbol(i, "site");
	ck_assert_no_error(target_plant(t, *ret_site));
	return t;
}

static uint8_t read_byte(struct target *t, taddr from)
{
	uint8_t byte;

	ck_assert_no_error(target_read(t, from, &byte, 1));
	return byte;
}

static uint8_t raw_byte(const struct inferior *i, taddr from)
{
	return (uint8_t)inferior_peek(i, from);
}

static void check_hit(struct target *t, const struct event *event, taddr site)
{
	uint64_t pc;

	ck_assert_int_eq(event->stop.kind, STOP_SITE);
	ck_assert_uint_eq((taddr)event->stop.value, site);
	ck_assert_int_eq(event->thread->signal, 0);
	ck_assert_no_error(target_get_uint(t, event->thread, t->arch->pc, &pc));
	ck_assert_uint_eq(pc, site);
	ck_assert_uint_ne(read_byte(t, site), TRAP);
}

/* ---- threads ---------------------------------------------------------------------------- */

/* How a thread that has come to a site goes on. */
enum passing { RESUMED, RESUMED_ALONE, STEPPED, STOPPED_ALL, REPLANTED, NUM_PASSINGS };

static void pass(struct target *t, struct thread *th, enum passing how, taddr site)
{
	uint64_t pc;

	if (how == STOPPED_ALL || how == REPLANTED)
		ck_assert_no_error(target_stop_all(t));
	if (how == RESUMED_ALONE)
		ck_assert_no_error(target_resume(t, th, RESUME_CONTINUE));
	if (how == REPLANTED) {
		ck_assert_no_error(target_unplant(t, site));
		ck_assert_no_error(target_plant(t, site));
	}
	if (how != STEPPED)
		return;
	ck_assert_no_error(target_resume(t, th, RESUME_STEP));
	struct event event = wait_event(t);
	ck_assert_ptr_eq(event.thread, th);
	ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	ck_assert_no_error(target_get_uint(t, th, t->arch->pc, &pc));
	ck_assert_uint_ne(pc, site);
}

START_TEST(each_of_many_threads_comes_to_a_site_each_time)
{
	enum { EACH = 100, THREADS = 4 };
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "threads", "100", &site);
	struct told told = { 0 };

	while (told.of[STOP_SITE] < THREADS * EACH) {
		struct event event = run_until(t, STOP_SITE, &told);
		check_hit(t, &event, site);
		pass(t, event.thread, (enum passing)_i, site);
	}
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], THREADS * EACH);
	ck_assert_uint_eq(told.of[STOP_BREAKPOINT] + told.of[STOP_SIGNAL], 0);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(signals_about_a_site_are_delivered)
{
	enum { HITS = 300 };
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "signals", "300", &site);
	struct told told = { 0 };

	while (told.of[STOP_SITE] < HITS) {
		struct event event = run_until(t, STOP_SITE, &told);
		check_hit(t, &event, site);
		pass(t, event.thread, STEPPED, site);
	}
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], HITS);
	ck_assert_uint_gt(told.of[STOP_SIGNAL], 0);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(traps_of_the_program_are_its_own)
{
	enum { N = 20 };
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "own", "20", &site);
	struct told told = { 0 };

	if (_i) /* where its own trap is */
		ck_assert_no_error(target_plant(t, inferior_symbol(&i, "own_int3")));
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], _i ? 2 * N : N);
	ck_assert_uint_eq(told.of[STOP_BREAKPOINT], N);
	ck_assert_uint_eq(told.of[STOP_SIGNAL], N); /* raise(SIGTRAP) */
	run_to_end(t, &i, &told);                   /* it has counted its handler's calls */
}
END_TEST

/* ---- other processes -------------------------------------------------------------------- */

static const char *const ways[] = { "fork", "vfork", "share" };

static struct event run_to_point(struct target *t)
{
	struct event event = run_until(t, STOP_SITE, NULL);

	ck_assert_uint_eq(event.npoints, 1);
	ck_assert_uint_eq(event.points[0], 1);
	return event;
}

static uint64_t hits_of_point(struct target *t)
{
	struct point_state state;

	ck_assert_no_error(target_point_state(t, 1, &state));
	return state.hits;
}

/* Each has its own count of hits from then on. */
START_TEST(a_child_that_becomes_a_target_of_its_own_keeps_its_points)
{
	enum { STATUS = 5 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_sites", ways[_i], "3"));
	taddr site = inferior_symbol(&i, "site");

	ck_assert_no_error(target_set_point(t, &(struct point){ .id = 1, .addr = site }));
	for (uint64_t n = 1; n <= 3; n++) {
		struct target *taken;
		run_to_point(t);
		struct event made = run_until(t, _i == 1 ? STOP_VFORK : STOP_FORK, NULL);
		pid_t pid = (pid_t)made.stop.value;
		ck_assert_no_error(target_take_child(t, pid, &taken));
		AUTO_TARGET *child = taken;
		ck_assert_error(target_take_child(t, pid, &taken), ERROR_NOT_FOUND, "no child");
		struct event hit = run_to_point(child);
		ck_assert_int_eq(hit.thread->lwp, pid);
		ck_assert_uint_eq(hits_of_point(child), n + 1);
		ck_assert_uint_ne(read_byte(child, site), TRAP);
		ck_assert_int_eq(run_until(child, STOP_EXITED, NULL).stop.value, STATUS);
		ck_assert_uint_eq(hits_of_point(t), n);
	}
	run_to_end(t, &i, NULL);
}
END_TEST

/* What is taken is let go as a whole, and what made it goes on with its traps. */
START_TEST(a_child_that_became_a_target_is_let_go)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_sites", "fork", "3"));

	ck_assert_no_error(target_set_point(
		t, &(struct point){ .id = 1, .addr = inferior_symbol(&i, "site") }));
	for (int n = 0; n < 3; n++) {
		struct target *child;
		run_to_point(t);
		struct event made = run_until(t, STOP_FORK, NULL);
		ck_assert_no_error(target_take_child(t, (pid_t)made.stop.value, &child));
		run_to_point(child);
		ck_assert_no_error(target_detach(child));
		target_free(child);
	}
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(a_child_does_not_die_of_a_site_and_its_parent_keeps_it)
{
	enum { N = 20 };
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, ways[_i], "20", &site);
	struct told told = { 0 };

	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], N);
	ck_assert_uint_eq(raw_byte(&i, site), TRAP);
	run_to_end(t, &i, &told);
	check_none_left(t);
}
END_TEST

START_TEST(a_child_is_let_go_without_traps_by_detaching)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, ways[_i], "5", &site);

	for (int n = 0; n < 3; n++)
		run_until(t, _i == 1 ? STOP_VFORK : STOP_FORK, NULL);
	ck_assert_no_error(target_detach(t));
	inferior_await_ready(&i, 0);
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(a_new_program_has_no_sites)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "exec", "3", &site);
	struct told told = { 0 };

	for (unsigned int n = 1; n <= 3; n++) {
		struct event event = run_until(t, STOP_EXEC, &told);
		ck_assert_uint_eq(told.of[STOP_SITE], n);
		site = inferior_symbol(&i, "site");
		ck_assert_error(target_unplant(t, site), ERROR_USAGE, "no trap");
		ck_assert_uint_ne(raw_byte(&i, site), TRAP);
		ck_assert_no_error(target_plant(t, site));
		ck_assert_int_eq(event.thread->lwp, i.pid);
	}
	ck_assert_no_error(target_unplant(t, site));
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 3);
	run_to_end(t, &i, &told);
}
END_TEST

/* ---- memory ----------------------------------------------------------------------------- */

static struct target *attach_to_loop(struct inferior *i, taddr *ret_site)
{
	ck_assert(inferior_start(i, ARGS("live_sites", "loop")));
	struct target *t = inferior_attach(i);
	*ret_site = inferior_symbol(i, "site");
	return t;
}

START_TEST(detaching_lifts_every_site)
{
	AUTO_INFERIOR i;
	taddr site;

	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));
	for (int n = 0; n < 10; n++) {
		AUTO_TARGET *t = inferior_attach(&i);
		site = inferior_symbol(&i, "site");
		ck_assert_no_error(target_plant(t, site));
		ck_assert_uint_eq(raw_byte(&i, site), TRAP);
		if (n % 3) {
			struct event event = run_until(t, STOP_SITE, NULL);
			check_hit(t, &event, site);
		}
		if (n % 3 == 2) /* it runs through the site just then */
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_detach(t));
		inferior_check_untouched(&i, "SR");
		ck_assert_uint_ne(raw_byte(&i, site), TRAP);
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(a_site_goes_with_the_last_who_wants_it)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = attach_to_loop(&i, &site);
	uint8_t byte = read_byte(t, site);

	ck_assert_no_error(target_plant(t, site));
	ck_assert_no_error(target_plant(t, site));
	ck_assert_no_error(target_unplant(t, site));
	ck_assert_uint_eq(raw_byte(&i, site), TRAP);
	run_until(t, STOP_SITE, NULL);
	ck_assert_no_error(target_unplant(t, site));
	ck_assert_uint_eq(raw_byte(&i, site), byte);
	ck_assert_error(target_unplant(t, site), ERROR_USAGE, "no trap is planted");
	struct event event;
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_wait(t, 20 * 1000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_NONE);
	ck_assert_error(target_plant(t, site), ERROR_USAGE, "is not stopped");
	ck_assert_no_error(target_stop_all(t));
	ck_assert_error(target_plant(t, 8), ERROR_NO_ADDRESS, "0x8");
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_read_and_written_is_the_programs_own)
{
	enum { AROUND = 5 };
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = attach_to_loop(&i, &site);
	uint8_t before[2 * AROUND], now[2 * AROUND], other[2 * AROUND];

	ck_assert_no_error(target_read(t, site - AROUND, before, sizeof(before)));
	ck_assert_no_error(target_plant(t, site));
	ck_assert_no_error(target_plant(t, site + 2));
	ck_assert_no_error(target_stop_all(t)); /* empties the cache */
	ck_assert_no_error(target_read(t, site - AROUND, now, sizeof(now)));
	ck_assert_mem_eq(now, before, sizeof(now));
	memset(other, 0x90, sizeof(other));
	ck_assert_no_error(target_write(t, site - AROUND, other, sizeof(other)));
	for (int n = 0; n < 2; n++) { /* from the cache, and from memory */
		ck_assert_no_error(target_read(t, site - AROUND, now, sizeof(now)));
		ck_assert_mem_eq(now, other, sizeof(now));
		ck_assert_no_error(target_stop_all(t));
	}
	ck_assert_uint_eq(raw_byte(&i, site), TRAP);
	ck_assert_uint_eq(raw_byte(&i, site + 1), 0x90);
	ck_assert_no_error(target_unplant(t, site));
	ck_assert_uint_eq(raw_byte(&i, site), 0x90);
	ck_assert_no_error(target_write(t, site - AROUND, before, sizeof(before)));
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

/* ---- waiting ---------------------------------------------------------------------------- */

START_TEST(events_are_waited_for_beside_other_things)
{
	enum { HITS = 50 };
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = attach_to_loop(&i, &site);
	unsigned int hits = 0, foreign = 0;
	struct event event;

	ck_assert_no_error(target_plant(t, site));
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	while (hits < HITS) {
		struct pollfd fds[] = { { .fd = target_wait_fd(t), .events = POLLIN },
					{ .fd = i.out, .events = POLLIN } };
		pid_t child = hits % 10 ? 0 : fork(); /* no tracee, and not ours to reap */
		if (child == 0 && hits % 10 == 0)
			_exit(3);
		for (;;) {
			ck_assert_no_error(target_wait(t, 0, &event));
			if (event.stop.kind == STOP_NONE)
				break;
			check_hit(t, &event, site);
			hits++;
			ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		}
		ck_assert_int_gt(poll(fds, 2, PATIENCE_S * 1000), 0);
		if (child > 0) {
			int status;
			ck_assert_int_eq(waitpid(child, &status, 0), child);
			foreign += WEXITSTATUS(status) == 3;
		}
	}
	ck_assert_uint_gt(foreign, 0);
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sites");

	live_table(s, a_child_that_becomes_a_target_of_its_own_keeps_its_points, 60, COUNT(ways));
	live_case(s, "children let go", 60, a_child_that_became_a_target_is_let_go);
	live_table(s, each_of_many_threads_comes_to_a_site_each_time, 60, NUM_PASSINGS);
	live_case(s, "signals", 60, signals_about_a_site_are_delivered);
	live_table(s, traps_of_the_program_are_its_own, 60, 2);
	live_table(s, a_child_does_not_die_of_a_site_and_its_parent_keeps_it, 60, COUNT(ways));
	live_table(s, a_child_is_let_go_without_traps_by_detaching, 60, COUNT(ways));
	live_case(s, "new programs", 60, a_new_program_has_no_sites);
	live_case(s, "memory", 60, detaching_lifts_every_site,
		  a_site_goes_with_the_last_who_wants_it,
		  what_is_read_and_written_is_the_programs_own);
	live_case(s, "waiting", 60, events_are_waited_for_beside_other_things);
	return unit_run(s);
}
