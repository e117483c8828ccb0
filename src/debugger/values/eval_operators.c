/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/container_iterators.h"
#include "debugger/values/container_ops.h"
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/methods.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

enum { ARROWS_MAX = 8 };

static const char *const names[] = {
	[EXPR_PLUS] = "+",
	[EXPR_MINUS] = "-",
	[EXPR_TIMES] = "*",
	[EXPR_DIVIDE] = "/",
	[EXPR_REST] = "%",
	[EXPR_SHIFT_LEFT] = "<<",
	[EXPR_SHIFT_RIGHT] = ">>",
	[EXPR_AND] = "&",
	[EXPR_OR] = "|",
	[EXPR_XOR] = "^",
	[EXPR_EQUAL] = "==",
	[EXPR_NOT_EQUAL] = "!=",
	[EXPR_LESS] = "<",
	[EXPR_GREATER] = ">",
	[EXPR_LESS_OR_EQUAL] = "<=",
	[EXPR_GREATER_OR_EQUAL] = ">=",
	[EXPR_NEGATE] = "-",
	[EXPR_SAME] = "+",
	[EXPR_NOT] = "!",
	[EXPR_INVERT] = "~",
	[EXPR_DEREFERENCE] = "*",
};

const char *eval_operator_name(enum expr_op op)
{
	return op < sizeof(names) / sizeof(*names) ? names[op] : NULL;
}

/* Where a function could be called at all. */
static bool is_object(context *c, const struct value *v)
{
	return v && type_is_struct(v->type) && !v->missing && c->call && c->scope &&
	       c->scope->thread && lookup_is_cxx(c->scope);
}

static void make_name(struct buf *out, const char *op)
{
	buf_addf(out, "operator%s", op);
}

bool eval_has_operator(context *c, const struct value *object, const char *op)
{
	AUTO_BUF name = { 0 };

	make_name(&name, op);
	return is_object(c, object) && methods_has(object->type, buf_text(&name));
}

/* A function of a's class. NOT_FOUND, USAGE: none takes these. */
static struct error *call_own(context *c, const char *name, const struct value *a,
			      const struct value *b, struct value *ret)
{
	struct value all[2];
	struct eval_call what = { .name = name, .n = b ? 1 : 0 };

	if (b)
		all[1] = *b;
	struct error *err =
		methods_choose(c->scope, a, name, all, &what.n, &what.args, &what.function);
	return err ? err : c->call(c->caller, c->scope, &what, ret);
}

struct error *eval_operator(context *c, const char *op, const struct value *a,
			    const struct value *b, struct value *ret, bool *ret_done)
{
	AUTO_BUF text = { 0 };
	struct value all[2] = { *a };
	bool found;

	struct error *err = eval_of_container(c, op, a, b, ret, ret_done);
	if (err || *ret_done || !op || (!is_object(c, a) && !is_object(c, b)))
		return err;
	make_name(&text, op);
	const char *name = buf_text(&text);
	if (!buf_ok(&text))
		return &error_nomem;
	bool own = type_is_struct(a->type) && methods_takes(a, name, b, b ? 1 : 0);
	if (own) {
		*ret_done = true;
		return call_own(c, name, a, b, ret);
	}
	if (b)
		all[1] = *b;
	struct eval_call what = { .name = name, .args = all, .n = b ? 2 : 1 };
	err = methods_free(c->scope, name, all, what.n, &what.function, &found);
	if (err || !found)
		return err;
	*ret_done = true;
	return c->call(c->caller, c->scope, &what, ret);
}

static struct error *call_settled(context *c, const char *name, struct value *object)
{
	struct value v;
	struct error *err = call_own(c, name, object, NULL, &v);

	if (!err)
		err = reach_settle(c->scope, &v, false);
	if (!err)
		*object = v;
	return err;
}

struct error *eval_arrow(context *c, struct value *object, const char *member)
{
	struct value pointer;
	uint64_t offset;
	bool done;
	struct error *err = eval_of_container(c, "->", object, NULL, &pointer, &done);

	if (err || done) {
		*object = done ? pointer : *object;
		return err;
	}
	for (size_t i = 0; i < ARROWS_MAX && !err && eval_has_operator(c, object, "->") &&
			   !classes_field(object->type, member, &offset);
	     i++)
		err = call_settled(c, "operator->", object);
	return err;
}

struct error *eval_atomic(context *c, struct value *object)
{
	struct value held;
	bool known = false;
	struct error *err =
		type_is_struct(object->type)
			? container_operate(c->scope, object, "load", NULL, 0, &held, &known)
			: NULL;

	known = known || (!err && c->scope && container_bit_target(c->scope, object, &held));
	if (!err && known)
		*object = held;
	return err;
}

struct error *eval_object_number(context *c, struct value *object)
{
	bool yes, known = false;
	struct error *err = eval_atomic(c, object);

	if (!err)
		err = container_truth(c->scope, object, &yes, &known);
	if (!err && known)
		*object = value_of_int(&type_bool, yes);
	if (err || known || !is_object(c, object))
		return err;
	const char *name = methods_conversion(object->type);
	return name ? call_settled(c, name, object) : NULL;
}

struct error *eval_operator_assign(context *c, enum expr_op op, const struct value *to,
				   const struct value *from, struct value *ret, bool *ret_done)
{
	AUTO_BUF name = { 0 };
	const char *with = eval_operator_name(op);

	buf_addf(&name, "%s=", with ? with : "");
	*ret_done = false;
	return with && buf_ok(&name) ? eval_operator(c, buf_text(&name), to, from, ret, ret_done)
				     : NULL;
}
