/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operators and functions of classes: those of containers (container_ops.h), and the program's. */
#include <string.h>

#include "debugger/values/classes.h"
#include "debugger/values/container_compare.h"
#include "debugger/values/container_ops.h"
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/methods.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

struct error *eval_whole(context *c, const struct expr *e, struct value *ret)
{
	struct value inner;
	bool known;
	struct error *err = eval(c, e->kids[0], ret);

	if (!err)
		err = reach_settle(c->scope, ret, false);
	if (err || e->op != EXPR_DEREFERENCE || e->is_fortran || !type_is_struct(ret->type))
		return err;
	err = container_operate(c->scope, ret, "->", NULL, 0, &inner, &known);
	if (!err && known)
		*ret = inner;
	return err;
}

struct error *eval_container_index(context *c, const struct expr *e, const struct value *object,
				   struct value *ret, bool *ret_known)
{
	struct value index, last;
	struct number from, to;

	*ret_known = false;
	if (!type_is_struct(object->type))
		return NULL;
	struct error *err = eval(c, e->kids[1], &index);
	if (!err)
		err = reach_settle(c->scope, &index, false);
	if (!err && !e->kids[2])
		err = container_operate(c->scope, object, "[]", &index, 1, ret, ret_known);
	if (!err && !e->kids[2] && !*ret_known)
		return eval_operator(c, "[]", object, &index, ret, ret_known);
	if (err || !e->kids[2])
		return err;
	err = eval(c, e->kids[2], &last);
	if (!err)
		err = value_number(&last, &to);
	if (!err)
		err = value_number(&index, &from);
	return err ? err : container_slice(c->scope, object, &from, &to, ret, ret_known);
}

struct error *eval_container_unary(context *c, enum expr_op op, const struct value *object,
				   struct value *ret, bool *ret_known)
{
	bool yes;

	*ret_known = false;
	if (!type_is_struct(object->type))
		return NULL;
	if (op == EXPR_DEREFERENCE)
		return container_operate(c->scope, object, "*", NULL, 0, ret, ret_known);
	struct error *err = container_truth(c->scope, object, &yes, ret_known);
	if (!err && *ret_known)
		*ret = value_of_int(lookup_is_cxx(c->scope) ? &type_bool : &type_int, !yes);
	return err;
}

/* ---- get<0>(t) -------------------------------------------------------------------------- */

/* What stands between < and >. NULL: it is not such a call. */
static char *get_argument(const struct expr *what)
{
	const char *text = what->kind == EXPR_NAME && !what->file ? what->text : "";

	text += strncmp(text, "std::", 5) ? 0 : 5;
	size_t len = strlen(text);
	if (strncmp(text, "get<", 4) != 0 || text[len - 1] != '>')
		return NULL;
	return strndup(text + 4, len - 5);
}

struct error *eval_get(context *c, const struct expr *e, struct value *ret, bool *ret_known)
{
	AUTO_FREE char *argument = get_argument(e->kids[0]);
	const struct expr_type named = { .name = argument };
	const struct type *type = NULL;
	struct value object;
	struct error *err = NULL;

	*ret_known = false;
	if (!argument || !e->kids[1])
		return NULL;
	bool number = *argument && !argument[strspn(argument, "0123456789")];
	if (!number)
		err = lookup_type(c->scope, &named, &type);
	if (!err)
		err = eval(c, e->kids[1], &object);
	if (!err)
		err = reach_settle(c->scope, &object, false);
	return err ? err
		   : container_get_part(c->scope, &object, number ? argument : NULL, type, ret,
					ret_known);
}
