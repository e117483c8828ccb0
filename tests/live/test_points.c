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

int main(void)
{
	Suite *s = suite_create("points");

	live_case(s, "who stops", 60, hits_that_stop_nobody_are_counted,
		  a_condition_stops_as_often_as_it_holds, points_at_one_address_are_told_together,
		  a_point_that_asks_counts_what_it_is_told, a_point_that_is_cleared_is_not_told,
		  a_step_to_a_point_is_a_hit, who_is_held_stays, what_is_no_point_is_refused);
	return unit_run(s);
}
