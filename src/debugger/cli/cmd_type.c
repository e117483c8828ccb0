/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>

#include "debugger/cli/command.h"
#include "debugger/cli/data.h"
#include "debugger/values/lookup.h"

static struct error *type_of(struct cli *c, const char *args, bool unroll, const struct type **ret)
{
	AUTO_EXPR *e = NULL;
	struct data_scope s;
	struct value v;

	if (!*args)
		return error_new(ERROR_USAGE, "argument required: an expression or a type");
	data_scope(c, &s);
	struct error *err = eval_parse(&s.context, args, false, &e, NULL);
	if (err)
		return err;
	bool named = e->kind == EXPR_NAME && !e->file && lookup_is_type(&s.scope, e->text);
	if (e->kind == EXPR_TYPE || named) {
		const struct expr_type name = { .name = e->text };
		err = lookup_type(&s.scope, named ? &name : &e->cast, ret);
		if (!err && unroll && (*ret)->kind == TYPE_ALIAS)
			*ret = (*ret)->target ? (*ret)->target : &type_void;
		return err;
	}
	err = eval(&s.context, e, &v);
	if (!err)
		*ret = v.type;
	return err;
}

static struct error *tell_type(struct cli *c, const char *args, struct buf *text)
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
		buf_addf(&c->out, "type = %s\n", buf_text(text));
	}
	return NULL;
}

static struct error *print_type(struct cli *c, const char *args, const struct type *type)
{
	AUTO_BUF name = { 0 }, text = { 0 };

	type_add_name(&name, type);
	style_add_text(&text, buf_text(&name));
	return tell_type(c, args, &text);
}

static struct error *cmd_whatis(struct cli *c, const char *args)
{
	const struct type *type;
	struct error *err = type_of(c, args, true, &type);

	return err ? err : print_type(c, args, type);
}

static struct error *cmd_ptype(struct cli *c, const char *args)
{
	const struct type *type;
	AUTO_BUF text = { 0 };
	struct error *err = type_of(c, args, false, &type);

	if (err)
		return err;
	const struct type *t = type_strip(type);
	if (t->kind != TYPE_ENUM || !t->tag)
		return print_type(c, args, type->kind == TYPE_ALIAS ? t : type);
	buf_adds(&text, "enum ");
	style_add_between(&text, "", t->name ? t->name : "", t->name ? " {" : "{");
	int64_t next = 0;
	for (size_t i = 0; i < t->nenumerators; i++) {
		buf_adds(&text, i ? ", " : "");
		style_add_text(&text, t->enumerators[i].name);
		if (t->enumerators[i].value != next)
			buf_addf(&text, " = %" PRId64, t->enumerators[i].value);
		next = t->enumerators[i].value + 1;
	}
	buf_addc(&text, '}');
	return tell_type(c, args, &text);
}

static const struct command rows[] = {
	{ .name = "whatis",
	  .args = "EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW,
	  .run = cmd_whatis,
	  .summary = "Print the type of an expression." },
	{ .name = "ptype",
	  .args = "EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW,
	  .run = cmd_ptype,
	  .summary = "Print what a type is made of." },
};

const struct command_table cmd_type_table = COMMAND_TABLE(rows);
