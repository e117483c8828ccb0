/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/loop_header.h"
#include "unit.h"

/* A header as one line: variable, begin, end ("=" in front: included), step. */
static const struct {
	const char *text, *says;
	bool fortran;
} headers[] = {
	{ "int i = 0; i < n; i++", "i|0|n|1", false },
	{ "i = n - 1; 0 <= i; --i", "i|n - 1|=0|-1", false },
	{ "std::size_t i=f(a, b); i!=v.size(); i += 2", "i|f(a, b)|v.size()|( 2)", false },
	{ "long k = m[';']; k >= (a < b); k -= s", "k|m[';']|=(a < b)|-( s)", false },
	{ "i = 0; i < n; i = i - n", "i|0|n|-( n)", false },
	{ "i = 0; i < n; i = n + i", "i|0|n|", false },
	{ "i = 0; j < n; i <<= 1", "i|0||", false },
	{ "auto x : ns::all", "x|||", false },
	{ "auto &[a, b] : map", "|||", false },
	{ "ns::it p = v.begin(); p != v.end(); ++p", "p|v.begin()|v.end()|1", false },
	{ ";;", "|||", false },
	{ "= ;", "|||", false },
	{ "i = \"a", "i|\"a||", false },
	{ "", "|||", false },
	{ "i = 1, n", "i|1|=n|1", true },
	{ "i = f(1, 2), size(a, 1), -2 ", "i|f(1, 2)|=size(a, 1)|-2", true },
	{ "m = 1:2)", "m|1|=2|1", true },
	{ "while (x == 1)", "|||", true },
	{ "", "|||", true },
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

START_TEST(what_a_header_says)
{
	AUTO(loop_header_fini) struct loop_header h = { 0 };
	AUTO_BUF said = { 0 };

	if (headers[_i].fortran)
		ck_assert_no_error(loop_header_fortran(headers[_i].text, &h));
	else
		ck_assert_no_error(loop_header_c(headers[_i].text, &h));
	buf_addf(&said, "%s|%s|%s%s|%s", text_of(h.variable), text_of(h.begin),
		 h.end && h.includes_end ? "=" : "", text_of(h.end), text_of(h.step));
	ck_assert_str_eq(buf_text(&said), headers[_i].says);
}
END_TEST

START_TEST(what_may_be_evaluated)
{
	ck_assert(loop_header_is_harmless("2 * (n - 1)"));
	ck_assert(!loop_header_is_harmless("f(1)"));
	ck_assert(!loop_header_is_harmless("i++"));
	ck_assert(!loop_header_is_harmless("a = 1"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("loop_header");

	unit_table(s, what_a_header_says, headers);
	unit_case(s, "expressions", what_may_be_evaluated);
	return unit_run(s);
}
