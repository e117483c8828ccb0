/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "debugger/cli/command.h"
#include "debugger/cli/data.h"
#include "debugger/output/format_type.h"
#include "debugger/values/lookup.h"
#include "debugger/values/objects.h"
#include "debugger/values/shown.h"
#include "debugger/values/vtables.h"

/* The type of an expression or name; *ret_real: what a pointer or reference really leads to; NULL.
 */
static struct error *type_of(struct cli *c, const char *args, bool unroll, const struct type **ret,
			     const struct type **ret_real)
{
	AUTO_EXPR *e = NULL;
	struct data_scope s;
	struct value v;
	bool follows = false;

	*ret_real = NULL;
	if (!*args)
		return error_new(ERROR_USAGE, "argument required: an expression or a type");
	data_scope(c, &s);
	struct error *err = eval_parse(&s.context, args, false, &e, NULL);
	if (err)
		return err;
	bool named = e->kind == EXPR_NAME && !e->file && lookup_is_type(&s.scope, e->text);
	if (e->kind == EXPR_TYPE || named) {
		const struct expr_type name = { .name = e->text };
		err = eval_named_type(&s.context, named ? &name : &e->cast, ret);
		if (!err && unroll && (*ret)->kind == TYPE_ALIAS)
			*ret = (*ret)->target ? (*ret)->target : &type_void;
		return err;
	}
	err = eval_type(&s.context, e, &v);
	if (err)
		return err;
	*ret = v.type;
	if (c->settings.print.values.object && type_is_pointer(v.type))
		err = objects_follow(&s.scope, &v, &follows);
	*ret_real = follows ? v.type : NULL;
	return err;
}

static struct error *tell_type(struct cli *c, const char *args, bool columns, struct buf *text)
{
	struct json j;

	if (!buf_ok(text))
		return &error_nomem;
	if (c->json) {
		cli_json_begin(c, &j, "type");
		json_add_string(&j, "expression", args);
		json_add_lines(&j, "text", buf_text(text));
		cli_json_end(c, &j);
	} else {
		buf_addf(&c->out, "%stype = %s\n", columns ? "/* offset      |    size */  " : "",
			 buf_text(text));
	}
	return NULL;
}

/* As gdb says it where objects tell their class. */
static void add_real(struct buf *text, const struct type *real)
{
	AUTO_BUF name = { 0 };

	if (!real)
		return;
	type_add_name(&name, real);
	style_add_between(text, "/* real type = ", buf_text(&name), " */\n");
}

static struct error *print_type(struct cli *c, const char *args, const struct type *type,
				const struct type *real)
{
	AUTO_BUF name = { 0 }, text = { 0 };

	add_real(&text, real);
	type_add_name(&name, type);
	style_add_text(&text, buf_text(&name));
	return tell_type(c, args, false, &text);
}

static struct error *cmd_whatis(struct cli *c, const char *args)
{
	const struct type *type, *real;
	struct error *err = type_of(c, args, true, &type, &real);

	return err ? err : print_type(c, args, type, real);
}

/* "/o" and the like; *args is moved behind them. */
static struct error *read_options(const char **args, struct format_type_options *ret)
{
	const char *p = *args;

	if (*p != '/')
		return NULL;
	for (p++; *p && !isspace((unsigned char)*p); p++) {
		switch (*p) {
		case 'o':
			ret->offsets = true;
			break;
		case 'm':
			ret->no_methods = true;
			break;
		case 't':
			ret->no_types = true;
			break;
		case 'M':
		case 'T':
		case 'r':
		case 'd':
		case 'x':
			break;
		default:
			return error_new(ERROR_USAGE, "unrecognized flag '%c'",
					 isprint((unsigned char)*p) ? *p : '?');
		}
	}
	*args = p + strspn(p, " \t");
	return NULL;
}

static struct error *cmd_ptype(struct cli *c, const char *args)
{
	struct format_type_options how = { 0 };
	const struct type *type, *real;
	AUTO_BUF text = { 0 };
	struct error *err = read_options(&args, &how);

	if (!err)
		err = type_of(c, args, false, &type, &real);
	if (err)
		return err;
	how.offsets &= type_strip(type)->kind == TYPE_STRUCT;
	add_real(&text, real);
	format_type(&text, type, &how);
	return tell_type(c, args, how.offsets, &text);
}

static void add_vtable(struct cli *c, const struct scope *s, const struct vtable *t)
{
	style_add_between(&c->out, "vtable for '", t->class->name ? t->class->name : "", "' @ ");
	buf_addf(&c->out, "0x%" PRIx64 " (subobject @ 0x%" PRIx64 "):\n", t->at, t->object);
	for (size_t i = 0; i < t->functions.len; i++) {
		AUTO_FREE char *name = shown_symbol(s, t->functions.items[i]);
		buf_addf(&c->out, "[%zu]: 0x%" PRIx64 " ", i, t->functions.items[i]);
		style_add_between(&c->out, "<", name ? name : "??", ">\n");
	}
}

static struct error *cmd_info_vtbl(struct cli *c, const char *args)
{
	struct scope scope = { 0 };
	const struct eval_context context = control_evaluator(c->control, &scope);
	AUTO_VTABLE_LIST tables = { 0 };
	struct value v;

	if (!*args)
		return error_new(ERROR_USAGE, "argument required (an object, or a pointer to one)");
	struct error *err = control_scope(c->control, &scope);
	if (!err)
		err = eval_text(&context, args, &v);
	if (!err)
		err = vtables_of(&scope, &v, &tables);
	if (err)
		return err;
	if (!tables.len)
		buf_adds(&c->out, "This object does not have a virtual function table\n");
	vec_for_each (t, &tables) {
		buf_adds(&c->out, t > tables.items ? "\n" : "");
		add_vtable(c, &scope, t);
	}
	return NULL;
}

static const struct command rows[] = {
	{ .name = "whatis",
	  .args = "EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_whatis,
	  .summary = "Print the type of an expression." },
	{ .name = "ptype",
	  .args = "[/omt] EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_ptype,
	  .summary = "Print what a type is made of.",
	  .help = "/o prints where each member of a structure is, its size, and the holes "
		  "between\nthem. /m leaves functions of classes out, /t the typedefs in them." },
	COMMAND_INFO("vtbl", NULL, "EXPRESSION", cmd_info_vtbl, COMPLETES_EXPRESSION,
		     "Virtual functions of an object of C++ and of the parts that it inherits."),
};

const struct command_table cmd_type_table = COMMAND_TABLE(rows);
