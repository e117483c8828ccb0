/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/data.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "debugger/output/format_value.h"
#include "debugger/output/json_value.h"
#include "target/cpu/disassembly.h"

struct data *data_of(struct cli *c)
{
	if (!c->data)
		c->data = calloc(1, sizeof(*c->data));
	return c->data;
}

void data_scope(struct cli *c, struct data_scope *ret)
{
	*ret = (struct data_scope){ 0 };
	/* Without a program numbers are all that there is. */
	error_ignore(control_scope(c->control, &ret->scope));
	ret->context = (struct eval_context){ &ret->scope, c->control->values };
}

struct error *data_parse_format(const char **text, struct data_format *ret)
{
	const char *p = *text;
	bool negative = false;

	ret->count = 1;
	if (*p != '/')
		return NULL;
	negative = *++p == '-';
	p += negative;
	if (isdigit((unsigned char)*p)) {
		char *end;
		ret->count = strtol(p, &end, 10);
		p = end;
	}
	ret->count = negative ? -ret->count : ret->count;
	for (; *p && !isspace((unsigned char)*p); p++) {
		if (strchr("bhwg", *p))
			ret->size = *p;
		else if (format_value_knows(*p) || *p == 'i')
			ret->letter = *p;
		else if (*p == 'r')
			ret->raw = true;
		else
			return error_new(ERROR_USAGE, "undefined output format \"%c\"",
					 isprint((unsigned char)*p) ? *p : '?');
	}
	*text = p + strspn(p, " \t");
	return NULL;
}

static struct error *show(struct cli *c, const struct scope *s, const struct value *v,
			  const struct data_format *f, struct shown *ret)
{
	struct shown_limits limits = c->settings.print.values;

	limits.plain = f->letter && f->letter != 's';
	return shown_make(s, v, &limits, ret);
}

struct error *data_add_members(struct cli *c, struct json *j, const struct scope *s,
			       const struct value *v, const struct data_format *f)
{
	AUTO_SHOWN shown = { 0 };
	struct error *err = show(c, s, v, f, &shown);

	if (!err)
		json_value_members(j, &shown, f->letter);
	return err;
}

struct error *data_print(struct cli *c, const struct scope *s, const struct value *v,
			 const struct data_format *f, bool top)
{
	AUTO_SHOWN shown = { 0 };
	struct error *err = show(c, s, v, f, &shown);

	if (err)
		return err;
	if (top)
		format_value_top(&c->out, &shown, f->letter);
	else
		format_value(&c->out, &shown, f->letter);
	return NULL;
}

/* ---- memory ----------------------------------------------------------------------------- */

static size_t bytes_of(char size)
{
	return size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
}

static struct error *no_access(struct error *err, taddr at)
{
	if (!error_is(err, ERROR_NO_ADDRESS))
		return err;
	error_ignore(err);
	return error_new(ERROR_NO_ADDRESS, "cannot access memory at address 0x%" PRIx64, at);
}

/* "0x404028 <counter>:" */
static void add_label(struct cli *c, const struct scope *s, taddr at)
{
	AUTO_FREE char *symbol = shown_symbol(s, at);

	buf_addf(&c->out, "0x%" PRIx64, at);
	format_value_symbol(&c->out, symbol);
	buf_addc(&c->out, ':');
}

static void add_binary(struct buf *out, const uint8_t *bytes, size_t size)
{
	for (size_t i = 8 * size; i-- > 0;)
		buf_addc(out, bytes[i / 8] >> (i % 8) & 1 ? '1' : '0');
}

static void add_unit(struct cli *c, const struct scope *s, const uint8_t *bytes, size_t size,
		     char letter)
{
	uint64_t n = 0;

	memcpy(&n, bytes, size);
	if (letter == 't') {
		add_binary(&c->out, bytes, size);
		return;
	}
	format_value_number(&c->out, bytes, size, letter == 'd' || letter == 'c',
			    letter == 'x' ? 'z' : letter);
	if (letter != 'a')
		return;
	AUTO_FREE char *symbol = shown_symbol(s, n);
	format_value_symbol(&c->out, symbol);
}

static struct error *examine_units(struct cli *c, const struct scope *s, taddr at,
				   const struct data_format *f, taddr *ret_last, taddr *ret_end)
{
	size_t size = bytes_of(f->size), in_row = size == 8 ? 2 : size == 4 ? 4 : 8;

	for (long i = 0; i < f->count; i++, at += size) {
		uint8_t bytes[8];
		if (i % (long)in_row == 0) {
			buf_adds(&c->out, i ? "\n" : "");
			add_label(c, s, at);
		}
		struct error *err = target_read(s->session->target, at, bytes, size);
		if (err) {
			buf_adds(&c->out, "\t");
			return no_access(err, at);
		}
		buf_addc(&c->out, '\t');
		add_unit(c, s, bytes, size, f->letter);
		*ret_last = at;
		*ret_end = at + size;
	}
	buf_addc(&c->out, '\n');
	return NULL;
}

