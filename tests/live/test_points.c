/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points: whom they stop, what they count. */
#include "inferior.h"

#include "target/process/condition.h"

enum { EACH = 200, THREADS = 4, POINT = 3, OTHER_POINT = 8 };

static void set(struct target *t, struct point p)
{
	ck_assert_no_error(target_set_point(t, &p));
}

static struct point_state state_of(struct target *t, unsigned int id)
{
	struct point_state state;

	ck_assert_no_error(target_point_state(t, id, &state));
	return state;
}

static struct target *launch(struct inferior *i, const char *how, const char *n, taddr *ret_site)
{
	struct target *t = inferior_launch(i, ARGS("live_sites", how, n));

	*ret_site = inferior_symbol(i, "site");
	return t;
}

/* count at site() is below the number: it is the program's own counter. */
static size_t below(const struct inferior *i, unsigned int number, uint8_t ret[32])
{
	taddr count = inferior_symbol(i, "count");
	uint64_t numbers[2] = { count, number };
	size_t n = 0;

	ret[n++] = CONDITION_CONST;
	memcpy(ret + n, &numbers[0], 8);
	n += 8;
	ret[n++] = CONDITION_LOAD;
	ret[n++] = 8;
	ret[n++] = CONDITION_CONST;
	memcpy(ret + n, &numbers[1], 8);
	n += 8;
	ret[n++] = CONDITION_LESS;
	return n;
}

static const uint8_t never[] = { CONDITION_PC, CONDITION_NOT };

START_TEST(hits_that_stop_nobody_are_counted)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "threads", "200", &site);
	struct told told = { 0 };

	set(t, (struct point){ .id = POINT, .addr = site, .ignore = THREADS * EACH + 5 });
	set(t, (struct point){ .id = OTHER_POINT,
			       .addr = site,
			       .condition = never,
			       .condition_size = sizeof(never) });
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 0);
	ck_assert_uint_eq(state_of(t, POINT).hits, THREADS * EACH);
	ck_assert_uint_eq(state_of(t, POINT).ignore, 5);
	ck_assert_uint_eq(state_of(t, OTHER_POINT).hits, 0);
	ck_assert(!state_of(t, OTHER_POINT).condition_failed);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(a_condition_stops_as_often_as_it_holds)
{
	enum { TIMES = 30 };
	uint8_t condition[32];
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "fork", "50", &site);
	struct told told = { 0 };

	set(t, (struct point){ .id = POINT,
			       .addr = site,
			       .condition = condition,
			       .condition_size = below(&i, TIMES, condition) });
	struct event event = run_until(t, STOP_SITE, &told);
	ck_assert_uint_eq(event.npoints, 1);
	ck_assert_uint_eq(event.points[0], POINT);
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], TIMES);
	ck_assert_uint_eq(state_of(t, POINT).hits, TIMES);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(points_at_one_address_are_told_together)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "fork", "3", &site);

	set(t, (struct point){ .id = OTHER_POINT, .addr = site });
	set(t, (struct point){ .id = POINT, .addr = site, .ignore = 1 });
	set(t, (struct point){ .id = 5, .addr = site, .lwp = t->pid + 1 });
	set(t, (struct point){ .id = 6, .addr = site, .sp_above = UINT64_MAX - 1 });
	struct event event = run_until(t, STOP_SITE, NULL);
	ck_assert_uint_eq(event.npoints, 1);
	ck_assert_uint_eq(event.points[0], OTHER_POINT);
	set(t, (struct point){ .id = 5, .addr = site, .lwp = t->pid }); /* replaced */
	set(t, (struct point){ .id = 6, .addr = site, .sp_above = 1 });
	event = run_until(t, STOP_SITE, NULL);
	ck_assert_uint_eq(event.npoints, 4);
	ck_assert_uint_eq(event.points[0], POINT);
	ck_assert_uint_eq(event.points[1], 5);
	ck_assert_uint_eq(event.points[2], 6);
	ck_assert_uint_eq(event.points[3], OTHER_POINT);
	ck_assert_uint_eq(state_of(t, POINT).hits, 2);
	ck_assert_uint_eq(state_of(t, 5).hits, 1);
	ck_assert_uint_eq(state_of(t, OTHER_POINT).hits, 2);
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(a_point_that_asks_counts_what_it_is_told)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "fork", "6", &site);
	struct told told = { 0 };
	bool stops;

	set(t, (struct point){ .id = POINT, .addr = site, .asks = true, .ignore = 1 });
	for (int n = 0; n < 6; n++) {
		run_until(t, STOP_SITE, &told);
		if (n % 2 == 0)
			continue;
		ck_assert_no_error(target_count_hit(t, POINT, &stops));
		ck_assert(stops == (n > 1));
	}
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 6);
	ck_assert_uint_eq(state_of(t, POINT).hits, 3);
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(a_point_that_is_cleared_is_not_told)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "threads", "200", &site);
	struct told told = { 0 };

	set(t, (struct point){ .id = POINT, .addr = site });
	do { /* until another thread has come there, too */
		run_until(t, STOP_SITE, NULL);
		ck_assert_no_error(target_stop_all(t));
	} while (!count_threads(t, THREAD_PENDING));
	ck_assert_no_error(target_clear_point(t, POINT));
	ck_assert_error(target_clear_point(t, POINT), ERROR_NOT_FOUND, "number 3");
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 0);
	run_to_end(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], 0);
}
END_TEST

