/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_value.h"
#include "debugger/values/eval.h"
#include "unit.h"

/* ---- expressions without a program ------------------------------------------------------ */

static const struct {
	const char *text, *shown, *type;
} good[] = {
	{ "1+1", "2", "int" },
	{ "5/2", "2", "int" },
	{ "-5/2", "-2", "int" },
	{ "-5%3", "-2", "int" },
	{ "5u-6", "4294967295", "unsigned int" },
	{ "2147483648", "2147483648", "long" },
	{ "0xffffffff", "4294967295", "unsigned int" },
	{ "0x7fffffffffffffff + 1", "-9223372036854775808", "long" },
	{ "18446744073709551615", "18446744073709551615", "unsigned long" },
	{ "017", "15", "int" },
	{ "0b101", "5", "int" },
	{ "1.5+1", "2.5", "double" },
	{ "1.0f/3", "0.333333343", "float" },
	{ "1.0/3", "0.33333333333333331", "double" },
	{ "10/3.0L", "3.33333333333333333326", "long double" },
	{ "'a'", "97 'a'", "char" },
	{ "'\\n'", "10 '\\n'", "char" },
	{ "'\\''", "39 '\\''", "char" },
	{ "'\\377'", "-1 '\\377'", "char" },
	{ "1<<31", "-2147483648", "int" },
	{ "1L<<40", "1099511627776", "long" },
	{ "-1 >> 1", "-1", "int" },
	{ "-1 < 1u", "0", "int" },
	{ "-1L < 1u", "1", "int" },
	{ "!5 + !0", "1", "int" },
	{ "~5", "-6", "int" },
	{ "1 ? 2 : 3 ? 4 : 5", "2", "int" },
	{ "0 ? 2 : 0 ? 4 : 5", "5", "int" },
	{ "1 || 1/0", "1", "int" },
	{ "0 && 1/0", "0", "int" },
	{ "1 + 2 * 3 - 4 / 2", "5", "int" },
	{ "(1 + 2) * 3", "9", "int" },
	{ "1 | 2 ^ 3 & 2", "1", "int" },
	{ "1, 2", "2", "int" },
	{ "$x = 3, $x * 2", "6", "int" },
	{ "$y = $z = 4, $y + $z", "8", "int" },
	{ "$w = 1, $w += 2, $w <<= 3, $w", "24", "int" },
	{ "$i = 5, $i++ + ++$i", "12", "int" },
	{ "$never", "void", "void" },
	{ "$", "void", "void" },
	{ "(char)65", "65 'A'", "char" },
	{ "(unsigned char)-1", "255 '\\377'", "unsigned char" },
	{ "(short)70000", "4464", "short" },
	{ "(int)3.9", "3", "int" },
	{ "(long unsigned int)1", "1", "unsigned long" },
	{ "(_Bool)7", "true", "bool" },
	{ "sizeof(int)", "4", "unsigned long" },
	{ "sizeof 1L", "8", "unsigned long" },
	{ "1.0 == 1", "1", "int" },
	{ "-0.5 ? 1 : 2", "1", "int" },
	{ "1'000'000", "1000000", "int" },
	{ "0t99 + 0d1", "100", "int" },
	{ "0.1f + 0.2f == 0.3f", "1", "int" },
	{ "0.1 + 0.2 == 0.3", "0", "int" },
	{ "9007199254740993.0 - 9007199254740992.0", "0", "double" },
	{ "1.0 + 1.1102230246251568e-16", "1.0000000000000002", "double" },
	{ "16777217.0f", "16777216", "float" },
	{ "(double)(_Float16)1.001", "1.0009765625", "double" },
	{ "(double)(_Float16)65519.9", "65504", "double" },
	{ "(double)(_Float16)65520.0", "inf", "double" },
	{ "(double)(_Float16)5e-8", "5.9604644775390625e-08", "double" },
	{ "(double)(_Float16)2e-8", "0", "double" },
	{ "(double)(_Float16)-6.2e-5", "-6.198883056640625e-05", "double" },
	{ "1.0q / 3 * 3 == 1", "1", "int" },
	{ "1.5q + 1.5L == 3", "1", "int" },
	{ "int(3.9)", "3", "int" },
	{ "unsigned char(300) + 1", "45", "int" },
	{ "static_cast<int>(2.5) + 1", "3", "int" },
	{ "const_cast<int>(2)", "2", "int" },
	{ "sizeof(int) * 2", "8", "unsigned long" },
	{ "sizeof(int) + 1", "5", "unsigned long" },
	{ "sizeof (1 + 2L) + 1", "9", "unsigned long" },
	{ "alignof(double) + _Alignof(char)", "9", "unsigned long" },
	{ "sizeof L'a'", "4", "unsigned long" },
	{ "u'\\xffff' + 0", "65535", "int" },
	{ "U'\\u00e9' == 233 && L'\u00e9' == 233", "1", "int" },
	{ "$_isvoid($never) + $_isvoid(1)", "1", "int" },
};

