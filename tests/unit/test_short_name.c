/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/short_name.h"
#include "unit.h"

#define LONG "std::pair<std::vector<int, std::allocator<int> >, std::map<long, std::less<long> > >"

static const struct {
	const char *name, *expected;
} names[] = {
	{ "main", "main" },
	{ "std::vector<int>::at(unsigned long)", "std::vector<int>::at(unsigned long)" },
	{ "f<" LONG ">", "f<...>" },
	{ "a::b<" LONG ">::c<int>(" LONG " const&, int) const", "a::b<...>::c<...>(...) const" },
	{ "x::operator<(" LONG ", " LONG ")", "x::operator<(...)" },
	{ "x::operator()<" LONG ">() const", "x::operator()<...>() const" },
	{ "operator<< <" LONG ">(int)", "operator<< <...>(...)" },
	{ "(anonymous namespace)::f<" LONG ">()", "(anonymous namespace)::f<...>()" },
	{ "f<decltype ((a)->b), " LONG ">::g", "f<...>::g" },
	{ "main::{lambda(" LONG ")#1}::operator()(int) const",
	  "main::{lambda(...)#1}::operator()(...) const" },
	{ "myoperator<" LONG ">", "myoperator<...>" },
	{ "broken<" LONG, "broken<" LONG },
	{ "__module_with_a_name_that_has_more_characters_than_fit_into_one_line_of_it_MOD_"
	  "procedure",
	  "__module_with_a_name_that_has_more_characters_than_fit_into_one_line_of_it_MOD_"
	  "procedure" },
};

START_TEST(only_what_is_too_long_is_shortened)
{
	AUTO_BUF out = { 0 };

	short_name_add(&out, names[_i].name);
	ck_assert_str_eq(buf_text(&out), names[_i].expected);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("short_name");

	unit_table(s, only_what_is_too_long_is_shortened, names);
	return unit_run(s);
}
