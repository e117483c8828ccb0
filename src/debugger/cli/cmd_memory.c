/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/command.h"
#include "debugger/cli/examine.h"
#include "debugger/output/format_value.h"
#include "debugger/values/registers.h"

/* ---- x ---------------------------------------------------------------------------------- */

/* Letters that were not written are those of the last time; some have a size of their own. */
static void complete_format(struct data_format *f, const struct data_format *last)
{
	if (!f->letter)
		f->letter = last->letter && !(f->size && last->letter == 'i') ? last->letter : 'x';
	if (f->letter == 'a' || (f->letter == 'f' && !f->size && !strchr("wg", last->size)))
		f->size = f->letter == 'a' || !f->size ? 'g' : f->size;
	if (f->letter == 'c' && !f->size)
		f->size = 'b';
	if (f->letter == 's' || f->letter == 'i')
		f->size = last->size;
	if (!f->size)
		f->size = last->size ? last->size : 'w';
}

static struct error *cmd_x(struct cli *c, const char *args)
{
	struct data *d = data_of(c);
	struct data_format f = { 0 };
	struct data_scope s;
	taddr at = d ? d->x_next : 0;

	if (!d)
		return &error_nomem;
	struct error *err = data_parse_format(&args, &f);
	data_scope(c, &s);
	complete_format(&f, &d->x);
	if (!err && *args)
		err = eval_address(&s.context, args, &at);
	if (err)
		return err;
	d->x = f;
	return examine(c, &s, at, &f);
}

/* ---- disassemble ------------------------------------------------------------------------ */

struct listing {
	taddr start, end;
	bool whole; /* of a function: offsets alone, as all have its name */
	bool bytes, source;
};

static struct error *parse_modifiers(const char **args, struct listing *ret)
{
	const char *p = *args;

	while (*p == '/') {
		for (p++; isalpha((unsigned char)*p); p++) {
			if (!strchr("rsm", *p))
				return error_new(ERROR_USAGE, "invalid disassembly modifier '%c'",
						 *p);
			ret->bytes |= *p == 'r';
			ret->source |= *p == 's' || *p == 'm';
		}
		p += strspn(p, " \t");
	}
	*args = p;
	return NULL;
}

/* The function around an address. */
static struct error *function_range(struct cli *c, const struct data_scope *s, taddr at,
				    struct listing *ret)
{
	struct session *session = s->scope.session;
	struct symbol symbol;

	(void)c;
	ret->whole = true;
	if (symbol_at(session->symbols, at, &symbol) && symbol.size) {
		ret->start = symbol.addr;
		ret->end = symbol.addr + symbol.size;
		return NULL;
	}
	if (unwind_function(session->unwinder, at, &ret->start, &ret->end))
		return NULL;
	return error_new(ERROR_NOT_FOUND, "no function contains %s",
			 at == s->scope.pc ? "program counter for selected frame"
					   : "specified address");
}

/* "FUNCTION", "START,END", "START,+LENGTH", or nothing. */
static struct error *parse_range(struct cli *c, const struct data_scope *s, const char *args,
				 struct listing *ret)
{
	const char *rest;
	AUTO_EXPR *first = NULL;
	struct value v;
	taddr second;

	if (!*args)
		return s->scope.thread ? function_range(c, s, s->scope.pc, ret)
				       : error_new(ERROR_USAGE, "no frame selected");
	struct error *err = eval_parse(&s->context, args, true, &first, &rest);
	if (!err)
		err = eval(&s->context, first, &v);
	if (!err)
		err = value_address(&v, &ret->start);
	if (err)
		return err;
	if (!*rest)
		return function_range(c, s, ret->start, ret);
	rest++;
	rest += strspn(rest, " \t");
	bool length = *rest == '+';
	err = eval_address(&s->context, rest + length, &second);
	ret->end = length ? ret->start + second : second;
	return err;
}

/* The line that begins at an address; 0: none. */
static int line_at(const struct scope *s, taddr at, const char **ret_file)
{
	struct line_range range;

	if (!places_line_range(s->session->symbols, at, &range))
		return 0;
	*ret_file = range.file;
	return range.line;
}