static const struct scope nowhere;

START_TEST(expressions_come_to_what_c_says)
{
	struct convenience *values = convenience_new();
	const struct eval_context c = { &nowhere, values };
	AUTO_BUF shown_text = { 0 };
	AUTO_BUF type = { 0 };
	AUTO_SHOWN shown = { 0 };
	struct value v;

	ck_assert_no_error(eval_text(&c, good[_i].text, &v));
	ck_assert_no_error(shown_make(&nowhere, &v, &SHOWN_LIMITS, &shown));
	format_value_top(&shown_text, &shown, 0);
	type_add_name(&type, v.type);
	ck_assert_str_eq(buf_text(&shown_text), good[_i].shown);
	ck_assert_str_eq(buf_text(&type), good[_i].type);
	convenience_free(values);
}
END_TEST

static const struct {
	const char *text, *error;
} bad[] = {
	{ "", "near `'" },
	{ "1 +", "near `'" },
	{ "(1", "near `'" },
	{ "1 1", "near `1'" },
	{ "* * )", "near `)'" },
	{ "1 ? 2", "near `'" },
	{ "a[1", "near `'" },
	{ "1/0", "division by zero" },
	{ "1%0", "division by zero" },
	{ "3 = 4", "not an lvalue" },
	{ "1.5 & 1", "integer operation" },
	{ "~1.5", "complement" },
	{ "\"abc", "unterminated string" },
	{ "'", "unmatched single quote" },
	{ "''", "empty character" },
	{ "0x", "invalid number \"0x\"" },
	{ "09", "invalid number \"09\"" },
	{ "1lll", "invalid number" },
	{ "99999999999999999999", "too large" },
	{ "1.2.3", "invalid number" },
	{ "1'", "unmatched single quote" },
	{ "\"a\" L\"b\"", "two widths" },
	{ "#", "invalid character '#'" },
	{ "\x01", "invalid character '?'" },
	{ "*16", "cannot access memory at address 0x10" },
	{ "x", "no symbol table is loaded" },
	{ "$void + 1", "not a number" },
	{ "1 - ($void + 2) * 3", "or boolean, near `+ 2) * 3'" },
	{ "1 + x.y", "near `x.y'" },
	{ "3 + (struct x *) 4", "named x, near `(struct x *) 4'" },
	{ "int", "type name" },
	{ "(nosuch)1", "near `1'" },
	{ "static_cast<int>2", "near `2'" },
	{ "static_cast<nosuch>(2)", "no symbol or type nosuch" },
	{ "reinterpret_cast<int>(1.5)", "invalid reinterpret_cast" },
	{ "int()", "type name" },
	{ "(int (*)[)0", "near `)0'" },
	{ "(int ********************************)0", "too many parts" },
	{ "(int (((((((((((((((((((*)))))))))))))))))))0", "near" },
	{ "$_strlen(1)", "is no text" },
	{ "$_strlen()", "takes 1 argument" },
	{ "$_streq(1, 2, 3, 4)", "$_streq takes 2 arguments" },
	{ "struct", "near `'" },
	{ "sizeof(struct x)", "no struct type named x" },
	{ "f(1)", "no symbol table is loaded" },
	{ "$7", "history has not yet reached $7" },
};