START_TEST(a_step_to_a_point_is_a_hit)
{
	AUTO_INFERIOR i;
	taddr site;
	uint64_t pc;
	AUTO_TARGET *t = launch(&i, "fork", "2", &site);

	set(t, (struct point){ .id = POINT, .addr = site });
	struct event event = run_until(t, STOP_SITE, NULL);
	ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
	event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	ck_assert_no_error(target_get_uint(t, event.thread, t->arch->pc, &pc));
	/* Who stands there when it is set has arrived before. */
	set(t, (struct point){ .id = OTHER_POINT, .addr = pc });
	ck_assert_no_error(target_clear_point(t, POINT));
	event = run_until(t, STOP_SITE, NULL);
	ck_assert_uint_eq((taddr)event.stop.value, pc);
	ck_assert_uint_eq(state_of(t, OTHER_POINT).hits, 1);
	ck_assert_no_error(target_set_uint(t, event.thread, t->arch->pc, site));
	ck_assert_no_error(target_clear_point(t, OTHER_POINT));
	set(t, (struct point){ .id = OTHER_POINT, .addr = pc });
	ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
	event = wait_event(t);
	ck_assert_int_eq(event.stop.kind, STOP_SITE);
	ck_assert_uint_eq(event.npoints, 1);
	ck_assert_uint_eq(state_of(t, OTHER_POINT).hits, 1);
	ck_assert_no_error(target_kill(t));
}
END_TEST

START_TEST(who_is_held_stays)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "threads", "200", &site);
	struct told told = { 0 };
	pid_t held = 0;

	set(t, (struct point){ .id = POINT, .addr = site, .ignore = 100000 });
	do
		run_until(t, STOP_CLONE, NULL);
	while (t->threads.len < 3);
	ck_assert_no_error(target_stop_all(t));
	held = t->threads.items[2]->lwp;
	t->threads.items[2]->held = true;
	while (state_of(t, POINT).hits < 3 * EACH) {
		struct event event;
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_wait(t, 1000, &event));
		ck_assert(!event.thread || event.thread->lwp != held);
	}
	struct thread *th = target_find_thread(t, held);
	ck_assert_int_eq(th->state, THREAD_STOPPED);
	th->held = false;
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(state_of(t, POINT).hits, THREADS * EACH);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(what_is_no_point_is_refused)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "fork", "1", &site);
	struct point_state state;
	bool stops;
	static const uint8_t jump[] = { CONDITION_JUMP, 9, 9 };
	struct {
		struct point point;
		const char *says;
	} rows[] = {
		{ { .addr = site }, "no number" },
		{ { .id = 1, .addr = site, .condition = jump, .condition_size = 3 }, "nowhere" },
		{ { .id = 1, .kind = POINT_CHANGE, .addr = site, .size = 3 }, "not 3" },
		{ { .id = 1, .kind = POINT_WRITE, .addr = 4, .size = 8 }, "multiple of 8" },
	};

	for (size_t n = 0; n < COUNT(rows); n++)
		ck_assert_error(target_set_point(t, &rows[n].point), ERROR_USAGE, rows[n].says);
	struct point nowhere = { .id = 1, .addr = 8 };
	ck_assert_error(target_set_point(t, &nowhere), ERROR_NO_ADDRESS, "0x8");
	ck_assert_error(target_point_state(t, 1, &state), ERROR_NOT_FOUND, "number 1");
	ck_assert_error(target_count_hit(t, 1, &stops), ERROR_NOT_FOUND, "number 1");
	run_to_end(t, &i, NULL);
}
END_TEST

/* ---- debug registers -------------------------------------------------------------------- */

