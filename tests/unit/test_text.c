/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdint.h>

#include "base/text.h"
#include "unit.h"

#define ROW(text, shown)                                                                           \
	{                                                                                          \
		text, sizeof(text) - 1, shown                                                      \
	}
static const struct {
	const char *text;
	size_t len;
	const char *shown;
} strings[] = {
	ROW("", ""),
	ROW("plain text, 100%", "plain text, 100%"),
	ROW("back\\slash \"quote\"", "back\\slash \"quote\""),
	/* control characters: C0, DEL, C1 */
	ROW("a\033[31mX", "a\\x1b[31mX"),
	ROW("a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd"),
	ROW("nul\0nul", "nul\\x00nul"),
	ROW("\x7f", "\\x7f"),
	ROW("\xc2\x9b"
	    "31m",
	    "\\xc2\\x9b31m"),
	ROW("\xc2\x80\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x9f\xc2\xa0"),
	/* well-formed UTF-8 of each length */
	ROW("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
	ROW("\xef\xbf\xbf \xf4\x8f\xbf\xbf", "\xef\xbf\xbf \xf4\x8f\xbf\xbf"),
	/* malformed: stray, cut, overlong, surrogate, too large, never a lead byte */
	ROW("\x80", "\\x80"),
	ROW("\xe2\x82", "\\xe2\\x82"),
	ROW("\xe2\x82x", "\\xe2\\x82x"),
	ROW("\xc0\xaf", "\\xc0\\xaf"),
	ROW("\xe0\x80\xaf", "\\xe0\\x80\\xaf"),
	ROW("\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf"),
	ROW("\xed\xa0\x80", "\\xed\\xa0\\x80"),
	ROW("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"),
	ROW("\xff\xfe", "\\xff\\xfe"),
	ROW("\xf0\x9f\x98", "\\xf0\\x9f\\x98"),
	/* what turns the reading direction, and line separators */
	ROW("a\xe2\x80\xae"
	    "b",
	    "a\\xe2\\x80\\xaeb"),
	ROW("\xe2\x80\x8f", "\\xe2\\x80\\x8f"),
	ROW("\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"),
	ROW("\xd8\x9c", "\\xd8\\x9c"),
	ROW("\xe2\x80\xa8", "\\xe2\\x80\\xa8"),
};

START_TEST(escape_leaves_only_what_is_safe_to_show)
{
	AUTO_BUF b = { 0 };

	text_escape(&b, strings[_i].text, strings[_i].len);
	ck_assert_str_eq(buf_text(&b), strings[_i].shown);
	ck_assert_uint_eq(b.len, strlen(strings[_i].shown));
}
END_TEST

START_TEST(escape_does_not_read_past_the_length)
{
	AUTO_BUF b = { 0 };
	/* On the heap, so that a sanitizer sees a read past the end. */
	AUTO_FREE char *text = malloc(3);

	memcpy(text, "x\xf0\x9f", 3);
	text_escape(&b, text, 3);
	ck_assert_str_eq(buf_text(&b), "x\\xf0\\x9f");
}
END_TEST

static const struct {
	const char *locale;
	uint32_t code;
	bool shown;
} characters[] = {
	{ "C.UTF-8", 0xe4, true },      { "de_DE.utf8", 0x1f600, true },
	{ "C", 0xe4, false },           { "C.UTF-8", 0x9b, false },
	{ "C.UTF-8", 0x202e, false },   { "C.UTF-8", 0xd800, false },
	{ "C.UTF-8", 0x110000, false }, { "C.UTF-8", 0xa0, true },
};

START_TEST(characters_are_shown_where_the_locale_has_them)
{
	ck_assert_int_eq(setenv("LC_ALL", characters[_i].locale, 1), 0);
	ck_assert_int_eq(text_is_shown(characters[_i].code), characters[_i].shown);
}
END_TEST

START_TEST(what_is_written_as_utf8_is_read_again)
{
	for (uint32_t code = 0; code < 0x110000; code += 0x3b) {
		AUTO_BUF b = { 0 };
		uint32_t read = 0;
		text_add_utf8(&b, code);
		size_t n = text_read_utf8(buf_text(&b), b.len, &read);
		if (code >= 0xd800 && code < 0xe000) {
			ck_assert_uint_eq(n, 0);
			continue;
		}
		ck_assert_uint_eq(n, b.len);
		ck_assert_uint_eq(read, code);
		ck_assert_uint_eq(n ? text_read_utf8(buf_text(&b), b.len - 1, &read) : 0, 0);
	}
}
END_TEST

/* Escapes "len" bytes: '.'s, and then the euro sign of three bytes. */
static void escape_dots_and_euro(struct buf *b, size_t dots)
{
	AUTO_FREE char *text = malloc(dots + 3);

	memset(text, '.', dots);
	memcpy(text + dots, "\xe2\x82\xac", 3);
	text_escape(b, text, dots + 3);
}

START_TEST(escape_cuts_long_strings_between_characters)
{
	for (size_t dots = TEXT_MAX - 4; dots <= TEXT_MAX + 1; dots++) {
		AUTO_BUF b = { 0 };
		escape_dots_and_euro(&b, dots);
		bool has_euro = dots<TEXT_MAX, cut = dots + 3> TEXT_MAX;
		size_t kept = (dots < TEXT_MAX ? dots : TEXT_MAX) + (has_euro ? 3 : 0);
		ck_assert_uint_eq(b.len, kept + (cut ? 3 : 0));
		if (has_euro)
			ck_assert_mem_eq(b.data + dots, "\xe2\x82\xac", 3);
		if (cut)
			ck_assert_mem_eq(b.data + kept, "...", 3);
	}
}
END_TEST

/* xorshift64: the same bytes each time. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

START_TEST(escape_of_escaped_random_bytes_changes_nothing)
{
	uint64_t state = 42;

	for (int round = 0; round < 20000; round++) {
		AUTO_BUF once = { 0 };
		AUTO_BUF twice = { 0 };
		char bytes[16];
		for (size_t i = 0; i < sizeof(bytes); i++) {
			/* Mostly bytes that make UTF-8. */
			uint64_t r = next_random(&state);
			bytes[i] = (char)(r & 3 ? 0x80 | (r >> 8 & 0x7f) : r >> 8);
		}
		text_escape(&once, bytes, sizeof(bytes));
		text_escape(&twice, once.data, once.len);
		ck_assert_str_eq(buf_text(&once), buf_text(&twice));
		bool safe = true;
		for (size_t i = 0; i < once.len; i++)
			safe &= (unsigned char)once.data[i] >= 0x20 && once.data[i] != 0x7f;
		ck_assert(safe);
	}
}
END_TEST

