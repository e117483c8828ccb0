/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/debug_registers.h"
#include "unit.h"

static struct error *add(struct debug_registers *d, enum debug_kind kind, taddr addr, size_t size)
{
	return debug_registers_add(
		d, &(struct debug_register){ .kind = kind, .addr = addr, .size = size });
}

static void drop(struct debug_registers *d, enum debug_kind kind, taddr addr, size_t size)
{
	debug_registers_drop(d,
			     &(struct debug_register){ .kind = kind, .addr = addr, .size = size });
}

START_TEST(there_are_four_and_equal_ones_share_one)
{
	struct debug_registers d = { 0 };

	ck_assert(!debug_registers_any(&d, 1));
	for (taddr n = 0; n < 4; n++) {
		ck_assert_no_error(add(&d, DEBUG_WRITE, 8 * n, 8));
		ck_assert_no_error(add(&d, DEBUG_WRITE, 8 * n, 8));
	}
	ck_assert_error(add(&d, DEBUG_ACCESS, 8, 8), ERROR_UNSUPPORTED, "delete a watchpoint");
	ck_assert_error(add(&d, DEBUG_WRITE, 8, 4), ERROR_UNSUPPORTED, "all 4");
	drop(&d, DEBUG_WRITE, 8, 8);
	ck_assert_error(add(&d, DEBUG_ACCESS, 8, 8), ERROR_UNSUPPORTED, "");
	drop(&d, DEBUG_WRITE, 8, 8);
	ck_assert_no_error(add(&d, DEBUG_ACCESS, 8, 8));
	for (taddr n = 0; n < 4; n++) {
		drop(&d, n == 1 ? DEBUG_ACCESS : DEBUG_WRITE, 8 * n, 8);
		drop(&d, n == 1 ? DEBUG_ACCESS : DEBUG_WRITE, 8 * n, 8);
	}
	ck_assert(!debug_registers_any(&d, 1));
	debug_registers_fini(&d);
}
END_TEST

/* By its number threads know whether they have it. */
START_TEST(the_setting_changes_with_what_is_set_alone)
{
	struct debug_registers d = { 0 };

	ck_assert_no_error(add(&d, DEBUG_EXECUTE, 8, 1));
	unsigned int first = d.setting;
	ck_assert_uint_ne(first, 0);
	ck_assert_no_error(add(&d, DEBUG_EXECUTE, 8, 1));
	drop(&d, DEBUG_EXECUTE, 8, 1);
	drop(&d, DEBUG_EXECUTE, 16, 1); /* which nobody wants */
	ck_assert_uint_eq(d.setting, first);
	drop(&d, DEBUG_EXECUTE, 8, 1);
	ck_assert_uint_ne(d.setting, first);
	debug_registers_fini(&d);
}
END_TEST

/* Each thread has four; who has one for all threads takes it from each. */
START_TEST(threads_have_registers_of_their_own)
{
	struct debug_registers d = { 0 };

	for (pid_t lwp = 1; lwp <= 20; lwp++) {
		for (taddr n = 0; n < 3; n++) {
			const struct debug_register own = { .kind = DEBUG_WRITE,
							    .addr = 64 * (taddr)lwp + 8 * n,
							    .size = 8,
							    .lwp = lwp };
			ck_assert_no_error(debug_registers_add(&d, &own));
		}
	}
	ck_assert_no_error(add(&d, DEBUG_EXECUTE, 7, 1));
	ck_assert_error(add(&d, DEBUG_EXECUTE, 9, 1), ERROR_UNSUPPORTED, "all 4");
	for (pid_t lwp = 1; lwp <= 20; lwp++) {
		for (unsigned int n = 0; n < 3; n++)
			ck_assert_uint_eq(debug_registers_at(&d, lwp, n)->addr,
					  64 * (taddr)lwp + 8 * n);
		ck_assert_uint_eq(debug_registers_at(&d, lwp, 3)->addr, 7);
	}
	ck_assert_ptr_null(debug_registers_at(&d, 21, 0));
	drop(&d, DEBUG_EXECUTE, 7, 1);
	ck_assert(debug_registers_any(&d, 20));
	ck_assert(!debug_registers_any(&d, 21));
	debug_registers_fini(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("debug registers");
	TCase *tc = tcase_create("debug registers");

	tcase_add_test(tc, there_are_four_and_equal_ones_share_one);
	tcase_add_test(tc, the_setting_changes_with_what_is_set_alone);
	tcase_add_test(tc, threads_have_registers_of_their_own);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
