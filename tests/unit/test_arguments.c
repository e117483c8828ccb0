/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/arguments.h"
#include "unit.h"

static const struct {
	const char *text;
	bool keep;
	const char *words; /* each with a | behind it */
} parsed[] = {
	{ "", false, "" },
	{ "  ", false, "" },
	{ "a  b\tc ", false, "a|b|c|" },
	{ "'a b' \"c d\"", false, "a b|c d|" },
	{ "'a b' \"c d\"", true, "'a b'|\"c d\"|" },
	{ "a\\ b c", false, "a b|c|" },
	{ "a\\ b", true, "a\\ b|" },
	{ "'a\\' b", false, "a\\|b|" },
	{ "'it''s' \"\\\"\"", false, "its|\"|" },
	{ "'' x", false, "|x|" },
};

START_TEST(words_are_found)
{
	AUTO_ARGUMENTS a = { 0 };
	AUTO_BUF words = { 0 };

	ck_assert_no_error(arguments_parse(parsed[_i].text, parsed[_i].keep, &a));
	for (size_t i = 0; i < a.len; i++)
		buf_addf(&words, "%s|", a.items[i]);
	ck_assert_str_eq(buf_text(&words), parsed[_i].words);
}
END_TEST

START_TEST(a_quote_without_an_end_is_refused)
{
	AUTO_ARGUMENTS a = { 0 };

	ck_assert_error(arguments_parse("a 'b", false, &a), ERROR_USAGE, "unmatched quote");
	ck_assert_error(arguments_parse("\"b\\\"", true, &a), ERROR_USAGE, "unmatched quote");
	ck_assert_uint_eq(a.len, 0);
}
END_TEST

static const struct {
	const char *line, *expanded;
} expansions[] = {
	{ "print $arg0 + $arg1", "print one + 2" },
	{ "echo $argc", "echo 2" },
	{ "x $arg*", "x one 2" },
	{ "$arg2 $arg00 $arg", "$arg2 one $arg" },
	{ "$argcount $argc_", "$argcount $argc_" },
	{ "$pc $$ $", "$pc $$ $" },
	{ "$arg0$arg1", "one2" },
	{ "$arg99999999999999999999", "$arg99999999999999999999" },
};

START_TEST(arguments_take_the_place_of_their_names)
{
	AUTO_ARGUMENTS a = { 0 };
	AUTO_BUF line = { 0 };

	ck_assert_no_error(arguments_parse("one 2", true, &a));
	arguments_expand(&a, expansions[_i].line, &line);
	ck_assert_str_eq(buf_text(&line), expansions[_i].expanded);
}
END_TEST

static const struct {
	const char *text, *plain;
} escapes[] = {
	{ "a\\tb\\n", "a\tb\n" },
	{ "\\101\\x", "Ax" },
	{ "x\\", "x" },
	{ "\\\\ \\\"", "\\ \"" },
	{ "\\033[1m \\e[m", "\033[1m \033[m" },
	{ "", "" },
};

START_TEST(escapes_are_replaced)
{
	AUTO_BUF out = { 0 };

	arguments_add_unescaped(&out, escapes[_i].text);
	ck_assert_str_eq(buf_text(&out), escapes[_i].plain);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("arguments");

	unit_table(s, words_are_found, parsed);
	unit_table(s, arguments_take_the_place_of_their_names, expansions);
	unit_table(s, escapes_are_replaced, escapes);
	unit_case(s, "errors", a_quote_without_an_end_is_refused);
	return unit_run(s);
}
