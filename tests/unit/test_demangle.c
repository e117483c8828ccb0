/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/demangle.h"

#include <stdio.h>
#include <time.h>

#include "base/buf.h"
#include "unit.h"

#define STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define STRING_TEXT                                                                                \
	"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

static const struct {
	const char *name, *expected;
} names[] = {
	/* neither C++ nor Fortran */
	{ "main", "main" },
	{ "", "" },
	{ "main._omp_fn.0", "main._omp_fn.0" },
	{ ".omp_outlined.", ".omp_outlined." },
	{ "__libc_start_main", "__libc_start_main" },
	{ "MAIN__", "MAIN__" },
	/* C++ */
	{ "_Z3foov", "foo()" },
	{ "_ZN3sim4gridIdLi3EE5relaxERSt6vectorIiSaIiEE",
	  "sim::grid<double, 3>::relax(std::vector<int, std::allocator<int> >&)" },
	{ "_ZN4mesh12_GLOBAL__N_16hiddenEi", "mesh::(anonymous namespace)::hidden(int)" },
	{ "_Z3fooi._omp_fn.0", "foo(int) [clone ._omp_fn.0]" },
	{ "_Z3fooi.cold", "foo(int) [clone .cold]" },
	{ "_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const" },
	/* damaged */
	{ "_Z", "_Z" },
	{ "_ZN", "_ZN" },
	{ "_ZNSt6vectorIiSaIiE", "_ZNSt6vectorIiSaIiE" },
	{ "_Z3fo", "_Z3fo" },
	{ "_Z99999999999999999999999f", "_Z99999999999999999999999f" },
	/* Fortran */
	{ "__heat_MOD_step", "heat::step" },
	{ "__heat_MOD_step._omp_fn.0", "heat::step._omp_fn.0" },
	{ "__heat.inner_MOD_step", "heat.inner::step" },
	{ "___MOD_step", "___MOD_step" },
	{ "__heat_MOD_", "__heat_MOD_" },
	{ "heat_MOD_step", "heat_MOD_step" },
	/* so many references to earlier parts that a child process looks at it */
	{ "_Z1f" STRING "S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_S4_",
	  "f(" STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT
	  ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT
	  ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT
	  ", " STRING_TEXT ", " STRING_TEXT ", " STRING_TEXT ")" },
};

START_TEST(names_are_as_programmers_wrote_them)
{
	AUTO_FREE char *text = demangle_name(names[_i].name);

	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, names[_i].expected);
}
END_TEST

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* f(A<int, int>, A<that, that>, A<that, that>, ...): each argument twice as long as the last. */
static void add_doubling(struct buf *name, unsigned int times)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	buf_adds(name, "_Z1f1AIiiE");
	for (unsigned int i = 0; i < times; i++)
		buf_addf(name, "S_IS%c_S%c_E", digits[i], digits[i]);
}

START_TEST(short_names_for_gigabytes_stay_as_they_are)
{
	AUTO_BUF name = { 0 };
	double start = seconds();

	add_doubling(&name, 36);
	for (int i = 0; i < 100; i++) {
		AUTO_FREE char *text = demangle_name(buf_text(&name));
		ck_assert_ptr_nonnull(text);
		ck_assert_str_eq(text, buf_text(&name));
	}
	ck_assert_msg(seconds() - start < 20, "took %g s", seconds() - start);
}
END_TEST

START_TEST(moderate_growth_is_fine)
{
	AUTO_BUF name = { 0 };

	add_doubling(&name, 9);
	AUTO_FREE char *text = demangle_name(buf_text(&name));
	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(strncmp(text, "f(A<int, int>, A<A<int, int>, A<int, int> >", 43), 0);
}
END_TEST

START_TEST(endless_names_stay_as_they_are)
{
	AUTO_BUF name = { 0 };

	buf_adds(&name, "_Z1f");
	for (int i = 0; i < 1000000; i++)
		buf_addc(&name, 'P');
	buf_addc(&name, 'i');
	AUTO_FREE char *text = demangle_name(buf_text(&name));
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, buf_text(&name));
}
END_TEST

START_TEST(deep_names_do_no_harm)
{
	AUTO_BUF name = { 0 };

	buf_adds(&name, "_Z1f");
	for (int i = 0; i < 30000; i++)
		buf_addc(&name, "PRKFNLXI"[_i]);
	buf_addc(&name, 'i');
	AUTO_FREE char *text = demangle_name(buf_text(&name));
	ck_assert_ptr_nonnull(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("demangle");
	TCase *hostile = tcase_create("hostile");

	unit_table(s, names_are_as_programmers_wrote_them, names);
	tcase_add_test(hostile, short_names_for_gigabytes_stay_as_they_are);
	tcase_add_test(hostile, moderate_growth_is_fine);
	tcase_add_test(hostile, endless_names_stay_as_they_are);
	tcase_add_loop_test(hostile, deep_names_do_no_harm, 0, 8);
	suite_add_tcase(s, hostile);
	return unit_run(s);
}
