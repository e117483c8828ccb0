/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every kind of wait has a row and words of its own; what is no kind is told as not known.
 */
#include "debugger/wait_words.h"

#include "unit.h"

START_TEST(each_kind_has_a_row)
{
	const struct wait_traits *its = wait_kind_traits((enum wait_kind)_i);

	ck_assert_ptr_nonnull(its->name);
	ck_assert_int_eq(its->whom == FOR_NOT_KNOWN, _i == WAIT_UNKNOWN);
	for (int kind = 0; kind < NUM_WAIT_KINDS; kind++)
		ck_assert_int_eq(!strcmp(its->name, wait_kind_traits((enum wait_kind)kind)->name),
				 kind == _i);
	/* A barrier is of a team; what is taken and given back has a holder. */
	ck_assert(!its->is_barrier || its->whom == FOR_TEAM);
	ck_assert(!its->is_workshare || its->whom == FOR_TEAM);
	ck_assert(!its->is_lock || its->whom == FOR_HOLDER);
}
END_TEST

START_TEST(each_kind_has_words)
{
	const struct wait_words *its = wait_words((enum wait_kind)_i);
	enum wait_whom whom = wait_kind_whom((enum wait_kind)_i);

	ck_assert(its->one && its->many && its->does && its->do_);
	ck_assert_int_eq(its == wait_words(WAIT_UNKNOWN), _i == WAIT_UNKNOWN);
	ck_assert(!(its->details & WITH_CALL) || its->unnamed);
	ck_assert_int_eq(whom == FOR_TURN, its->turn && its->whose);
	ck_assert(whom != FOR_HOLDER || its->holder);
}
END_TEST

START_TEST(what_is_no_kind_is_unknown)
{
	ck_assert_ptr_eq(wait_kind_traits(NUM_WAIT_KINDS), wait_kind_traits(WAIT_UNKNOWN));
	ck_assert_ptr_eq(wait_words(NUM_WAIT_KINDS), wait_words(WAIT_UNKNOWN));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("wait_words");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, each_kind_has_a_row, 0, NUM_WAIT_KINDS);
	tcase_add_loop_test(all, each_kind_has_words, 0, NUM_WAIT_KINDS);
	tcase_add_test(all, what_is_no_kind_is_unknown);
	suite_add_tcase(s, all);
	return unit_run(s);
}
