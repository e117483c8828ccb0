/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_value.h"

#include <string.h>

#include "base/text.h"
#include "debugger/output/format_fortran.h"

bool format_value_knows(char letter)
{
	return letter && strchr("xduotzacfs", letter);
}

/* ---- text ------------------------------------------------------------------------------- */

struct runs {
	const char *text;
	size_t len;     /* in units of its width                             */
	size_t repeats; /* in characters                                     */
	bool more;
	char quote;
	size_t width;       /* of a character            */
	const char *prefix; /* of wide characters: "L"   */
};

struct character {
	uint32_t code;
	size_t units; /* of the text's width that it takes                         */
	bool is_byte; /* a byte that is shown as such: of no character of UTF-8    */
};

static struct character character_at(const struct runs *r, size_t at)
{
	const char *text = r->text + at * r->width;
	const size_t left = r->len - at;
	uint32_t code;
	size_t n;

	if (r->width > 1) {
		n = text_read_wide(text, left * r->width, r->width, &code);
		return (struct character){ code, n / r->width, false };
	}
	n = text_read_utf8(text, left, &code);
	if (n < 2 || !text_is_shown(code))
		return (struct character){ (unsigned char)*text, 1, true };
	return (struct character){ code, n, false };
}

static size_t count_equal(const struct runs *r, size_t at, struct character c)
{
	size_t n = 1;

	for (; at + n * c.units < r->len; n++) {
		struct character next = character_at(r, at + n * c.units);
		if (next.code != c.code || next.is_byte != c.is_byte)
			break;
	}
	return n;
}

static void open_quote(struct buf *out, const struct runs *r, char quote)
{
	buf_adds(out, r->prefix ? r->prefix : "");
	buf_addc(out, quote);
}

static void add_character(struct buf *out, struct character c, char quote)
{
	if (c.is_byte)
		number_add_text_char(out, (unsigned char)c.code, quote);
	else
		number_add_wide_text_char(out, c.code, quote);
}

/* Runs of characters and of repetitions, with commas between: "ab", 'c' <repeats 20 times>, "d" */
static void add_runs(struct buf *out, const struct runs *r)
{
	bool open = false, any = false;

	for (size_t i = 0, n; i < r->len;) {
		struct character c = character_at(r, i);
		n = count_equal(r, i, c);
		bool counted = n > r->repeats;
		if (open && counted)
			buf_addc(out, r->quote);
		if (any && (counted || !open))
			buf_adds(out, ", ");
		if (counted) {
			open_quote(out, r, '\'');
			add_character(out, c, '\'');
			buf_addf(out, "' <repeats %zu times>", n);
		} else {
			if (!open)
				open_quote(out, r, r->quote);
			n = 1;
			add_character(out, c, r->quote);
		}
		i += n * c.units;
		open = !counted;
		any = true;
	}
	if (!any)
		open_quote(out, r, r->quote);
	if (!any || open)
		buf_addc(out, r->quote);
	buf_adds(out, r->more ? "..." : "");
}

void format_value_text(struct buf *out, const char *text, size_t len, size_t width, size_t repeats,
		       bool more)
{
	const char *prefix = width == 4 ? "U" : width == 2 ? "u" : NULL;

	add_runs(out, &(struct runs){ text, len / width, repeats, more, '"', width, prefix });
}

/* ---- enumerations ----------------------------------------------------------------------- */

/* Of a register: [ ZF PF ]. */
static void add_register_flags(struct buf *out, const struct type *t, format_wide n)
{
	buf_adds(out, "[ ");
	for (size_t i = 0; i < t->nenumerators; i++) {
		if (n & (format_wide)t->enumerators[i].value)
			buf_addf(out, "%s ", t->enumerators[i].name);
	}
	buf_addc(out, ']');
}

/* (A | B | unknown: 0x8) */
static void add_flags(struct buf *out, const struct type *t, format_wide n)
{
	const char *before = "(";

	for (size_t i = 0; i < t->nenumerators; i++) {
		format_wide bit = (format_wide)t->enumerators[i].value;
		if (!bit || (n & bit) != bit)
			continue;
		buf_adds(out, before);
		style_add_text(out, t->enumerators[i].name);
		n &= ~bit;
		before = " | ";
	}
	if (n) {
		buf_addf(out, "%sunknown: 0x", before);
		number_add_digits(out, n, 16);
	}
	buf_addc(out, ')');
}

