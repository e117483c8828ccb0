/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/deciding_words.h"

#include "unit.h"

/* words: with a space behind each. */
static void expect_words(const char *text, bool fortran, const char *words)
{
	struct deciding_words all = { 0 };
	char found[256] = "";
	struct error *err = deciding_words_add(&all, text, fortran, false);

	ck_assert_ptr_null(err);
	for (size_t i = 0; i < all.len; i++) {
		strcat(found, all.items[i]);
		strcat(found, " ");
	}
	deciding_words_fini(&all);
	ck_assert_str_eq(found, words);
}

START_TEST(values_are_asked_for)
{
	expect_words("p->n > rows[i] + f()", false, "p->n i rows[i] ");
	expect_words("omp_get_thread_num() == 1", false, "omp_get_thread_num() ");
	expect_words("n .gt. a(i)", true, "n i a(i) ");
}
END_TEST

START_TEST(words_of_the_language_are_none)
{
	expect_words("for (struct dirent *d; (d = readdir(tasks));)", false, "d tasks ");
	expect_words("while (f(&n, __ATOMIC_SEQ_CST) < (unsigned int)most)", false, "most ");
	expect_words("structure < __own && int_of", false, "structure __own int_of ");
	expect_words("int < n", true, "int n ");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("deciding_words");
	TCase *tc = tcase_create("deciding_words");

	suite_add_tcase(s, tc);
	tcase_add_test(tc, values_are_asked_for);
	tcase_add_test(tc, words_of_the_language_are_none);
	return unit_run(s);
}