static struct error *examine_texts(struct cli *c, const struct scope *s, taddr at,
				   const struct data_format *f, taddr *ret_last, taddr *ret_end)
{
	for (long i = 0; i < f->count; i++) {
		AUTO_BUF text = { 0 };
		char one = 1;
		size_t most = c->settings.print.values.elements;
		add_label(c, s, at);
		while (text.len < most) {
			struct error *err = target_read(s->session->target, at + text.len, &one, 1);
			if (err && !text.len) {
				buf_addc(&c->out, '\t');
				return no_access(err, at);
			}
			error_ignore(err);
			if (err || !one)
				break;
			buf_addc(&text, one);
		}
		buf_addc(&c->out, '\t');
		format_value_text(&c->out, buf_text(&text), text.len,
				  c->settings.print.values.repeats, one && text.len == most);
		buf_addc(&c->out, '\n');
		*ret_last = at;
		*ret_end = at += text.len + (text.len < most);
	}
	return NULL;
}

/* ---- instructions ----------------------------------------------------------------------- */

static void add_symbol(void *context, struct buf *out, taddr addr)
{
	AUTO_FREE char *symbol = shown_symbol(context, addr);

	format_value_symbol(out, symbol);
}

size_t data_instruction(struct cli *c, const struct scope *s, taddr at, enum data_label label,
			bool bytes)
{
	const struct disassembly d = {
		.arch = s->session->target->arch,
		.intel = c->settings.intel,
		.add_symbol = add_symbol,
		.context = (void *)s,
	};
	uint8_t code[DISASSEMBLY_INSN_MAX];
	AUTO_BUF text = { 0 };
	size_t have = sizeof(code);

	for (; have > 0; have--) {
		struct error *err = target_read(s->session->target, at, code, have);
		error_ignore(err);
		if (!err)
			break;
	}
	if (!have)
		return 0;
	size_t size = disassembly_add(&d, code, have, at, &text);
	buf_addf(&c->out, "%s0x%0*" PRIx64, s->thread && at == s->pc ? "=> " : "   ",
		 label == DATA_EXAMINED ? 1 : 16, at);
	if (label != DATA_OFFSETS) {
		AUTO_FREE char *symbol = shown_symbol(s, at);
		AUTO_BUF name = { 0 };
		buf_adds(&name, symbol ? symbol : "");
		if (symbol && label == DATA_NAMES && !strchr(symbol, '+'))
			buf_adds(&name, "+0");
		format_value_symbol(&c->out, symbol ? buf_text(&name) : NULL);
	} else {
		struct symbol symbol;
		if (symbol_at(s->session->symbols, at, &symbol))
			buf_addf(&c->out, " <+%" PRIu64 ">", at - symbol.addr);
	}
	buf_adds(&c->out, ":\t");
	for (size_t i = 0; bytes && i < size; i++)
		buf_addf(&c->out, "%02x%c", code[i], i + 1 < size ? ' ' : '\t');
	buf_addf(&c->out, "%s\n", buf_text(&text));
	return size;
}

static struct error *examine_code(struct cli *c, const struct scope *s, taddr at,
				  const struct data_format *f, taddr *ret_last, taddr *ret_end)
{
	for (long i = 0; i < f->count; i++) {
		size_t size = data_instruction(c, s, at, DATA_EXAMINED, false);
		if (!size)
			return error_new(ERROR_NO_ADDRESS,
					 "cannot access memory at address 0x%" PRIx64, at);
		*ret_last = at;
		*ret_end = at += size;
	}
	return NULL;
}

struct error *data_examine(struct cli *c, const struct data_scope *s, taddr from,
			   const struct data_format *f)
{
	taddr last = from, end = from;
	struct error *err;
	struct value v;

	if (!s->scope.session)
		return no_access(error_new(ERROR_NO_ADDRESS, "no"), from);
	if (f->count < 0)
		return error_new(ERROR_UNSUPPORTED, "memory is not examined backwards");
	if (f->letter == 'i')
		err = examine_code(c, &s->scope, from, f, &last, &end);
	else if (f->letter == 's')
		err = examine_texts(c, &s->scope, from, f, &last, &end);
	else
		err = examine_units(c, &s->scope, from, f, &last, &end);
	data_of(c)->x_next = end;
	if (end == from)
		return err;
	/* What was shown last is at $_, and is $__. */
	const struct type *unit = f->size == 'b'   ? &type_char
				  : f->size == 'h' ? &type_short
				  : f->size == 'w' ? &type_int
						   : &type_long;
	struct type_store *store = variables_types(s->scope.session->variables);
	const struct type *pointer = type_pointer_to(store, unit);
	if (pointer) {
		v = value_of_int(pointer, last);
		error_ignore(convenience_set(c->control->values, "_", &v, store));
	}
	struct error *second = value_read(&s->scope, unit, last, &v);
	if (!second)
		second = convenience_set(c->control->values, "__", &v, store);
	error_ignore(second);
	return err;
}

