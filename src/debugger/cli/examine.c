/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/examine.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "debugger/output/format_value.h"
#include "target/cpu/disassembly.h"

/* What is shown, and how far that has come. */
struct examined {
	struct cli *cli;
	struct json *json; /* borrowed; NULL: as text */
	const struct scope *scope;
	const struct data_format *format;
	taddr last, end; /* what was shown last, and what is behind it */
};

static size_t bytes_of(char size)
{
	return size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
}

/* "0x404028 <counter>:", and what stands behind it. */
static void add_label(struct cli *c, const struct scope *s, taddr at)
{
	AUTO_FREE char *symbol = shown_symbol(s, at);

	buf_addf(&c->out, "0x%" PRIx64, at);
	format_value_symbol(&c->out, symbol);
	buf_adds(&c->out, ":\t");
}

static void add_place(struct json *j, const struct scope *s, taddr at)
{
	AUTO_FREE char *symbol = shown_symbol(s, at);

	json_add_object(j, NULL);
	json_add_address(j, "address", at);
	json_add_string(j, "symbol", symbol);
}

/* ---- numbers ---------------------------------------------------------------------------- */

static void add_binary(struct buf *out, const uint8_t *bytes, size_t size)
{
	for (size_t i = 8 * size; i-- > 0;)
		buf_addc(out, bytes[i / 8] >> (i % 8) & 1 ? '1' : '0');
}

static bool is_signed(char letter)
{
	return letter == 'd' || letter == 'c';
}

static void add_unit(struct buf *out, const struct scope *s, const uint8_t *bytes, size_t size,
		     char letter)
{
	uint64_t n = 0;

	memcpy(&n, bytes, size);
	if (letter == 't') {
		add_binary(out, bytes, size);
		return;
	}
	format_value_number(out, bytes, size, is_signed(letter), letter == 'x' ? 'z' : letter);
	if (letter != 'a')
		return;
	AUTO_FREE char *symbol = shown_symbol(s, n);
	format_value_symbol(out, symbol);
}

static void add_unit_object(const struct examined *x, taddr at, const uint8_t *bytes, size_t size)
{
	const char letter = x->format->letter;
	const unsigned int unused = 64 - 8 * (unsigned int)size;
	AUTO_BUF text = { 0 };
	uint64_t n = 0;

	memcpy(&n, bytes, size);
	add_unit(&text, x->scope, bytes, size, letter);
	add_place(x->json, x->scope, at);
	json_add_string(x->json, "text", buf_text(&text));
	if (is_signed(letter))
		json_add_integer(x->json, "number", (intmax_t)(n << unused) >> unused);
	else if (letter != 'f')
		json_add_unsigned(x->json, "number", n);
	json_end(x->json);
}

static struct error *examine_units(struct examined *x, taddr at)
{
	size_t size = bytes_of(x->format->size), in_row = size == 8 ? 2 : size == 4 ? 4 : 8;
	struct buf *out = &x->cli->out;

	for (long i = 0; i < x->format->count; i++, at += size) {
		const bool first = !x->json && i % (long)in_row == 0;
		uint8_t bytes[8];
		buf_adds(out, first && i ? "\n" : "");
		if (first)
			add_label(x->cli, x->scope, at);
		else if (!x->json)
			buf_addc(out, '\t');
		struct error *err = target_examine(x->scope->session->target, at, bytes, size);
		if (err) {
			error_ignore(err);
			return value_no_access(at);
		}
		if (x->json)
			add_unit_object(x, at, bytes, size);
		else
			add_unit(out, x->scope, bytes, size, x->format->letter);
		x->last = at;
		x->end = at + size;
	}
	buf_adds(out, x->json ? "" : "\n");
	return NULL;
}

/* ---- texts ------------------------------------------------------------------------------ */

struct error *examine_read_text(const struct scope *s, taddr at, size_t width, size_t most,
				struct buf *ret, bool *ret_more)
{
	uint32_t one = 1;

	while (ret->len < most * width) {
		struct error *err = target_examine(s->session->target, at + ret->len, &one, width);
		error_ignore(err);
		if (err && !ret->len)
			return value_no_access(at);
		if (err || !one)
			break;
		buf_add(ret, &one, width);
	}
	*ret_more = one && ret->len == most * width;
	return NULL;
}

static struct error *examine_texts(struct examined *x, taddr at)
{
	const struct shown_limits *limits = &x->cli->settings.print.values;
	const char unit = x->format->unit;
	const size_t width = unit == 'h' || unit == 'w' ? bytes_of(unit) : 1;

	for (long i = 0; i < x->format->count; i++) {
		AUTO_BUF text = { 0 };
		bool more = false;
		if (!x->json)
			add_label(x->cli, x->scope, at);
		struct error *err =
			examine_read_text(x->scope, at, width, limits->elements, &text, &more);
		if (err)
			return err;
		if (x->json) {
			AUTO_BUF utf8 = { 0 };
			text_add_wide(&utf8, text.data, text.len, width);
			add_place(x->json, x->scope, at);
			json_add_string(x->json, "string", utf8.len ? buf_text(&utf8) : "");
			json_add_bool(x->json, "more", more);
			json_end(x->json);
		} else {
			format_value_text(&x->cli->out, buf_text(&text), text.len, width,
					  limits->repeats, more);
			buf_addc(&x->cli->out, '\n');
		}
		x->last = at;
		x->end = at += text.len + (text.len < limits->elements * width ? width : 0);
	}
	return NULL;
}

/* ---- instructions ----------------------------------------------------------------------- */