START_TEST(wrong_expressions_are_told)
{
	struct convenience *values = convenience_new();
	const struct eval_context c = { &nowhere, values };
	const struct value one = value_of_int(&type_int, 1);
	struct value v;
	size_t number;

	/* Without any history $7 is void, and not wrong. */
	ck_assert_no_error(convenience_record(values, &one, NULL, &number));
	struct error *err = eval_text(&c, bad[_i].text, &v);
	ck_assert_msg(err != NULL, "'%s' succeeded", bad[_i].text);
	ck_assert_msg(strstr(error_message(err), bad[_i].error) != NULL, "'%s': %s", bad[_i].text,
		      error_message(err));
	ck_assert_msg(strstr(error_message(err), ", near `") != NULL, "no place: %s",
		      error_message(err));
	error_free(err);
	convenience_free(values);
}
END_TEST

/* ---- Fortran ----------------------------------------------------------------------------- */

static const struct scope in_fortran = { .language = SCOPE_FORTRAN };

static const struct {
	const char *text, *shown, *type;
} good_fortran[] = {
	{ "1+1", "2", "integer(kind=4)" },
	{ "7/2", "3", "integer(kind=4)" },
	{ "-7/2", "-3", "integer(kind=4)" },
	{ "1_8", "1", "integer(kind=8)" },
	{ "1_8 + 1_2", "2", "integer(kind=8)" },
	{ "2147483648", "2147483648", "integer(kind=8)" },
	{ "z'fF' + b\"101\" + O'17'", "275", "integer(kind=4)" },
	{ "int(x'ffffffff', 4)", "-1", "integer(kind=4)" },
	{ "1.5", "1.5", "real(kind=4)" },
	{ "1.", "1", "real(kind=4)" },
	{ ".5 + 1", "1.5", "real(kind=4)" },
	{ "1d0/3", "0.33333333333333331", "real(kind=8)" },
	{ "1.0_8 / 3", "0.33333333333333331", "real(kind=8)" },
	{ "1.5e-2", "0.0149999997", "real(kind=4)" },
	{ "1E2", "100", "real(kind=4)" },
	{ "2**10", "1024", "integer(kind=4)" },
	{ "2**3**2", "512", "integer(kind=4)" },
	{ "-2**2", "-4", "integer(kind=4)" },
	{ "2**(-1)", "0", "integer(kind=4)" },
	{ "(-1)**(-3)", "-1", "integer(kind=4)" },
	{ "2.0**(-1)", "0.5", "real(kind=4)" },
	{ "4d0**0.5d0", "2", "real(kind=8)" },
	{ "1.eq.1", ".TRUE.", "logical(kind=4)" },
	{ "1 == 2", ".FALSE.", "logical(kind=4)" },
	{ "1 /= 2", ".TRUE.", "logical(kind=4)" },
	{ "1 .LT. 2", ".TRUE.", "logical(kind=4)" },
	{ "2 .ge. 2 .and. 3 .le. 2", ".FALSE.", "logical(kind=4)" },
	{ ".true. .or. .false. .and. .false.", ".TRUE.", "logical(kind=4)" },
	{ ".not. 1 .eq. 2", ".TRUE.", "logical(kind=4)" },
	{ ".true. .eqv. .false.", ".FALSE.", "logical(kind=4)" },
	{ ".TRUE. .neqv. .False.", ".TRUE.", "logical(kind=4)" },
	{ "(1,2)", "(1,2)", "complex(kind=4)" },
	{ "(1,2) * (0,1)", "(-2,1)", "complex(kind=4)" },
	{ "(1d0,2) + 1", "(2,2)", "complex(kind=8)" },
	{ "-(1,2)", "(-1,-2)", "complex(kind=4)" },
	{ "(4,2) / (1,1)", "(3,-1)", "complex(kind=4)" },
	{ "(1,2) == (1,2)", ".TRUE.", "logical(kind=4)" },
	{ "cmplx(1,2)", "(1,2)", "complex(kind=4)" },
	{ "cmplx(1,2,8)", "(1,2)", "complex(kind=8)" },
	{ "aimag((1,2))", "2", "real(kind=4)" },
	{ "conjg((1,2))", "(1,-2)", "complex(kind=4)" },
	{ "abs((3,4))", "5", "real(kind=4)" },
	{ "abs(-3)", "3", "integer(kind=4)" },
	{ "mod(-7,3)", "-1", "integer(kind=4)" },
	{ "modulo(-7,3)", "2", "integer(kind=4)" },
	{ "modulo(-7.5,3.0)", "1.5", "real(kind=4)" },
	{ "floor(-2.5)", "-3", "integer(kind=4)" },
	{ "CEILING(2.5)", "3", "integer(kind=4)" },
	{ "nint(2.5)", "3", "integer(kind=4)" },
	{ "int(-2.7)", "-2", "integer(kind=4)" },
	{ "int(3, 8)", "3", "integer(kind=8)" },
	{ "real(1)", "1", "real(kind=4)" },
	{ "dble(1)", "1", "real(kind=8)" },
	{ "sqrt(2.25)", "1.5", "real(kind=4)" },
	{ "min(3, 1, 2)", "1", "integer(kind=4)" },
	{ "max(3, 1, 4)", "4", "integer(kind=4)" },
	{ "kind(1.5d0)", "8", "integer(kind=4)" },
	{ "$x = 3", "3", "integer(kind=4)" },
};