START_TEST(writes_of_all_threads_are_seen)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "threads", "200", &site);
	struct told told = { 0 };
	taddr count = inferior_symbol(&i, "count");

	set(t, (struct point){ .id = POINT,
			       .kind = POINT_WRITE,
			       .addr = count,
			       .size = 8,
			       .ignore = _i ? 1000000 : 0 });
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(state_of(t, POINT).hits, THREADS * EACH);
	ck_assert_uint_eq(told.of[STOP_WATCHPOINT], _i ? 0 : THREADS * EACH);
	ck_assert_uint_eq(state_of(t, POINT).is, THREADS * EACH);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(changes_are_told_with_both_values)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "own", "5", &site);
	taddr count = inferior_symbol(&i, "count");

	set(t, (struct point){ .id = POINT, .kind = POINT_CHANGE, .addr = count, .size = 8 });
	set(t, (struct point){ .id = 4, .kind = POINT_ACCESS, .addr = count, .size = 4 });
	set(t, (struct point){ .id = 5,
			       .kind = POINT_WRITE,
			       .addr = count,
			       .size = 2,
			       .condition = never,
			       .condition_size = sizeof(never) });
	for (uint64_t n = 1; n <= 5; n++) {
		struct event event = run_until(t, STOP_WATCHPOINT, NULL);
		ck_assert_uint_eq(event.npoints, 2);
		ck_assert_uint_eq(event.points[0], POINT);
		ck_assert_uint_eq(event.points[1], 4);
		ck_assert_uint_eq(state_of(t, POINT).was, n - 1);
		ck_assert_uint_eq(state_of(t, POINT).is, n);
		ck_assert_uint_eq(state_of(t, POINT).hits, n);
	}
	struct told told = { 0 };
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(state_of(t, 5).hits, 0);
	ck_assert_uint_eq(state_of(t, 5).is, 5);
	run_to_end(t, &i, NULL);
}
END_TEST

START_TEST(hardware_stops_where_no_trap_is)
{
	AUTO_INFERIOR i;
	taddr site;
	AUTO_TARGET *t = launch(&i, "threads", "200", &site);
	struct told told = { 0 };

	set(t, (struct point){ .id = POINT, .kind = POINT_CODE_HARD, .addr = site });
	ck_assert_uint_ne(inferior_peek(&i, site) & 0xff, 0xcc);
	struct event event = run_until(t, STOP_SITE, &told);
	ck_assert_uint_eq((taddr)event.stop.value, site);
	ck_assert_uint_eq(event.points[0], POINT);
	for (int n = 0; n < 20; n++) {
		ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
		event = wait_event(t);
		told.of[event.stop.kind]++;
	}
	run_until_ready(t, &i, &told);
	ck_assert_uint_eq(told.of[STOP_SITE], THREADS * EACH);
	run_to_end(t, &i, &told);
}
END_TEST

START_TEST(there_are_four)
{
	AUTO_INFERIOR i;
	ck_assert(inferior_start(&i, ARGS("live_sites", "loop")));
	AUTO_TARGET *t = inferior_attach(&i);
	taddr count = inferior_symbol(&i, "count"), site = inferior_symbol(&i, "site");

	for (unsigned int n = 0; n < 4; n++)
		set(t, (struct point){
			       .id = n + 1, .kind = POINT_WRITE, .addr = count + n, .size = 1 });
	set(t, (struct point){ .id = 6, .kind = POINT_CHANGE, .addr = count, .size = 1 });
	struct point fifth = { .id = 5, .kind = POINT_CODE_HARD, .addr = site };
	ck_assert_error(target_set_point(t, &fifth), ERROR_UNSUPPORTED, "all 4 debug registers");
	ck_assert_error(target_clear_point(t, 5), ERROR_NOT_FOUND, "number 5");
	ck_assert_no_error(target_clear_point(t, 4));
	set(t, fifth);
	run_until(t, STOP_SITE, NULL);
	run_until(t, STOP_WATCHPOINT, NULL);
	ck_assert_no_error(target_detach(t)); /* it would be killed by one that is left */
	inferior_check_untouched(&i, "SR");
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("points");

	live_case(s, "who stops", 60, hits_that_stop_nobody_are_counted,
		  a_condition_stops_as_often_as_it_holds, points_at_one_address_are_told_together,
		  a_point_that_asks_counts_what_it_is_told, a_point_that_is_cleared_is_not_told,
		  a_step_to_a_point_is_a_hit, who_is_held_stays, what_is_no_point_is_refused);
	if (debug_registers_work()) {
		live_table(s, writes_of_all_threads_are_seen, 60, 2);
		live_case(s, "debug registers", 60, changes_are_told_with_both_values,
			  hardware_stops_where_no_trap_is, there_are_four);
	}
	return unit_run(s);
}