static void add_symbol(void *context, struct buf *out, taddr addr)
{
	AUTO_FREE char *symbol = shown_symbol(context, addr);

	format_value_symbol(out, symbol);
}

/* As many bytes as there are, up to most. */
static size_t read_code(const struct scope *s, taddr at, uint8_t *code, size_t most)
{
	for (; most > 0; most--) {
		struct error *err = target_examine(s->session->target, at, code, most);
		error_ignore(err);
		if (!err)
			break;
	}
	return most;
}

static void add_bytes(struct buf *out, const uint8_t *code, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_addf(out, i ? " %02x" : "%02x", code[i]);
}

static void add_line(struct cli *c, const struct scope *s, taddr at, enum examine_label label)
{
	buf_addf(&c->out, "%s0x%0*" PRIx64, s->thread && at == s->pc ? "=> " : "   ",
		 label == EXAMINE_ADDRESS ? 1 : 16, at);
	if (label != EXAMINE_OFFSETS) {
		AUTO_FREE char *symbol = shown_symbol(s, at);
		AUTO_BUF name = { 0 };
		buf_adds(&name, symbol ? symbol : "");
		if (symbol && label == EXAMINE_NAMES && !strchr(symbol, '+'))
			buf_adds(&name, "+0");
		format_value_symbol(&c->out, symbol ? buf_text(&name) : NULL);
	} else {
		struct symbol symbol;
		if (symbol_at(s->session->symbols, at, &symbol))
			buf_addf(&c->out, " <+%" PRIu64 ">", at - symbol.addr);
	}
	buf_adds(&c->out, ":\t");
}

size_t examine_instruction(struct cli *c, struct json *j, const struct scope *s, taddr at,
			   enum examine_label label, bool bytes)
{
	const struct disassembly d = {
		.arch = s->session->target->arch,
		.intel = c->settings.intel,
		.add_symbol = add_symbol,
		.context = (void *)s,
	};
	uint8_t code[DISASSEMBLY_INSN_MAX];
	AUTO_BUF text = { 0 }, hex = { 0 };

	const size_t have = read_code(s, at, code, sizeof(code));
	if (!have)
		return 0;
	const size_t size = disassembly_add(&d, code, have, at, &text);
	add_bytes(&hex, code, size);
	if (!j) {
		add_line(c, s, at, label);
		buf_addf(&c->out, "%s%s%s\n", bytes ? buf_text(&hex) : "", bytes ? "\t" : "",
			 buf_text(&text));
		return size;
	}
	add_place(j, s, at);
	json_add_bool(j, "current", s->thread && at == s->pc);
	json_add_string(j, "bytes", buf_text(&hex));
	json_add_lines(j, "text", buf_text(&text));
	return size;
}

static struct error *examine_code(struct examined *x, taddr at)
{
	for (long i = 0; i < x->format->count; i++) {
		size_t size =
			examine_instruction(x->cli, x->json, x->scope, at, EXAMINE_ADDRESS, false);
		if (!size)
			return value_no_access(at);
		if (x->json)
			json_end(x->json);
		x->last = at;
		x->end = at += size;
	}
	return NULL;
}

/* ---- what x shows ----------------------------------------------------------------------- */

/* By the letter of the format; the last row is for all others. */
static const struct kind {
	char letter;
	const char *key; /* of the array of objects */
	struct error *(*add)(struct examined *x, taddr at);
} kinds[] = {
	{ 'i', "instructions", examine_code },
	{ 's', "texts", examine_texts },
	{ 0, "units", examine_units },
};

static const struct kind *kind_of(const struct data_format *f)
{
	const struct kind *k = kinds;

	while (k->letter && k->letter != f->letter)
		k++;
	return k;
}

/* What was shown last is at $_, and is $__. */
static void keep_last(struct examined *x)
{
	const char size = x->format->size;
	const struct type *unit = size == 'b'   ? &type_char
				  : size == 'h' ? &type_short
				  : size == 'w' ? &type_int
						: &type_long;
	struct type_store *store = variables_types(x->scope->session->variables);
	const struct type *pointer = type_pointer_to(store, unit);
	struct convenience *values = x->cli->control->values;
	struct value v;

	if (pointer) {
		v = value_of_int(pointer, x->last);
		error_ignore(convenience_set(values, "_", &v, store));
	}
	struct error *err = value_read(x->scope, unit, x->last, &v);
	error_ignore(err ? err : convenience_set(values, "__", &v, store));
}

struct error *examine_add(struct cli *c, struct json *j, const struct data_scope *s, taddr from,
			  const struct data_format *f)
{
	struct examined x = { c, j, &s->scope, f, from, from };
	const struct kind *k = kind_of(f);

	if (!s->scope.session)
		return value_no_access(from);
	if (f->count < 0)
		return error_new(ERROR_UNSUPPORTED, "memory is not examined backwards");
	if (j)
		json_add_array(j, k->key);
	struct error *err = k->add(&x, from);
	if (j)
		json_end(j);
	data_of(c)->x_next = x.end;
	if (x.end != from)
		keep_last(&x);
	return err;
}

struct error *examine(struct cli *c, const struct data_scope *s, taddr from,
		      const struct data_format *f)
{
	struct json j;

	if (!c->json)
		return examine_add(c, NULL, s, from, f);
	cli_json_begin(c, &j, "memory");
	struct error *err = examine_add(c, &j, s, from, f);
	if (!err || data_of(c)->x_next != from)
		cli_json_end(c, &j);
	return err;
}