START_TEST(expressions_of_fortran_come_to_values)
{
	struct convenience *values = convenience_new();
	const struct eval_context c = { &in_fortran, values };
	AUTO_BUF shown_text = { 0 }, type = { 0 };
	AUTO_SHOWN shown = { 0 };
	struct value v;

	ck_assert_no_error(eval_text(&c, good_fortran[_i].text, &v));
	ck_assert_no_error(shown_make(&in_fortran, &v, &SHOWN_LIMITS, &shown));
	format_value_top(&shown_text, &shown, 0);
	type_add_name(&type, v.type);
	ck_assert_str_eq(buf_text(&shown_text), good_fortran[_i].shown);
	ck_assert_str_eq(buf_text(&type), good_fortran[_i].type);
	convenience_free(values);
}
END_TEST

START_TEST(endless_arrays_of_nothing_end)
{
	static const struct type integer = { .kind = TYPE_INT, .size = 4, .is_fortran = true };
	static const struct type none = {
		.kind = TYPE_ARRAY, .target = &integer, .is_row = true, .is_fortran = true
	};
	static const struct type many = {
		.kind = TYPE_ARRAY, .target = &none, .count = UINT64_C(1) << 60, .is_fortran = true
	};
	const struct value v = { .type = &many };
	struct shown_limits limits = SHOWN_LIMITS;
	AUTO_BUF text = { 0 };
	AUTO_SHOWN shown = { 0 };

	limits.elements = 3;
	ck_assert_no_error(shown_make(&in_fortran, &v, &limits, &shown));
	format_value(&text, &shown, 0);
	ck_assert_str_eq(buf_text(&text), "(() () () ...)");
}
END_TEST

static const struct {
	const char *text, *error;
} bad_fortran[] = {
	{ "", "near `'" },
	{ "1 +", "near `'" },
	{ "(1", "near `'" },
	{ "(1,2", "near `'" },
	{ "5 .foo. 3", "near `.foo. 3'" },
	{ "1 ** ", "near `'" },
	{ "a(1", "near `'" },
	{ "a(1:2:3:4)", "near `:4)'" },
	{ "a%", "near `'" },
	{ "1/0", "division by zero" },
	{ "0**(-1)", "division by zero" },
	{ "mod(1,0)", "division by zero" },
	{ "1_3", "invalid number \"1_3\"" },
	{ "1_8x", "invalid number \"1_8x\"" },
	{ "99999999999999999999", "too large" },
	{ "'abc", "unterminated string" },
	{ "b'102'", "invalid number \"b'102'\"" },
	{ "z'0x1'", "invalid number \"z'0x1'\"" },
	{ "o''", "invalid number \"o''\"" },
	{ "z'11223344556677889'", "too large" },
	{ "#", "invalid character '#'" },
	{ "x", "no symbol table is loaded" },
	{ "(1,2) < (2,1)", "no such operator" },
	{ "mod(1)", "mod takes 2 arguments" },
	{ "lbound(1)", "can only be applied to arrays" },
	{ "allocated(1)", "can only be applied to what is allocatable" },
	{ "loc(1)", "not located in memory" },
	{ "1(2)", "cannot perform substring" },
	{ "cmplx(1,2,3)", "no complex numbers of that kind" },
	{ "3 = 4", "not an lvalue" },
};