static void add_source(struct cli *c, const struct scope *s, const char *file, int line, int *last)
{
	AUTO_BUF text = { 0 };

	if (line == *last || !line || !file)
		return;
	buf_adds(&c->out, *last ? "\n" : "");
	if (!*last)
		style_add_between(&c->out, "", file, ":\n");
	buf_addf(&c->out, "%d\t", line);
	if (source_cache_line(s->session->sources, file, line, &text))
		style_add_text(&c->out, buf_text(&text));
	buf_addc(&c->out, '\n');
	*last = line;
}

/* j: the array that gets them; NULL: text. */
static struct error *add_instructions(struct cli *c, const struct scope *s, const struct listing *l,
				      struct json *j)
{
	size_t size;
	int last = 0;

	for (taddr at = l->start; at < l->end; at += size) {
		const char *file = NULL;
		int line = l->source ? line_at(s, at, &file) : 0;
		if (!j)
			add_source(c, s, file, line, &last);
		size = examine_instruction(c, j, s, at, l->whole ? EXAMINE_OFFSETS : EXAMINE_NAMES,
					   l->bytes);
		if (!size)
			return value_no_access(at);
		if (j && line) {
			json_add_string(j, "file", file);
			json_add_integer(j, "line", line);
		}
		if (j)
			json_end(j);
	}
	return NULL;
}

/* function: NULL: it is not a whole one. */
static struct error *add_object(struct cli *c, const struct scope *s, const struct listing *l,
				const char *function)
{
	struct json j;

	cli_json_begin(c, &j, "instructions");
	json_add_string(&j, "function", function);
	json_add_address(&j, "start", l->start);
	json_add_address(&j, "end", l->end);
	json_add_array(&j, "instructions");
	struct error *err = add_instructions(c, s, l, &j);
	json_end(&j);
	cli_json_end(c, &j);
	return err;
}

static struct error *cmd_disassemble(struct cli *c, const char *args)
{
	struct listing l = { 0 };
	struct data_scope s;
	struct symbol symbol;

	data_scope(c, &s);
	struct error *err = parse_modifiers(&args, &l);
	if (!err && !s.scope.session)
		err = error_new(ERROR_USAGE, "no program: name one with \"file\"");
	if (!err)
		err = parse_range(c, &s, args, &l);
	if (err)
		return err;
	const bool named = l.whole && symbol_at(s.scope.session->symbols, l.start, &symbol);
	const char *function =
		named ? symbol_shown_name(s.scope.session->symbols, symbol.name) : NULL;
	if (c->json)
		return add_object(c, &s.scope, &l, function);
	buf_adds(&c->out, "Dump of assembler code ");
	if (named)
		style_add_between(&c->out, "for function ", function, ":\n");
	else
		buf_addf(&c->out, "from 0x%" PRIx64 " to 0x%" PRIx64 ":\n", l.start, l.end);
	err = add_instructions(c, &s.scope, &l, NULL);
	if (!err)
		buf_adds(&c->out, "End of assembler dump.\n");
	return err;
}

/* ---- registers -------------------------------------------------------------------------- */

enum { NAME_WIDTH = 15, HEX_WIDTH = 20 };

static struct error *add_register_object(struct cli *c, const struct data_scope *s,
					 const char *name, const struct value *v, struct json *j)
{
	const struct data_format plain = { .count = 1 };

	json_add_object(j, NULL);
	json_add_string(j, "name", name);
	struct error *err = data_add_members(c, j, &s->scope, v, &plain);
	json_end(j);
	return err;
}

/* "rax            0x1c                28" */
static struct error *add_register(struct cli *c, const struct data_scope *s, const char *name,
				  const struct value *v)
{
	const struct data_format plain = { .count = 1 };
	AUTO_BUF first = { 0 };

	const bool wide = register_is_vector(v->type) || type_strip(v->type)->kind == TYPE_FLOAT;
	buf_addf(&c->out, "%-*s", NAME_WIDTH, name);
	if (!wide && !v->missing) {
		format_value_number(&first, v->bytes, v->size, false, 'x');
		buf_addf(&c->out, "%-*s", HEX_WIDTH, buf_text(&first));
	}
	struct error *err = data_print(c, &s->scope, v, &plain, false);
	buf_addc(&c->out, '\n');
	return err;
}

