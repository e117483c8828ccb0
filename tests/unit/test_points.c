/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/points.h"
#include "unit.h"

static struct points points;

static void tear_down(void)
{
	points_fini(&points);
	points = (struct points){ 0 };
}

static struct set_point *set(struct point p)
{
	ck_assert_no_error(points_check(&p));
	ck_assert_no_error(points_set(&points, &p));
	return points_find(&points, p.id);
}

START_TEST(they_are_found_by_number_in_whatever_order_they_come)
{
	static const unsigned int ids[] = { 5, 1, 9, 3, 7 };

	for (size_t i = 0; i < COUNT(ids); i++)
		set((struct point){ .id = ids[i], .addr = 0x1000 + ids[i] % 2 });
	ck_assert_uint_eq(points.len, COUNT(ids));
	for (unsigned int id = 0; id <= 10; id++)
		ck_assert_int_eq(points_find(&points, id) != NULL, id % 2 == 1);
	points_drop(&points, points_find(&points, 3));
	ck_assert_ptr_null(points_find(&points, 3));
	ck_assert_uint_eq(points_find(&points, 9)->point.id, 9);
	ck_assert_uint_eq(points_count(&points, POINT_CODE, 0x1001), 4);
	ck_assert_uint_eq(points_count(&points, POINT_WRITE, 0x1001), 0);
}
END_TEST

START_TEST(who_is_ignored_is_counted)
{
	struct set_point *p = set((struct point){ .id = 1, .addr = 8, .ignore = 2 });
	struct arrival arrival = { .lwp = 10, .sp = 100 };

	ck_assert(!points_judge(p, &arrival));
	ck_assert(!points_judge(p, &arrival));
	ck_assert(points_judge(p, &arrival));
	ck_assert_uint_eq(p->state.hits, 3);
	ck_assert_uint_eq(p->state.ignore, 0);
}
END_TEST

START_TEST(other_threads_and_deeper_frames_are_not)
{
	struct set_point *p = set((struct point){ .id = 1, .addr = 8, .lwp = 10, .sp_above = 100 });

	ck_assert(!points_judge(p, &(struct arrival){ .lwp = 11, .sp = 200 }));
	ck_assert(!points_judge(p, &(struct arrival){ .lwp = 10, .sp = 100 }));
	ck_assert_uint_eq(p->state.hits, 0);
	ck_assert(points_judge(p, &(struct arrival){ .lwp = 10, .sp = 101 }));
	ck_assert_uint_eq(p->state.hits, 1);
}
END_TEST

START_TEST(one_that_asks_is_counted_by_who_was_asked)
{
	struct set_point *p = set((struct point){ .id = 1, .addr = 8, .asks = true, .ignore = 1 });

	ck_assert(points_judge(p, &(struct arrival){ .lwp = 10 }));
	ck_assert_uint_eq(p->state.hits, 0);
	ck_assert(!points_count_hit(p));
	ck_assert(points_count_hit(p));
	ck_assert_uint_eq(p->state.hits, 2);
}
END_TEST

START_TEST(hits_stay_when_one_is_set_again_and_go_along_with_a_child)
{
	struct points copy = { 0 };
	struct set_point *p = set((struct point){ .id = 1, .addr = 8 });

	set((struct point){ .id = 2, .addr = 16 });
	p->state.hits = 7;
	p = set((struct point){ .id = 1, .addr = 24, .ignore = 3 });
	ck_assert_uint_eq(p->point.addr, 24);
	ck_assert_uint_eq(p->state.hits, 7);
	ck_assert_uint_eq(p->state.ignore, 3);
	ck_assert_no_error(points_copy(&points, &copy));
	ck_assert_uint_eq(copy.len, 2);
	ck_assert_uint_eq(points_find(&copy, 1)->state.hits, 7);
	ck_assert_uint_eq(points_find(&copy, 2)->state.hits, 0);
	points_fini(&copy);
}
END_TEST

static const struct point wrong[] = {
	{ .id = 0, .addr = 8 },
	{ .id = 1, .kind = POINT_WRITE, .addr = 8, .size = 3 },
	{ .id = 1, .kind = POINT_WRITE, .addr = 9, .size = 2 },
	{ .id = 1, .kind = POINT_CHANGE, .addr = 8, .size = 0 },
	{ .id = 1, .kind = POINT_ACCESS, .addr = 16, .size = 16 },
};

START_TEST(what_is_no_point_is_refused)
{
	ck_assert_error(points_check(&wrong[_i]), ERROR_USAGE, "");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("points");
	TCase *tc = tcase_create("points");

	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, they_are_found_by_number_in_whatever_order_they_come);
	tcase_add_test(tc, who_is_ignored_is_counted);
	tcase_add_test(tc, other_threads_and_deeper_frames_are_not);
	tcase_add_test(tc, one_that_asks_is_counted_by_who_was_asked);
	tcase_add_test(tc, hits_stay_when_one_is_set_again_and_go_along_with_a_child);
	tcase_add_loop_test(tc, what_is_no_point_is_refused, 0, COUNT(wrong));
	suite_add_tcase(s, tc);
	return unit_run(s);
}