START_TEST(wrong_expressions_of_fortran_are_told)
{
	struct convenience *values = convenience_new();
	const struct eval_context c = { &in_fortran, values };
	struct value v;

	struct error *err = eval_text(&c, bad_fortran[_i].text, &v);
	ck_assert_msg(err != NULL, "'%s' succeeded", bad_fortran[_i].text);
	ck_assert_msg(strstr(error_message(err), bad_fortran[_i].error) != NULL, "'%s': %s",
		      bad_fortran[_i].text, error_message(err));
	error_free(err);
	convenience_free(values);
}
END_TEST

START_TEST(what_is_too_deep_or_too_long_is_refused)
{
	AUTO_BUF deep = { 0 }, flat = { 0 };
	struct expr *e;

	for (size_t i = 0; i < 100000; i++) {
		buf_adds(&deep, "-(");
		buf_adds(&flat, "1+");
	}
	buf_adds(&flat, "1");
	ck_assert_error(expr_parse(buf_text(&deep), NULL, &e, NULL), ERROR_USAGE, "too deeply");
	ck_assert_error(expr_parse(buf_text(&flat), NULL, &e, NULL), ERROR_USAGE, "too long");
	const struct expr_options fortran = { .fortran = true };
	ck_assert_error(expr_parse(buf_text(&deep), &fortran, &e, NULL), ERROR_USAGE, "too deeply");
	ck_assert_error(expr_parse(buf_text(&flat), &fortran, &e, NULL), ERROR_USAGE, "too long");
}
END_TEST

START_TEST(arguments_end_at_a_comma)
{
	const struct expr_options options = { .one = true };
	const char *end;
	AUTO_EXPR *e = NULL;

	ck_assert_no_error(expr_parse("f(1, 2) + 3 , 4", &options, &e, &end));
	ck_assert_str_eq(end, ", 4");
}
END_TEST

/* ---- types ------------------------------------------------------------------------------ */

static const struct {
	const char *name, *type;
} basics[] = {
	{ "int", "int" },
	{ "unsigned", "unsigned int" },
	{ "long unsigned int", "unsigned long" },
	{ "int long long signed", "long long" },
	{ "char signed", "signed char" },
	{ "double long", "long double" },
	{ "_Bool", "bool" },
	{ "long long long", NULL },
	{ "unsigned float", NULL },
	{ "foo", NULL },
	{ "", NULL },
};

START_TEST(basic_types_have_many_names)
{
	const struct type *t = type_find_basic(basics[_i].name);

	ck_assert(!t == !basics[_i].type);
	if (t)
		ck_assert_str_eq(t->name, basics[_i].type);
}
END_TEST

static const char *name_of(const struct type *t, struct buf *b)
{
	b->len = 0;
	type_add_name(b, t);
	return buf_text(b);
}

