/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/debug_registers.h"
#include "unit.h"

START_TEST(there_are_four_and_equal_ones_share_one)
{
	struct debug_registers d = { 0 };

	ck_assert(!debug_registers_any(&d));
	for (taddr n = 0; n < 4; n++) {
		ck_assert_no_error(debug_registers_add(&d, DEBUG_WRITE, 8 * n, 8));
		ck_assert_no_error(debug_registers_add(&d, DEBUG_WRITE, 8 * n, 8));
	}
	ck_assert_error(debug_registers_add(&d, DEBUG_ACCESS, 8, 8), ERROR_UNSUPPORTED,
			"delete a watchpoint");
	ck_assert_error(debug_registers_add(&d, DEBUG_WRITE, 8, 4), ERROR_UNSUPPORTED, "all 4");
	debug_registers_drop(&d, DEBUG_WRITE, 8, 8);
	ck_assert_error(debug_registers_add(&d, DEBUG_ACCESS, 8, 8), ERROR_UNSUPPORTED, "");
	debug_registers_drop(&d, DEBUG_WRITE, 8, 8);
	ck_assert_no_error(debug_registers_add(&d, DEBUG_ACCESS, 8, 8));
	for (taddr n = 0; n < 4; n++) {
		debug_registers_drop(&d, n == 1 ? DEBUG_ACCESS : DEBUG_WRITE, 8 * n, 8);
		debug_registers_drop(&d, n == 1 ? DEBUG_ACCESS : DEBUG_WRITE, 8 * n, 8);
	}
	ck_assert(!debug_registers_any(&d));
}
END_TEST

/* By its number threads know whether they have it. */
START_TEST(the_setting_changes_with_what_is_set_alone)
{
	struct debug_registers d = { 0 };

	ck_assert_no_error(debug_registers_add(&d, DEBUG_EXECUTE, 8, 1));
	unsigned int first = d.setting;
	ck_assert_uint_ne(first, 0);
	ck_assert_no_error(debug_registers_add(&d, DEBUG_EXECUTE, 8, 1));
	debug_registers_drop(&d, DEBUG_EXECUTE, 8, 1);
	debug_registers_drop(&d, DEBUG_EXECUTE, 16, 1); /* which nobody wants */
	ck_assert_uint_eq(d.setting, first);
	debug_registers_drop(&d, DEBUG_EXECUTE, 8, 1);
	ck_assert_uint_ne(d.setting, first);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("debug registers");
	TCase *tc = tcase_create("debug registers");

	tcase_add_test(tc, there_are_four_and_equal_ones_share_one);
	tcase_add_test(tc, the_setting_changes_with_what_is_set_alone);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
