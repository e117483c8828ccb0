/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Surrogates are no characters. */
static bool is_unicode(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

size_t text_read_utf8(const char *text, size_t len, uint32_t *ret_code)
{
	const unsigned char *s = (const unsigned char *)text;
	static const struct {
		unsigned char mask, lead;
		size_t len;
		uint32_t least; /* smaller codes are overlong */
	} forms[] = {
		{ 0x80, 0x00, 1, 0 },
		{ 0xe0, 0xc0, 2, 0x80 },
		{ 0xf0, 0xe0, 3, 0x800 },
		{ 0xf8, 0xf0, 4, 0x10000 },
	};

	for (size_t i = 0; len && i < sizeof(forms) / sizeof(*forms); i++) {
		if ((s[0] & forms[i].mask) != forms[i].lead)
			continue;
		if (forms[i].len > len)
			return 0;
		uint32_t code = s[0] & (unsigned char)~forms[i].mask;
		for (size_t k = 1; k < forms[i].len; k++) {
			if ((s[k] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (s[k] & 0x3f);
		}
		if (code < forms[i].least || !is_unicode(code))
			return 0;
		*ret_code = code;
		return forms[i].len;
	}
	return 0;
}

void text_add_utf8(struct buf *b, uint32_t code)
{
	if (code < 0x80) {
		buf_addc(b, (char)code);
		return;
	}
	const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	buf_addc(b, (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | code >> 6 * more));
	for (int i = more - 1; i >= 0; i--)
		buf_addc(b, (char)(0x80 | (code >> 6 * i & 0x3f)));
}

size_t text_read_wide(const char *s, size_t len, size_t width, uint32_t *ret_code)
{
	uint32_t code = 0;
	uint16_t next = 0;

	memcpy(&code, s, width);
	if (width == sizeof(next) && len >= 2 * width)
		memcpy(&next, s + width, sizeof(next));
	const bool pair = code >> 10 == 0xd800 >> 10 && next >> 10 == 0xdc00 >> 10;
	*ret_code = pair ? 0x10000 + ((code & 0x3ff) << 10) + (next & 0x3ff) : code;
	return pair ? 2 * width : width;
}

void text_add_wide(struct buf *b, const char *s, size_t len, size_t width)
{
	if (width == 1)
		buf_add(b, s, len);
	for (size_t i = 0; width > 1 && i < len;) {
		uint32_t code;
		i += text_read_wide(s + i, len - i, width, &code);
		text_add_utf8(b, code);
	}
}

/* Control characters and what reverses the reading direction (UAX #9). */
static bool is_unsafe(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x061c, 0x061c }, { 0x200e, 0x200f },
		{ 0x2028, 0x2029 }, { 0x202a, 0x202e }, { 0x2066, 0x2069 },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}

/* Length of the run of printable ASCII at s: nearly all of nearly every string. */
static size_t plain_length(const unsigned char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] >= 0x20 && s[n] < 0x7f)
		n++;
	return n;
}

void text_escape(struct buf *b, const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t most = len > TEXT_MAX ? TEXT_MAX : len;

	for (size_t i = 0; i < most;) {
		size_t plain = plain_length(p + i, most - i);
		if (plain) {
			buf_add(b, p + i, plain);
			i += plain;
			continue;
		}
		uint32_t code = 0;
		size_t n = text_read_utf8(s + i, len - i, &code);
		if (n && !is_unsafe(code)) {
			buf_add(b, p + i, n);
			i += n;
			continue;
		}
		for (size_t end = i + (n ? n : 1); i < end; i++)
			buf_addf(b, "\\x%02x", p[i]);
	}
	if (len > most)
		buf_adds(b, "...");
}

bool text_locale_is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *locale = NULL;

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables) && (!locale || !*locale); i++)
		locale = getenv(variables[i]);
	return locale && (strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8"));
}

bool text_is_shown(uint32_t code)
{
	return is_unicode(code) && !is_unsafe(code) && text_locale_is_utf8();
}

bool text_is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

void text_add_ranges(struct buf *b, const long *numbers, size_t len, char separator)
{
	for (size_t i = 0, end; i < len; i = end) {
		for (end = i + 1; end < len && numbers[end] - numbers[end - 1] <= 1; end++)
			;
		bool range = numbers[end - 1] - numbers[i] >= 2;
		if (!range)
			end = i + 1;
		if (i)
			buf_addc(b, separator);
		buf_addf(b, "%ld", numbers[i]);
		if (range)
			buf_addf(b, "-%ld", numbers[end - 1]);
	}
}

bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

const char *text_last_part(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path;
}

bool text_starts_with(const char *s, const char *start)
{
	return s && !strncmp(s, start, strlen(start));
}