START_TEST(types_are_written_as_in_c)
{
	struct type_store *s = type_store_new();
	const struct type constant = { .kind = TYPE_CONST, .target = &type_char };
	const struct type *parameters[] = { &type_int, type_pointer_to(s, &type_char) };
	const struct type function = { .kind = TYPE_FUNCTION,
				       .target = &type_int,
				       .parameters = parameters,
				       .nparameters = 2,
				       .prototyped = true };
	const struct type none = { .kind = TYPE_FUNCTION, .prototyped = true };
	const struct type *row = type_array_of(s, &type_int, 3);
	AUTO_BUF b = { 0 };

	ck_assert_str_eq(name_of(type_pointer_to(s, &constant), &b), "const char *");
	ck_assert_str_eq(name_of(&function, &b), "int (int, char *)");
	ck_assert_str_eq(name_of(type_pointer_to(s, &function), &b), "int (*)(int, char *)");
	ck_assert_str_eq(name_of(type_pointer_to(s, &none), &b), "void (*)(void)");
	ck_assert_str_eq(name_of(type_array_of(s, row, 2), &b), "int [2][3]");
	ck_assert_str_eq(name_of(type_pointer_to(s, row), &b), "int (*)[3]");
	ck_assert_str_eq(name_of(type_array_of(s, type_pointer_to(s, &type_int), 4), &b),
			 "int *[4]");
	ck_assert_ptr_null(type_array_of(s, &type_long, UINT64_MAX / 4));
	type_store_free(s);
}
END_TEST

/* ---- text ------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	bool more;
	const char *shown;
} texts[] = {
	{ "", false, "\"\"" },
	{ "abc", false, "\"abc\"" },
	{ "a\"b\\\n\033", false, "\"a\\\"b\\\\\\n\\e\"" },
	{ "\001\377", false, "\"\\001\\377\"" },
	{ "aaaaaaaaaab", false, "\"aaaaaaaaaab\"" },
	{ "aaaaaaaaaaab", false, "'a' <repeats 11 times>, \"b\"" },
	{ "xaaaaaaaaaaaay", true, "\"x\", 'a' <repeats 12 times>, \"y\"..." },
};

START_TEST(texts_are_escaped_and_counted)
{
	AUTO_BUF out = { 0 };

	format_value_text(&out, texts[_i].text, strlen(texts[_i].text), 1, SHOWN_LIMITS.repeats,
			  texts[_i].more);
	ck_assert_str_eq(buf_text(&out), texts[_i].shown);
}
END_TEST

static const struct {
	uint64_t value;
	size_t size;
	bool is_signed;
	char letter;
	const char *shown;
} numbers[] = {
	{ 255, 4, true, 'x', "0xff" },
	{ 255, 4, true, 'z', "0x000000ff" },
	{ 8, 4, true, 'o', "010" },
	{ 0, 4, true, 'o', "0" },
	{ 10, 4, true, 't', "1010" },
	{ 0xff, 1, true, 'd', "-1" },
	{ 0xff, 1, true, 'u', "255" },
	{ 0xff, 1, false, 'd', "-1" },
	{ 65, 4, true, 'c', "65 'A'" },
	{ 0x3fc00000, 4, true, 'f', "1.5" },
	{ UINT64_MAX, 8, false, 0, "18446744073709551615" },
	{ 0x7fc00000, 4, true, 'f', "nan(0x400000)" },
};

START_TEST(numbers_have_formats)
{
	AUTO_BUF out = { 0 };

	format_value_number(&out, (const uint8_t *)&numbers[_i].value, numbers[_i].size,
			    numbers[_i].is_signed, numbers[_i].letter);
	ck_assert_str_eq(buf_text(&out), numbers[_i].shown);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("values");

	unit_table(s, expressions_come_to_what_c_says, good);
	unit_table(s, wrong_expressions_are_told, bad);
	unit_table(s, expressions_of_fortran_come_to_values, good_fortran);
	unit_table(s, wrong_expressions_of_fortran_are_told, bad_fortran);
	unit_case(s, "arrays", endless_arrays_of_nothing_end);
	unit_case(s, "expr_parse", what_is_too_deep_or_too_long_is_refused,
		  arguments_end_at_a_comma);
	unit_table(s, basic_types_have_many_names, basics);
	unit_case(s, "types", types_are_written_as_in_c);
	unit_table(s, texts_are_escaped_and_counted, texts);
	unit_table(s, numbers_have_formats, numbers);
	return unit_run(s);
}
