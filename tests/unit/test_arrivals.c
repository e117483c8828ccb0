/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * All that wait at one barrier are told one number, and who waits has arrived.
 */
#include "ompd/picture/arrivals.h"

#include "picture_fixture.h"

enum { THREADS = 4 };

/* What the runtime counts for one of four threads, in their order; total 0: nothing. */
struct reading {
	enum wait_kind kind;
	long arrived, total;
};

static void read_all(struct world *w, const struct reading *readings)
{
	world_init(w);
	world_add_gomp(w);
	int region = world_add_region(w, -1, 0, THREADS, 10);
	for (int i = 0; i < THREADS; i++) {
		world_add_thread(w, i ? ROLE_WORKER : ROLE_PRIMARY, region, i);
		struct picture_wait *wait = world_wait(w, readings[i].kind);
		wait->arrived = readings[i].arrived;
		wait->total = readings[i].total;
	}
	ck_assert(arrivals_count(&w->picture));
}

static void expect(struct world *w, int thread, long arrived, long total)
{
	const struct picture_wait *wait = &picture_thread(&w->picture, thread)->wait;

	ck_assert_int_eq(wait->arrived, arrived);
	ck_assert_int_eq(wait->total, total);
}

START_TEST(a_count_that_is_read_is_that_of_all)
{
	/* The last one spins: where, its registers do not tell. */
	static const struct reading readings[THREADS] = {
		{ WAIT_REGION_END, 3, 4 },
		{ WAIT_EXPLICIT_BARRIER, 1, 4 },
		{ WAIT_REGION_END, 3, 4 },
		{ WAIT_REGION_END, 0, 0 },
	};
	struct world w;

	read_all(&w, readings);
	expect(&w, 0, 3, 4);
	expect(&w, 1, 1, 4);
	expect(&w, 3, 3, 4);
	world_fini(&w);
}
END_TEST

/* The last one is a member still, or already, and idle. */
START_TEST(who_is_idle_in_a_team_that_nobody_can_have_left_is_due)
{
	static const struct {
		struct reading primary;
		bool due;
	} rows[] = {
		{ { WAIT_NONE, 0, 0 }, true },
		{ { WAIT_REGION_END, 3, 4 }, true },
		{ { WAIT_TEAM_START, 0, 0 }, true },
		{ { WAIT_REGION_END, 4, 4 }, false },
		{ { WAIT_PASSING, 0, 0 }, false },
		{ { WAIT_RUNTIME, 0, 0 }, false },
		{ { WAIT_EXPLICIT_BARRIER, 1, 4 }, true },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct world w;
		world_init(&w);
		world_add_gomp(&w);
		int region = world_add_region(&w, -1, 0, 2, 10);
		world_add_thread(&w, ROLE_PRIMARY, region, 0);
		struct picture_wait *wait = world_wait(&w, rows[i].primary.kind);
		wait->arrived = rows[i].primary.arrived;
		wait->total = rows[i].primary.total;
		world_add_thread(&w, ROLE_IDLE, -1, -1);
		world_wait(&w, WAIT_IDLE);
		w.picture.regions.items[region].members.items[1] = 1;
		ck_assert(arrivals_count(&w.picture));
		ck_assert_int_eq(arrivals_keep_all(&w.picture, region), rows[i].due);
		ck_assert_int_eq(picture_thread(&w.picture, 1)->wait.kind,
				 rows[i].due ? WAIT_DUE : WAIT_IDLE);
		world_fini(&w);
	}
}
END_TEST

START_TEST(without_a_count_those_have_arrived_who_wait)
{
	static const struct reading readings[THREADS] = { { WAIT_BARRIER, 0, 0 },
							  { WAIT_BARRIER, 0, 0 },
							  { WAIT_NONE, 0, 0 } };
	struct world w;

	read_all(&w, readings);
	expect(&w, 0, 2, 4);
	expect(&w, 1, 2, 4);
	world_fini(&w);
}
END_TEST

START_TEST(a_count_of_the_next_barrier_is_none_of_this_one)
{
	static const struct reading readings[][THREADS] = {
		{ { WAIT_REGION_END, 0, 4 } },
		{ { WAIT_REGION_END, 1, 4 }, { WAIT_REGION_END, 0, 0 } },
		{ { WAIT_BARRIER, 2, 4 }, { WAIT_BARRIER, 3, 4 } },
		{ { WAIT_BARRIER, 5, 4 } },
	};
	struct world w;

	for (size_t i = 0; i < sizeof(readings) / sizeof(*readings); i++) {
		read_all(&w, readings[i]);
		expect(&w, 0, 0, 0);
		world_fini(&w);
	}
}
END_TEST

/* All four, of which two have not seen yet that the barrier is over. */
START_TEST(who_is_let_go_passes_unless_tasks_may_be_left_where_all_have_come)
{
	static const struct {
		enum wait_kind let_go, others;
		bool no_tasks, passes;
	} rows[] = {
		{ WAIT_BARRIER, WAIT_BARRIER, false, false },
		{ WAIT_BARRIER, WAIT_BARRIER, true, true },
		{ WAIT_EXPLICIT_BARRIER, WAIT_EXPLICIT_BARRIER, false, false },
		{ WAIT_EXPLICIT_BARRIER, WAIT_WORKSHARE_END, false, true },
		{ WAIT_EXPLICIT_BARRIER, WAIT_REGION_END, false, true },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct world w;
		world_init(&w);
		world_add_gomp(&w);
		int region = world_add_region(&w, -1, 0, THREADS, 10);
		for (int n = 0; n < THREADS; n++) {
			world_add_thread(&w, n ? ROLE_WORKER : ROLE_PRIMARY, region, n);
			const bool over = n < 2;
			struct picture_wait *wait =
				world_wait(&w, over ? rows[i].let_go : rows[i].others);
			wait->over = over;
			wait->no_tasks = over && rows[i].no_tasks;
		}
		ck_assert(arrivals_count(&w.picture));
		ck_assert_int_eq(picture_thread(&w.picture, 0)->wait.kind == WAIT_PASSING,
				 rows[i].passes);
		world_fini(&w);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("arrivals");
	TCase *all = tcase_create("all");

	tcase_add_test(all, a_count_that_is_read_is_that_of_all);
	tcase_add_test(all, who_is_idle_in_a_team_that_nobody_can_have_left_is_due);
	tcase_add_test(all, who_is_let_go_passes_unless_tasks_may_be_left_where_all_have_come);
	tcase_add_test(all, without_a_count_those_have_arrived_who_wait);
	tcase_add_test(all, a_count_of_the_next_barrier_is_none_of_this_one);
	suite_add_tcase(s, all);
	return unit_run(s);
}