/* ---- displays --------------------------------------------------------------------------- */

static bool is_examined(const struct data_format *f)
{
	return f->letter == 'i' || f->letter == 's' || f->size;
}

static void add_format(struct cli *c, const struct data_format *f)
{
	buf_addc(&c->out, '/');
	if (f->count != 1)
		buf_addf(&c->out, "%ld", f->count);
	if (f->letter)
		buf_addc(&c->out, f->letter);
	if (f->size && f->letter != 'i' && f->letter != 's')
		buf_addc(&c->out, f->size);
}

/* Takes failed, why it has no value; NULL: v is it. */
static struct error *add_display_object(struct cli *c, const struct data_display *d,
					const struct scope *s, const struct value *v,
					struct error *failed)
{
	struct error *err = NULL;
	struct json j;

	cli_json_begin(c, &j, "display");
	json_add_integer(&j, "number", d->number);
	json_add_string(&j, "expression", d->text);
	if (failed) {
		json_add_string(&j, "error", error_message(failed));
	} else {
		json_add_object(&j, "value");
		err = data_add_members(c, &j, s, v, &d->format);
		json_end(&j);
	}
	cli_json_end(c, &j);
	error_ignore(failed);
	return err;
}

static bool means_nothing(const struct error *err)
{
	return error_is(err, ERROR_NOT_FOUND);
}

/* Takes err: "<error: Cannot access memory at address 0x0>" */
static void add_failure(struct cli *c, struct error *err)
{
	AUTO_BUF words = { 0 };

	if (!err)
		return;
	cli_add_sentence(&words, error_message(err));
	size_t len = words.len;
	if (len && words.data[len - 1] == '.')
		len--;
	buf_adds(&c->out, "<error: ");
	buf_add(&c->out, words.data, len);
	buf_adds(&c->out, ">\n");
	error_ignore(err);
}

/* "2: x/i $pc", and what is there. */
static struct error *show_examined(struct cli *c, const struct data_display *d,
				   struct data_scope *s)
{
	taddr at;
	struct error *err = eval_address(&s->context, d->text, &at);

	if (means_nothing(err))
		return err;
	buf_addf(&c->out, "%d: x", d->number);
	add_format(c, &d->format);
	buf_addf(&c->out, " %s\n", d->text);
	add_failure(c, err ? err : data_examine(c, s, at, &d->format));
	return NULL;
}

/* "1: x = 5" */
static struct error *show_value(struct cli *c, const struct data_display *d, struct data_scope *s)
{
	struct value v;
	struct error *err = eval_text(&s->context, d->text, &v);

	if (means_nothing(err))
		return err;
	if (c->json)
		return add_display_object(c, d, &s->scope, &v, err);
	buf_addf(&c->out, "%d: ", d->number);
	if (d->format.letter) {
		add_format(c, &d->format);
		buf_addc(&c->out, ' ');
	}
	buf_addf(&c->out, "%s = ", d->text);
	if (!err)
		err = data_print(c, &s->scope, &v, &d->format, true);
	if (!err)
		buf_addc(&c->out, '\n');
	add_failure(c, err);
	return NULL;
}

struct error *data_show_display(struct cli *c, const struct data_display *d)
{
	struct data_scope s;

	data_scope(c, &s);
	return is_examined(&d->format) ? show_examined(c, d, &s) : show_value(c, d, &s);
}

char *data_function(const struct scope *s)
{
	struct variable f;

	if (!s->thread ||
	    !variables_function(s->session->variables, scope_lookup_pc(s), s->level, &f))
		return NULL;
	return f.name ? strdup(f.name) : NULL;
}

void data_show_displays(struct cli *c)
{
	struct data_scope s;

	if (!c->data)
		return;
	data_scope(c, &s);
	AUTO_FREE char *here = data_function(&s.scope);
	vec_for_each (display, &c->data->displays) {
		/* What means nothing in this frame is left out, as in gdb. */
		if (display->enabled && (!display->function || text_same(display->function, here)))
			error_ignore(data_show_display(c, display));
	}
}
