/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/budget.h"

#include "unit.h"

START_TEST(nobody_gets_more_than_half_of_what_is_left)
{
	struct budget all = { .left = 1000 };
	struct spending greedy = { .from = &all }, modest = { .from = &all };

	ck_assert(!budget_spend(&greedy, 501));
	ck_assert(!budget_spend(&greedy, UINT64_MAX));
	while (budget_spend(&greedy, 100))
		;
	ck_assert_uint_eq(greedy.bytes, 900);
	ck_assert(budget_spend(&modest, 50));
	ck_assert_uint_eq(all.left, 50);
	ck_assert(budget_spend(&modest, 0));
}
END_TEST

START_TEST(all_of_it_comes_back)
{
	struct budget all = { .left = 1000 };
	struct spending one = { .from = &all }, none = { 0 };

	ck_assert(budget_spend(&one, 500) && budget_spend(&one, 200));
	budget_return(&one);
	budget_return(&one);
	budget_return(&none);
	ck_assert_uint_eq(all.left, 1000);
	ck_assert_uint_eq(one.bytes, 0);
}
END_TEST

START_TEST(the_machine_has_some)
{
	ck_assert_uint_gt(budget_of_machine(), 1 << 20);
	ck_assert_uint_le(budget_of_machine(), UINT64_C(4) << 30);

	struct budget all = { 0 };
	struct spending one = { .from = &all };
	ck_assert(budget_spend(&one, 1 << 10));
	ck_assert_uint_gt(all.left, 1 << 20);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget");
	TCase *tc = tcase_create("budget");

	tcase_add_test(tc, nobody_gets_more_than_half_of_what_is_left);
	tcase_add_test(tc, all_of_it_comes_back);
	tcase_add_test(tc, the_machine_has_some);
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
