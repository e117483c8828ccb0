/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/modules/ranges.h"
#include "unit.h"

enum { NONE = -1 };

static struct ranges ranges;

static void set_up(void)
{
	ranges = (struct ranges){ 0 };
}

static void tear_down(void)
{
	ranges_fini(&ranges);
}

static void add(taddr start, taddr end, uint64_t id)
{
	ck_assert(ranges_add(&ranges, start, end, id));
}

static long find(taddr addr)
{
	const struct range *r = ranges_find(&ranges, addr, NULL);

	return r ? (long)r->id : NONE;
}

START_TEST(holds_its_start_and_not_its_end)
{
	add(100, 200, 1);
	ck_assert_int_eq(find(99), NONE);
	ck_assert_int_eq(find(100), 1);
	ck_assert_int_eq(find(199), 1);
	ck_assert_int_eq(find(200), NONE);
}
END_TEST

START_TEST(has_nothing_at_first)
{
	ck_assert_int_eq(find(0), NONE);
	ck_assert_ptr_null(ranges_before(&ranges, UINT64_MAX));
}
END_TEST

START_TEST(keeps_no_empty_or_reversed_range)
{
	add(100, 100, 1);
	add(200, 100, 2);
	ck_assert_uint_eq(ranges.len, 0);
}
END_TEST

START_TEST(gives_the_one_that_begins_last_first)
{
	add(100, 1000, 1);
	add(200, 300, 2);
	add(250, 260, 3);
	ck_assert_int_eq(find(150), 1);
	ck_assert_int_eq(find(255), 3);
	ck_assert_int_eq(find(270), 2);
	ck_assert_int_eq(find(500), 1); /* behind two shorter ones that end before it */
}
END_TEST

START_TEST(goes_through_all_that_hold_an_address)
{
	add(100, 1000, 1);
	add(100, 900, 2);
	add(200, 300, 3);
	add(220, 230, 4); /* not around 250 */
	const uint64_t expected[] = { 3, 2, 1 };
	const struct range *r = NULL;

	for (size_t i = 0; i < COUNT(expected); i++) {
		r = ranges_find(&ranges, 250, r);
		ck_assert_ptr_nonnull(r);
		ck_assert_uint_eq(r->id, expected[i]);
	}
	ck_assert_ptr_null(ranges_find(&ranges, 250, r));
}
END_TEST

START_TEST(finds_what_is_added_after_a_question)
{
	add(300, 400, 1);
	ck_assert_int_eq(find(150), NONE);
	add(100, 200, 2);
	ck_assert_int_eq(find(150), 2);
	ck_assert_int_eq(find(350), 1);
}
END_TEST

START_TEST(knows_the_one_before_an_address)
{
	add(100, 110, 1);
	add(200, 210, 2);
	ck_assert_ptr_null(ranges_before(&ranges, 99));
	ck_assert_uint_eq(ranges_before(&ranges, 150)->id, 1);
	ck_assert_uint_eq(ranges_before(&ranges, 200)->id, 2);
	ck_assert_uint_eq(ranges_before(&ranges, UINT64_MAX)->id, 2);
}
END_TEST

/* Against a plain search over all of them. */
START_TEST(agrees_with_a_plain_search)
{
	enum { N = 500, SPACE = 2000 };
	struct range all[N];
	uint64_t random = 1;

	for (size_t i = 0; i < N; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		taddr start = (random >> 33) % SPACE, size = 1 + (random >> 50) % 60;
		all[i] = (struct range){ .start = start, .end = start + size, .id = i };
		add(start, start + size, i);
	}
	for (taddr addr = 0; addr < SPACE + 100; addr++) {
		const struct range *best = NULL;
		for (size_t i = 0; i < N; i++) {
			bool holds = all[i].start <= addr && addr < all[i].end;
			if (holds && (!best || all[i].start >= best->start))
				best = &all[i];
		}
		ck_assert_int_eq(find(addr), best ? (long)best->id : NONE);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ranges");
	TCase *tc = tcase_create("ranges");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, holds_its_start_and_not_its_end);
	tcase_add_test(tc, has_nothing_at_first);
	tcase_add_test(tc, keeps_no_empty_or_reversed_range);
	tcase_add_test(tc, gives_the_one_that_begins_last_first);
	tcase_add_test(tc, goes_through_all_that_hold_an_address);
	tcase_add_test(tc, finds_what_is_added_after_a_question);
	tcase_add_test(tc, knows_the_one_before_an_address);
	tcase_add_test(tc, agrees_with_a_plain_search);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