static void add_enum(struct buf *out, const struct type *t, format_wide n)
{
	__int128 value = t->is_signed ? (__int128)number_extend(n, t->size) : (__int128)n;

	if (t->is_flags && !t->tag) {
		add_register_flags(out, t, n);
		return;
	}
	for (size_t i = 0; i < t->nenumerators; i++) {
		__int128 its = t->is_signed
				       ? t->enumerators[i].value
				       : (__int128)(format_wide)(uint64_t)t->enumerators[i].value;
		if (its == value) {
			style_add_text(out, t->enumerators[i].name);
			return;
		}
	}
	if (t->is_flags && n)
		add_flags(out, t, n);
	else
		number_add_decimal(out, (format_wide)value, t->is_signed);
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
	const size_t width = s->text_width ? s->text_width : 1;

	add_runs(out, &(struct runs){ buf_text(&s->text), s->text.len / width, s->how.repeats,
				      s->text_more, type_is_string(s->type) ? '\'' : '"', width,
				      s->text_prefix });
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

static bool is_member(const struct shown *s)
{
	return s->part != PART_ELEMENT || s->name;
}

/* "x = ", "<Base> = ", "static x = ", "[2] = " */
static void add_item_name(struct buf *out, const struct shown *item, bool indexes)
{
	if (item->part == PART_BASE)
		style_add_between(out, "<", item->name ? item->name : "", "> = ");
	else if (item->name)
		style_add_between(out, item->part == PART_STATIC ? "static " : "", item->name,
				  " = ");
	else if (item->part == PART_NUMBER || (indexes && !is_member(item)))
		buf_addf(out, "[%" PRIu64 "] = ", item->index);
}

/* "[key] = ", before the value that follows. */
static void add_key(struct buf *out, const struct shown *item, char letter, size_t depth)
{
	buf_addc(out, '[');
	add_value(out, item, letter, depth);
	buf_adds(out, "] = ");
}

/* "<Base> = {...}, members of Class:" where each member has a line. */
static void add_class(struct buf *out, const struct shown *s, size_t depth)
{
	const char *name = type_strip(s->type)->name;

	buf_addc(out, ' ');
	begin_part(out, true, depth);
	style_add_between(out, "members of ", name ? name : "", ":");
}

/* Elements of an array, members of a structure, parts of a register. */
static void add_items(struct buf *out, const struct shown *s, char letter, size_t depth)
{
	bool members = s->nitems && is_member(&s->items[0]), fields = false;
	bool lines = s->nitems && (members ? s->how.pretty : s->how.array);

	buf_addc(out, '{');
	for (size_t i = 0; i < s->nitems; i++) {
		const struct shown *item = &s->items[i];
		bool base = item->part == PART_BASE;
		if (item->part == PART_VALUE) {
			add_value(out, item, letter, depth + 1);
			continue;
		}
		buf_adds(out, i ? "," : "");
		if (i && !base && !fields && members && s->items[i - 1].part == PART_BASE && lines)
			add_class(out, s, depth + 1);
		else if (i && (!lines || base))
			buf_addc(out, ' ');
		fields |= !base;
		begin_part(out, lines, depth + 1);
		if (item->part == PART_KEY) {
			add_key(out, item, letter, depth + 1);
			continue;
		}
		add_item_name(out, item, s->how.indexes);
		add_value(out, item, letter, depth + 1);
		if (item->times > 1)
			buf_addf(out, " <repeats %" PRIu64 " times>", item->times);
	}
	if (!fields && !s->head && type_is_struct(s->type)) {
		buf_adds(out, s->nitems ? ", " : "");
		buf_adds(out, "<No data fields>");
		lines = false;
	}
	buf_adds(out, s->more ? "..." : "");
	if (s->fault)
		buf_addf(out, ", <damaged: %s>", s->fault);
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
		number_add_float(out, bytes, s->size, t->is_quad);
	else
		format_value_number(out, bytes, size, t->is_signed, letter);
	if (letter == 'a')
		format_value_symbol(out, s->symbol);
}

/* "&Class::x"; those to functions by their address, or by their place in a virtual table. */
static void add_member_pointer(struct buf *out, const struct shown *s, const struct type *t)
{
	bool method = t->target && type_strip(t->target)->kind == TYPE_FUNCTION;

	if (method && !s->addr)
		buf_adds(out, "NULL");
	else if (method && s->addr & 1 && s->symbol)
		style_add_between(out, "&virtual ", s->symbol, "");
	else if (method && s->addr & 1)
		buf_addf(out, "&virtual table offset %" PRIu64, s->addr - 1);
	else if (method)
		add_address(out, s);
	else if (s->addr == UINT64_MAX)
		buf_adds(out, "NULL");
	else if (s->symbol)
		style_add_between(out, "&", s->symbol, "");
	else
		buf_addf(out, "%" PRId64, (int64_t)s->addr);
}

static void add_by_type(struct buf *out, const struct shown *s)
{
	const struct type *t = type_strip(s->type);
	format_wide n = number_load(s->bytes, s->size);

	switch (t->kind) {
	case TYPE_CHAR:
		if (t->size == 1 && s->how.plain)
			number_add_decimal(out, t->is_signed ? number_extend(n, 1) : n,
					   t->is_signed);
		else if (t->size == 1)
			number_add_char(out, n, t->is_signed);
		else
			number_add_wide_char(out, s->type, n, s->how.plain);
		return;
	case TYPE_BOOL:
		if (n > 1)
			number_add_decimal(out, n, false);
		else if (t->is_fortran)
			buf_adds(out, n ? ".TRUE." : ".FALSE.");
		else
			buf_adds(out, n ? "true" : "false");
		return;
	case TYPE_FLOAT:
		number_add_float(out, s->bytes, s->size, t->is_quad);
		return;
	case TYPE_ENUM:
		add_enum(out, t, n);
		return;
	case TYPE_POINTER:
	case TYPE_REFERENCE:
		add_pointer(out, s);
		return;
	case TYPE_INT:
		number_add_wide_char(out, s->type, n, s->how.plain); /* wchar_t is said to be one */
		return;
	case TYPE_MEMBER_POINTER:
		add_member_pointer(out, s, t);
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
	case TYPE_STRUCT:
	case TYPE_COMPLEX:
	case TYPE_OTHER:
		break;
	}
	buf_adds(out, "...");
}

static void add_complex(struct buf *out, const struct shown *s, char letter, size_t depth)
{
	add_value(out, &s->items[0], letter, depth + 1);
	buf_adds(out, " + ");
	add_value(out, &s->items[1], letter, depth + 1);
	buf_addc(out, 'i');
}

static void add_value(struct buf *out, const struct shown *s, char letter, size_t depth)
{
	const struct type *t = type_strip(s->type);

	if (s->missing) {
		buf_addf(out, "<%s>", s->missing);
		if (t->kind == TYPE_REFERENCE && s->items) {
			buf_adds(out, ": ");
			add_value(out, s->items, letter, depth);
		}
		return;
	}
	if (s->head) {
		style_add_text(out, s->head);
		buf_adds(out, s->items ? " = " : "");
	}
	if (s->fault && !s->items)
		buf_addf(out, "%s<damaged: %s>", s->head ? " " : "", s->fault);
	if (t->kind == TYPE_REFERENCE) {
		buf_addf(out, "@0x%" PRIx64 "%s", s->addr, s->items ? ": " : "");
		if (s->items)
			add_value(out, s->items, letter, depth);
	} else if (s->folded)
		buf_adds(out, "{...}");
	else if (t->kind == TYPE_ARRAY && !t->count && !s->nitems && !t->is_fortran)
		add_pointer(out, s); /* of an unspecified length: as gdb shows it */
	else if (t->is_fortran && (s->items || (t->kind == TYPE_ARRAY && !s->has_text)))
		format_fortran_items(out, s, letter, depth, add_value);
	else if (t->kind == TYPE_COMPLEX && s->items)
		add_complex(out, s, letter, depth);
	else if (s->items)
		add_items(out, s, letter, depth);
	else if (s->has_text && t->kind != TYPE_POINTER)
		add_text(out, s);
	else if (s->head || s->fault)
		return;
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

/* As pointers are: what refers, and what points to functions of a class, but for those that say
 * what they are. */
static bool is_typed_on_top(const struct shown *s, const struct type *t)
{
	if (t->kind != TYPE_MEMBER_POINTER || !t->target ||
	    type_strip(t->target)->kind != TYPE_FUNCTION)
		return t->kind == TYPE_REFERENCE;
	return s->addr && !(s->addr & 1 && s->symbol);
}

/* As in gdb, the type of a text is said unless it is that of most of them, or the text tells. */
static bool is_usual_text(const struct type *pointer, const struct type *target)
{
	const char *prefix, *name = target ? type_unqualified(target)->name : NULL;

	return target && type_text_width(target, &prefix) && pointer->kind != TYPE_ALIAS &&
	       (prefix || target->is_fortran || (name && !strcmp(name, "char")));
}

void format_value_top(struct buf *out, const struct shown *s, char letter)
{
	const struct type *t = type_strip(s->type);
	bool plain = letter && letter != 's';

	if (!plain && !s->missing && t->kind == TYPE_POINTER &&
	    !is_usual_text(type_unqualified(s->type), t->target))
		add_type(out, "(", s->type, ") ");
	else if (!plain && !s->missing && is_typed_on_top(s, t))
		add_type(out, "(", s->type, ") ");
	else if (!s->missing && s->object && type_is_struct(t))
		add_type(out, "(", t, ") ");
	else if (!plain && t->kind == TYPE_FUNCTION)
		add_type(out, "{", s->type, "} ");
	format_value(out, s, letter);
}

/* What a frame shows of its arguments; a reference is what it refers to. */
static bool is_scalar(const struct shown *v)
{
	const struct type *its = type_strip(v->type);
	bool array = its->kind == TYPE_ARRAY && its->unbounded;
	const struct type *t = v->missing && !array ? NULL : its;

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
