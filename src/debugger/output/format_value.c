/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_value.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool format_value_knows(char letter)
{
	return letter && strchr("xduotzacfs", letter);
}

/* ---- numbers ---------------------------------------------------------------------------- */

typedef unsigned __int128 wide;

static wide load(const uint8_t *bytes, size_t size)
{
	wide n = 0;

	memcpy(&n, bytes, size < sizeof(n) ? size : sizeof(n));
	return n;
}

static wide extend(wide n, size_t size)
{
	unsigned int unused = size < sizeof(n) ? 128 - 8 * (unsigned int)size : 0;

	return unused && unused < 128 ? (wide)((__int128)(n << unused) >> unused) : n;
}

static void add_digits(struct buf *out, wide n, unsigned int base)
{
	char digits[130], *p = digits + sizeof(digits);

	do {
		*--p = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	buf_add(out, p, (size_t)(digits + sizeof(digits) - p));
}

static void add_decimal(struct buf *out, wide n, bool is_signed)
{
	if (is_signed && (__int128)n < 0) {
		buf_addc(out, '-');
		n = 0 - n;
	}
	add_digits(out, n, 10);
}

/* As printf's %g with as many digits as tell two numbers apart; what gdb shows of NaNs. */
static void add_float(struct buf *out, const uint8_t *bytes, size_t size, bool quad)
{
	static const struct {
		size_t size;
		int digits, fraction; /* bits of the fraction */
	} forms[] = { { 4, 9, 23 }, { 8, 17, 52 }, { 16, 21, 64 }, { 16, 35, 112 } };
	long double value = 0;
	__float128 wide_value;
	size_t row = size == 4 ? 0 : size == 8 ? 1 : quad ? 3 : 2;

	if (row == 0)
		value = (long double)(*(const float *)memcpy(&(float){ 0 }, bytes, 4));
	else if (row == 1)
		value = (long double)(*(const double *)memcpy(&(double){ 0 }, bytes, 8));
	else if (!quad)
		memcpy(&value, bytes, 10);
	else
		value = (long double)*(const __float128 *)memcpy(&wide_value, bytes, 16);
	if (!isnan(value)) {
		buf_addf(out, "%.*Lg", forms[row].digits, value);
		return;
	}
	wide fraction = load(bytes, row == 2 ? 8 : size);
	if (row != 2)
		fraction &= ((wide)1 << forms[row].fraction) - 1;
	buf_addf(out, "%snan(0x", signbit(value) ? "-" : "");
	add_digits(out, fraction, 16);
	buf_addc(out, ')');
}

/* A character inside of quotes. */
static void add_text_char(struct buf *out, unsigned char c, char quote)
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

void format_value_char(struct buf *out, unsigned char c)
{
	buf_addc(out, '\'');
	add_text_char(out, c, '\'');
	buf_addc(out, '\'');
}

static void add_char(struct buf *out, wide n, bool is_signed)
{
	unsigned char c = (unsigned char)n;

	add_decimal(out, is_signed ? extend(n, 1) : n, is_signed);
	buf_addc(out, ' ');
	format_value_char(out, c);
}

static void add_padded(struct buf *out, wide n, size_t size)
{
	AUTO_BUF digits = { 0 };

	add_digits(&digits, n, 16);
	buf_adds(out, "0x");
	for (size_t i = digits.len; i < 2 * size; i++)
		buf_addc(out, '0');
	buf_add(out, digits.data, digits.len);
}

void format_value_number(struct buf *out, const uint8_t *bytes, size_t size, bool is_signed,
			 char letter)
{
	wide n = load(bytes, size);

	if (letter == 'x' || letter == 'a') {
		buf_adds(out, "0x");
		add_digits(out, n, 16);
	} else if (letter == 'z') {
		add_padded(out, n, size);
	} else if (letter == 'o') {
		buf_adds(out, n ? "0" : "");
		add_digits(out, n, 8);
	} else if (letter == 't') {
		add_digits(out, n, 2);
	} else if (letter == 'c') {
		add_char(out, n, is_signed);
	} else if (letter == 'f' && (size == 4 || size == 8 || size == 16)) {
		add_float(out, bytes, size, false);
	} else {
		bool negative = letter == 'd' || (letter != 'u' && is_signed);
		add_decimal(out, negative ? extend(n, size) : n, negative);
	}
}

/* ---- text ------------------------------------------------------------------------------- */

static size_t count_equal(const char *text, size_t len, size_t at)
{
	size_t n = 1;

	while (at + n < len && text[at + n] == text[at])
		n++;
	return n;
}

/* Runs of characters and of repetitions, with commas between: "ab", 'c' <repeats 20 times>, "d" */
void format_value_text(struct buf *out, const char *text, size_t len, size_t repeats, bool more)
{
	bool open = false, any = false;

	for (size_t i = 0, n; i < len; i += n) {
		n = count_equal(text, len, i);
		bool counted = n > repeats;
		if (open && counted)
			buf_adds(out, "\"");
		if (any && (counted || !open))
			buf_adds(out, ", ");
		if (counted) {
			buf_addc(out, '\'');
			add_text_char(out, (unsigned char)text[i], '\'');
			buf_addf(out, "' <repeats %zu times>", n);
		} else {
			buf_adds(out, open ? "" : "\"");
			n = 1;
			add_text_char(out, (unsigned char)text[i], '"');
		}
		open = !counted;
		any = true;
	}
	buf_adds(out, !any ? "\"\"" : open ? "\"" : "");
	buf_adds(out, more ? "..." : "");
}

/* ---- enumerations ----------------------------------------------------------------------- */

/* Of a register: [ ZF PF ]. */
static void add_register_flags(struct buf *out, const struct type *t, wide n)
{
	buf_adds(out, "[ ");
	for (size_t i = 0; i < t->nenumerators; i++) {
		if (n & (wide)t->enumerators[i].value)
			buf_addf(out, "%s ", t->enumerators[i].name);
	}
	buf_addc(out, ']');
}

/* (A | B | unknown: 0x8) */
static void add_flags(struct buf *out, const struct type *t, wide n)
{
	const char *before = "(";

	for (size_t i = 0; i < t->nenumerators; i++) {
		wide bit = (wide)t->enumerators[i].value;
		if (!bit || (n & bit) != bit)
			continue;
		buf_adds(out, before);
		style_add_text(out, t->enumerators[i].name);
		n &= ~bit;
		before = " | ";
	}
	if (n) {
		buf_addf(out, "%sunknown: 0x", before);
		add_digits(out, n, 16);
	}
	buf_addc(out, ')');
}

static void add_enum(struct buf *out, const struct type *t, wide n)
{
	__int128 value = t->is_signed ? (__int128)extend(n, t->size) : (__int128)n;

	if (t->is_flags && !t->tag) {
		add_register_flags(out, t, n);
		return;
	}
	for (size_t i = 0; i < t->nenumerators; i++) {
		__int128 its = t->is_signed ? t->enumerators[i].value
					    : (__int128)(wide)(uint64_t)t->enumerators[i].value;
		if (its == value) {
			style_add_text(out, t->enumerators[i].name);
			return;
		}
	}
	if (t->is_flags && n)
		add_flags(out, t, n);
	else
		add_decimal(out, (wide)value, t->is_signed);
}

/* ---- values ----------------------------------------------------------------------------- */

static void add_symbol(struct buf *out, const char *symbol, bool first)
{
	if (!symbol)
		return;
	buf_adds(out, first ? "<" : " <");
	style_add_text(out, symbol);
	buf_addc(out, '>');
}

void format_value_symbol(struct buf *out, const char *symbol)
{
	add_symbol(out, symbol, false);
}

static void add_address(struct buf *out, const struct shown *s)
{
	if (s->how.address)
		buf_addf(out, "0x%" PRIx64, s->addr);
	add_symbol(out, s->symbol, !s->how.address);
}

static void add_text(struct buf *out, const struct shown *s)
{
	format_value_text(out, buf_text(&s->text), s->text.len, s->how.repeats, s->text_more);
}

static void add_pointer(struct buf *out, const struct shown *s)
{
	add_address(out, s);
	if (!s->has_text)
		return;
	if (s->how.address || s->symbol)
		buf_addc(out, ' ');
	if (s->text_fault && !s->text.len)
		buf_addf(out, "<error: Cannot access memory at address 0x%" PRIx64 ">", s->addr);
	else
		add_text(out, s);
}

/* A value inside of others; depth: how many. */
static void add_value(struct buf *out, const struct shown *s, char letter, size_t depth);

static void begin_part(struct buf *out, bool own_line, size_t depth)
{
	if (own_line) {
		buf_addc(out, '\n');
		style_add_spaces(out, 2 * depth);
	}
}

/* Elements of an array, or parts of a register, which have names. */
static void add_items(struct buf *out, const struct shown *s, char letter, size_t depth)
{
	bool named = s->nitems && s->items[0].name;
	bool lines = s->nitems && (named ? s->how.pretty : s->how.array);

	buf_addc(out, '{');
	for (size_t i = 0; i < s->nitems; i++) {
		const struct shown *item = &s->items[i];
		buf_adds(out, i ? "," : "");
		if (i && !lines)
			buf_addc(out, ' ');
		begin_part(out, lines, depth + 1);
		if (named)
			buf_addf(out, "%s = ", item->name);
		else if (s->how.indexes)
			buf_addf(out, "[%" PRIu64 "] = ", item->index);
		add_value(out, item, letter, depth + 1);
		if (item->times > 1)
			buf_addf(out, " <repeats %" PRIu64 " times>", item->times);
	}
	buf_adds(out, s->more ? "..." : "");
	begin_part(out, lines, depth);
	buf_addc(out, '}');
}

static void add_by_letter(struct buf *out, const struct shown *s, char letter)
{
	const struct type *t = type_strip(s->type);
	uint8_t bytes[16] = { 0 };
	size_t size = s->size < 16 ? s->size : 16;

	memcpy(bytes, s->bytes, size);
	if (t->kind == TYPE_FLOAT && letter == 'f')
		add_float(out, bytes, s->size, t->is_quad);
	else
		format_value_number(out, bytes, size, t->is_signed, letter);
	if (letter == 'a')
		format_value_symbol(out, s->symbol);
}

static void add_by_type(struct buf *out, const struct shown *s)
{
	const struct type *t = type_strip(s->type);
	wide n = load(s->bytes, s->size);

	switch (t->kind) {
	case TYPE_CHAR:
		if (t->size == 1 && s->how.plain)
			add_decimal(out, t->is_signed ? extend(n, 1) : n, t->is_signed);
		else if (t->size == 1)
			add_char(out, n, t->is_signed);
		else
			add_decimal(out, n, false);
		return;
	case TYPE_BOOL:
		if (t->is_fortran)
			buf_adds(out, n ? ".TRUE." : ".FALSE.");
		else if (n > 1)
			add_decimal(out, n, false);
		else
			buf_adds(out, n ? "true" : "false");
		return;
	case TYPE_FLOAT:
		add_float(out, s->bytes, s->size, t->is_quad);
		return;
	case TYPE_ENUM:
		add_enum(out, t, n);
		return;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
		add_pointer(out, s);
		return;
	case TYPE_INT:
		add_decimal(out, t->is_signed ? extend(n, s->size) : n, t->is_signed);
		return;
	case TYPE_VOID:
		buf_adds(out, "void");
		return;
	case TYPE_FUNCTION:
		add_address(out, s);
		return;
	case TYPE_ARRAY:
	case TYPE_ALIAS:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
	case TYPE_ATOMIC:
	case TYPE_OTHER:
		break;
	}
	buf_adds(out, "...");
}

static void add_value(struct buf *out, const struct shown *s, char letter, size_t depth)
{
	const struct type *t = type_strip(s->type);

	if (s->missing) {
		buf_addf(out, "<%s>", s->missing);
		return;
	}
	if (t->kind == TYPE_REFERENCE && s->items) {
		buf_addf(out, "@0x%" PRIx64 ": ", s->addr);
		add_value(out, s->items, letter, depth);
	} else if (s->items)
		add_items(out, s, letter, depth);
	else if (s->has_text && t->kind == TYPE_ARRAY)
		add_text(out, s);
	else if (letter && letter != 's' && type_is_scalar(t))
		add_by_letter(out, s, letter);
	else
		add_by_type(out, s);
}

void format_value(struct buf *out, const struct shown *s, char letter)
{
	add_value(out, s, letter, 0);
}

static void add_type(struct buf *out, const char *before, const struct type *type,
		     const char *after)
{
	AUTO_BUF name = { 0 };

	type_add_name(&name, type);
	style_add_between(out, before, buf_text(&name), after);
}

void format_value_top(struct buf *out, const struct shown *s, char letter)
{
	const struct type *t = type_strip(s->type);
	bool plain = letter && letter != 's';

	if (!plain && !s->missing && t->kind == TYPE_POINTER &&
	    !(t->target && type_is_text(t->target) &&
	      type_unqualified(s->type)->kind != TYPE_ALIAS))
		add_type(out, "(", s->type, ") ");
	else if (!plain && t->kind == TYPE_FUNCTION)
		add_type(out, "{", s->type, "} ");
	format_value(out, s, letter);
}

/* What a frame shows of its arguments; a reference is what it refers to. */
static bool is_scalar(const struct shown *v)
{
	const struct type *t = v->missing ? NULL : type_strip(v->type);

	if (t && t->kind == TYPE_REFERENCE && t->target)
		t = t->target;
	return !t || t->kind == TYPE_VOID || type_is_scalar(t);
}

/* "n=3", "n=n@entry=3", "n=3, n@entry=4" */
static void add_short(struct buf *out, const struct shown_variable *v, const char *name)
{
	style_add_text(out, name);
	if (v->is_entry)
		style_add_between(out, "=", name, "@entry");
	buf_addc(out, '=');
	format_value(out, &v->value, 0);
	if (v->has_entry) {
		style_add_between(out, ", ", name, "@entry=");
		format_value(out, &v->at_entry, 0);
	}
}

/* "n=3" or "n@entry=4", or both. */
static void add_chosen(struct buf *out, const struct shown_variable *v, const char *name,
		       enum format_entry entry)
{
	const bool known = v->is_entry || v->has_entry;
	const bool then = entry == ENTRY_ONLY || entry == ENTRY_BOTH ||
			  (known && (entry == ENTRY_PREFERRED ||
				     (entry == ENTRY_IF_NEEDED && v->value.missing)));
	const bool now = !then || entry == ENTRY_BOTH;

	if (now) {
		style_add_between(out, "", name, "=");
		format_value(out, &v->value, 0);
	}
	if (then)
		style_add_between(out, now ? ", " : "", name, "@entry=");
	if (then && known)
		format_value(out, v->is_entry ? &v->value : &v->at_entry, 0);
	else if (then)
		buf_adds(out, "<optimized out>");
}

static void add_argument(struct buf *out, const struct shown_variable *v,
			 enum format_arguments which, enum format_entry entry)
{
	const char *name = v->name ? v->name : "";

	if (which == ARGUMENTS_NONE || (which == ARGUMENTS_SCALARS && !is_scalar(&v->value))) {
		style_add_between(out, "", name, "=...");
		return;
	}
	if (entry == ENTRY_DEFAULT || entry == ENTRY_COMPACT)
		add_short(out, v, name);
	else
		add_chosen(out, v, name, entry);
}

void format_value_arguments(struct buf *out, const struct shown_variables *l,
			    enum format_arguments which, enum format_entry entry)
{
	buf_addc(out, '(');
	if (which == ARGUMENTS_PRESENCE && l->len)
		buf_adds(out, "...");
	for (size_t i = 0; which != ARGUMENTS_PRESENCE && i < l->len; i++) {
		buf_adds(out, i ? ", " : "");
		add_argument(out, &l->items[i], which, entry);
	}
	buf_addc(out, ')');
}
