/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json.h"

#include <jansson.h>
#include <math.h>

#include "base/text.h"
#include "unit.h"

/* Form ------------------------------------------------------------------------------------ */

START_TEST(commas_and_brackets_are_set)
{
	AUTO_BUF out = { 0 };
	struct json j = { .out = &out };

	json_add_object(&j, NULL);
	json_add_array(&j, "empty");
	json_end(&j);
	json_add_object(&j, "object");
	json_end(&j);
	json_add_array(&j, "list");
	json_add_integer(&j, NULL, 1);
	json_add_array(&j, NULL);
	json_add_bool(&j, NULL, true);
	json_add_bool(&j, NULL, false);
	json_end(&j);
	json_add_object(&j, NULL);
	json_add_null(&j, "a");
	json_add_string(&j, "b", "c");
	json_end(&j);
	json_end(&j);
	json_add_string(&j, "last", NULL);
	json_end(&j);
	ck_assert_str_eq(buf_text(&out),
			 "{\"empty\":[],\"object\":{},\"list\":[1,[true,false],{\"a\":null,"
			 "\"b\":\"c\"}],\"last\":null}\n");
}
END_TEST

START_TEST(every_level_ends_as_it_began)
{
	enum { DEPTH = 64 };
	AUTO_BUF out = { 0 };
	struct json j = { .out = &out };

	for (int i = 0; i < DEPTH; i++) {
		if (i % 3)
			json_add_array(&j, i % 3 == 1 ? "k" : NULL);
		else
			json_add_object(&j, NULL);
	}
	for (int i = 0; i < DEPTH; i++)
		json_end(&j);
	json_t *root = json_loads(buf_text(&out), JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(root);
	json_decref(root);
}
END_TEST

/* Numbers --------------------------------------------------------------------------------- */

START_TEST(numbers_have_all_their_digits)
{
	AUTO_BUF out = { 0 };
	struct json j = { .out = &out };

	json_add_array(&j, NULL);
	json_add_integer(&j, NULL, 0);
	json_add_integer(&j, NULL, -7);
	json_add_integer(&j, NULL, INTMAX_MIN);
	json_add_integer(&j, NULL, INTMAX_MAX);
	json_add_unsigned(&j, NULL, UINTMAX_MAX);
	json_add_positive(&j, NULL, 10);
	json_add_positive(&j, NULL, 0);
	json_add_natural(&j, NULL, 0);
	json_add_natural(&j, NULL, -1);
	json_add_address(&j, NULL, 0);
	json_add_address(&j, NULL, 0x5581a2b31180);
	json_add_address(&j, NULL, UINT64_MAX);
	json_end(&j);
	ck_assert_str_eq(buf_text(&out),
			 "[0,-7,-9223372036854775808,9223372036854775807,18446744073709551615,10,"
			 "null,0,null,\"0x0\",\"0x5581a2b31180\",\"0xffffffffffffffff\"]\n");
}
END_TEST

START_TEST(decimals_have_three_digits_and_a_point)
{
	AUTO_BUF out = { 0 };
	struct json j = { .out = &out };

	json_add_array(&j, NULL);
	json_add_decimal(&j, NULL, 0);
	json_add_decimal(&j, NULL, 1.0004);
	json_add_decimal(&j, NULL, 0.9996);
	json_add_decimal(&j, NULL, -1);
	json_add_decimal(&j, NULL, (double)NAN);
	json_add_decimal(&j, NULL, (double)INFINITY);
	json_end(&j);
	ck_assert_str_eq(buf_text(&out), "[0.000,1.000,1.000,null,null,1000000000000.000]\n");
}
END_TEST

/* Strings --------------------------------------------------------------------------------- */

static const struct {
	const char *text, *read;
} strings[] = {
	{ "", "" },
	{ "plain", "plain" },
	{ "a\"b\\c\"", "a\"b\\c\"" },
	{ "\\", "\\" },
	{ "\"", "\"" },
	{ "a\nb\tc", "a\\x0ab\\x09c" },
	{ "\033[31m\"", "\\x1b[31m\"" },
	{ "\x7f", "\\x7f" },
	{ "\xff\xfe", "\\xff\\xfe" },
	{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },
	{ "h\xc3\xb6he", "h\xc3\xb6he" },
	{ "</script>", "</script>" },
};

START_TEST(strings_arrive_harmless)
{
	AUTO_BUF out = { 0 };
	struct json j = { .out = &out };

	json_add_array(&j, NULL);
	json_add_string(&j, NULL, strings[_i].text);
	json_end(&j);
	json_t *root = json_loads(buf_text(&out), JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(json_string_value(json_array_get(root, 0)), strings[_i].read);
	json_decref(root);
}
END_TEST

/* Whether they need escapes or not. */
START_TEST(very_long_strings_are_cut)
{
	AUTO_FREE char *text = calloc(1, 3 * TEXT_MAX);

	for (int quote = 0; quote < 2; quote++) {
		AUTO_BUF out = { 0 };
		struct json j = { .out = &out };
		memset(text, quote ? '"' : 'a', 3 * TEXT_MAX - 1);
		json_add_array(&j, NULL);
		json_add_string(&j, NULL, text);
		json_end(&j);
		json_t *root = json_loads(buf_text(&out), 0, NULL);
		ck_assert_uint_eq(json_string_length(json_array_get(root, 0)),
				  TEXT_MAX + strlen("..."));
		json_decref(root);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json");

	unit_case(s, "form", commas_and_brackets_are_set, every_level_ends_as_it_began);
	unit_case(s, "numbers", numbers_have_all_their_digits,
		  decimals_have_three_digits_and_a_point);
	unit_table(s, strings_arrive_harmless, strings);
	unit_case(s, "strings", very_long_strings_are_cut);
	return unit_run(s);
}