/* j: the array that gets it; NULL: text. */
static struct error *show_register(struct cli *c, const struct data_scope *s,
				   const struct register_view *r, struct json *j)
{
	struct value v;

	struct error *err = register_value(&s->scope, r, &v);
	if (error_is(err, ERROR_UNSUPPORTED) || error_is(err, ERROR_BAD_DATA)) {
		error_ignore(err);
		return NULL; /* this processor, or this core file, has none */
	}
	if (err)
		return err;
	return j ? add_register_object(c, s, r->name, &v, j) : add_register(c, s, r->name, &v);
}

static struct error *show_all(struct cli *c, const struct data_scope *s, bool all, struct json *j)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < register_view_count; i++) {
		const struct register_view *r = &register_views[i];
		if (r->group == REGISTERS_GENERAL || (all && r->group != REGISTERS_PART))
			err = show_register(c, s, r, j);
	}
	return err;
}

static struct error *show_named(struct cli *c, const struct data_scope *s, const char *names,
				struct json *j)
{
	struct error *err = NULL;

	while (!err && *names) {
		names += *names == '$';
		size_t len = strcspn(names, " \t");
		AUTO_FREE char *name = strndup(names, len);
		const struct register_view *r = name ? register_find(name) : NULL;
		if (!r)
			return error_new(ERROR_NOT_FOUND, "invalid register `%.*s'",
					 (int)(len < 80 ? len : 80), names);
		err = show_register(c, s, r, j);
		names += len;
		names += strspn(names, " \t");
	}
	return err;
}

static struct error *show_registers(struct cli *c, const char *names, bool all, struct json *j)
{
	struct data_scope s;

	data_scope(c, &s);
	if (!s.scope.thread)
		return error_new(ERROR_USAGE, "the program has no registers now");
	return *names ? show_named(c, &s, names, j) : show_all(c, &s, all, j);
}

static struct error *info_registers(struct cli *c, const char *names, bool all)
{
	struct json j;

	if (!c->json)
		return show_registers(c, names, all, NULL);
	cli_json_begin(c, &j, "registers");
	json_add_array(&j, "registers");
	struct error *err = show_registers(c, names, all, &j);
	json_end(&j);
	if (!err)
		cli_json_end(c, &j);
	return err;
}

static struct error *cmd_info_registers(struct cli *c, const char *args)
{
	return info_registers(c, args, false);
}

static struct error *cmd_info_all_registers(struct cli *c, const char *args)
{
	return info_registers(c, args, true);
}

static const struct command rows[] = {
	{ .name = "x",
	  .args = "[/COUNT FORMAT SIZE] [ADDRESS]",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS | COMMAND_REPEATS_BARE,
	  .run = cmd_x,
	  .summary = "Examine memory.",
	  .help = "Formats are those of print, i (instructions) and s (strings); sizes are b (1 "
		  "byte), h (2), w (4), g (8). Without an address it goes on where it was. "
		  "Afterwards $_ is the last address, $__ what is there." },
	{ .name = "disassemble",
	  .args = "[/r] [/s] [FUNCTION | START,END | START,+LENGTH]",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_LOCATION,
	  .flags = COMMAND_RAW,
	  .run = cmd_disassemble,
	  .summary = "Show machine code as instructions.",
	  .help = "/r shows their bytes, /s the source lines. \"set disassembly-flavor intel\" "
		  "changes how they are written." },
	{ .name = "info registers",
	  .short_names = "r",
	  .args = "[NAME...]",
	  .class = CLASS_DATA,
	  .run = cmd_info_registers,
	  .summary = "Show the registers of the selected frame." },
	{ .name = "info all-registers",
	  .args = "[NAME...]",
	  .class = CLASS_DATA,
	  .run = cmd_info_all_registers,
	  .summary = "Show the registers, those for floating point and vectors, too." },
};
const struct command_table cmd_memory_table = COMMAND_TABLE(rows);