static const struct {
	const char *a, *b;
	bool same, starts; /* starts: a begins with b */
} pairs[] = {
	{ "one", "one", true, true },   { "one", "on", false, true }, { "on", "one", false, false },
	{ "one", "One", false, false }, { "one", "", false, true },   { "", "", true, true },
	{ NULL, "", false, false },
};

START_TEST(two_texts_are_compared)
{
	AUTO_FREE char *copy = strdup(pairs[_i].b);

	ck_assert_int_eq(text_same(pairs[_i].a, copy), pairs[_i].same);
	ck_assert_int_eq(text_same(copy, pairs[_i].a), pairs[_i].same);
	ck_assert_int_eq(text_starts_with(pairs[_i].a, copy), pairs[_i].starts);
	ck_assert(text_same(NULL, NULL));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("text");

	unit_table(s, escape_leaves_only_what_is_safe_to_show, strings);
	unit_table(s, two_texts_are_compared, pairs);
	unit_table(s, characters_are_shown_where_the_locale_has_them, characters);
	unit_case(s, "utf8", what_is_written_as_utf8_is_read_again);
	unit_case(s, "escape", escape_does_not_read_past_the_length,
		  escape_cuts_long_strings_between_characters,
		  escape_of_escaped_random_bytes_changes_nothing);
	return unit_run(s);
}
