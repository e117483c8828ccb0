/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_number.h"

#include <math.h>
#include <string.h>

#include "base/half.h"
#include "base/text.h"

/* ---- numbers ---------------------------------------------------------------------------- */

format_wide number_load(const uint8_t *bytes, size_t size)
{
	format_wide n = 0;

	memcpy(&n, bytes, size < sizeof(n) ? size : sizeof(n));
	return n;
}

format_wide number_extend(format_wide n, size_t size)
{
	unsigned int unused = size < sizeof(n) ? 128 - 8 * (unsigned int)size : 0;

	return unused && unused < 128 ? (format_wide)((__int128)(n << unused) >> unused) : n;
}

void number_add_digits(struct buf *out, format_wide n, unsigned int base)
{
	char digits[130], *p = digits + sizeof(digits);

	do {
		*--p = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	buf_add(out, p, (size_t)(digits + sizeof(digits) - p));
}

void number_add_decimal(struct buf *out, format_wide n, bool is_signed)
{
	if (is_signed && (__int128)n < 0) {
		buf_addc(out, '-');
		n = 0 - n;
	}
	number_add_digits(out, n, 10);
}

#ifdef __clang__
/* The C library has it for gcc alone. */
int strfromf128(char *ret, size_t size, const char *format, __float128 value);
#endif

/* As printf's %g with as many digits as tell two numbers apart; what gdb shows of NaNs. */
void number_add_float(struct buf *out, const uint8_t *bytes, size_t size, bool quad)
{
	static const struct {
		size_t size;
		int digits, fraction; /* bits of the fraction */
	} forms[] = {
		{ 4, 9, 23 }, { 8, 17, 52 }, { 16, 21, 64 }, { 16, 36, 112 }, { 2, 5, 10 },
	};
	long double value = 0;
	__float128 wide_value = 0;
	size_t row = size == 4 ? 0 : size == 8 ? 1 : size == 2 ? 4 : quad ? 3 : 2;
	char text[64];

	if (row == 0)
		value = (long double)(*(const float *)memcpy(&(float){ 0 }, bytes, 4));
	else if (row == 1)
		value = (long double)(*(const double *)memcpy(&(double){ 0 }, bytes, 8));
	else if (row == 4)
		value = half_value(*(const uint16_t *)memcpy(&(uint16_t){ 0 }, bytes, 2));
	else if (row == 2)
		memcpy(&value, bytes, 10);
	else
		value = (long double)*(const __float128 *)memcpy(&wide_value, bytes, 16);
	if (row == 3 && !isnan(value)) {
		strfromf128(text, sizeof(text), "%.36g", wide_value);
		buf_adds(out, text);
		return;
	}
	if (!isnan(value)) {
		buf_addf(out, "%.*Lg", forms[row].digits, value);
		return;
	}
	format_wide fraction = number_load(bytes, row == 2 ? 8 : size);
	if (row != 2)
		fraction &= ((format_wide)1 << forms[row].fraction) - 1;
	buf_addf(out, "%snan(0x", signbit(value) ? "-" : "");
	number_add_digits(out, fraction, 16);
	buf_addc(out, ')');
}

/* A character inside of quotes. */
void number_add_text_char(struct buf *out, unsigned char c, char quote)
{
	static const char codes[] = "\a\b\f\n\r\t\v\033", letters[] = "abfnrtve";
	const char *code = c ? strchr(codes, c) : NULL;

	if (code)
		buf_addf(out, "\\%c", letters[code - codes]);
	else if (c == (unsigned char)quote || c == '\\')
		buf_addf(out, "\\%c", c);
	else if (c < 0x20 || c >= 0x7f)
		buf_addf(out, "\\%03o", c);
	else
		buf_addc(out, (char)c);
}

void number_add_wide_text_char(struct buf *out, uint32_t c, char quote)
{
	if (c < 0x80)
		number_add_text_char(out, (unsigned char)c, quote);
	else if (text_is_shown(c))
		text_add_utf8(out, c);
	else
		buf_addf(out, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
}

void format_value_char(struct buf *out, unsigned char c)
{
	buf_addc(out, '\'');
	number_add_text_char(out, c, '\'');
	buf_addc(out, '\'');
}

void number_add_char(struct buf *out, format_wide n, bool is_signed)
{
	unsigned char c = (unsigned char)n;

	number_add_decimal(out, is_signed ? number_extend(n, 1) : n, is_signed);
	buf_addc(out, ' ');
	format_value_char(out, c);
}

void number_add_wide_char(struct buf *out, const struct type *type, format_wide n, bool plain)
{
	const struct type *t = type_strip(type);
	const char *prefix;

	number_add_decimal(out, t->is_signed ? number_extend(n, t->size) : n, t->is_signed);
	if (plain || !type_text_width(type, &prefix) || !prefix)
		return;
	buf_addf(out, " %s'", prefix);
	number_add_wide_text_char(out, (uint32_t)n, '\'');
	buf_addc(out, '\'');
}

static void add_padded(struct buf *out, format_wide n, size_t size)
{
	AUTO_BUF digits = { 0 };

	number_add_digits(&digits, n, 16);
	buf_adds(out, "0x");
	for (size_t i = digits.len; i < 2 * size; i++)
		buf_addc(out, '0');
	buf_add(out, digits.data, digits.len);
}

void format_value_number(struct buf *out, const uint8_t *bytes, size_t size, bool is_signed,
			 char letter)
{
	format_wide n = number_load(bytes, size);

	if (letter == 'x' || letter == 'a') {
		buf_adds(out, "0x");
		number_add_digits(out, n, 16);
	} else if (letter == 'z') {
		add_padded(out, n, size);
	} else if (letter == 'o') {
		buf_adds(out, n ? "0" : "");
		number_add_digits(out, n, 8);
	} else if (letter == 't') {
		number_add_digits(out, n, 2);
	} else if (letter == 'c') {
		number_add_char(out, n, is_signed);
	} else if (letter == 'f' && (size == 2 || size == 4 || size == 8 || size == 16)) {
		number_add_float(out, bytes, size, false);
	} else {
		bool negative = letter == 'd' || (letter != 'u' && is_signed);
		number_add_decimal(out, negative ? number_extend(n, size) : n, negative);
	}
}
