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

/* One that the class itself has is called. */
static struct error *call_operator(context *c, const struct value *object, const char *sign,
				   struct value *all, size_t n, struct value *ret, bool *ret_known)
{
	AUTO_BUF name = { 0 };
	struct eval_call call = { .n = n };

	buf_addf(&name, "operator%s", sign);
	call.name = buf_text(&name);
	*ret_known = c->call && c->scope->thread && methods_has(object->type, call.name);
	if (!*ret_known)
		return NULL;
	struct error *err = methods_choose(c->scope, object, call.name, all, &call.n, &call.args,
					   &call.function);
	if (!err)
		err = c->call(c->caller, c->scope, &call, ret);
	return err ? err : reach_settle(c->scope, ret, false);
}

struct error *eval_operator(context *c, const struct value *object, const char *sign,
			    const struct value *arg, struct value *ret, bool *ret_known)
{
	struct value all[2] = { 0 };
	size_t n = arg != NULL;

	*ret_known = false;
	if (!type_is_struct(object->type))
		return NULL;
	struct error *err = container_operate(c->scope, object, sign, arg, n, ret, ret_known);
	if (err || *ret_known)
		return err;
	if (arg)
		all[1] = *arg;
	return call_operator(c, object, sign, all, n, ret, ret_known);
}

struct error *eval_whole(context *c, const struct expr *e, struct value *ret)
{
	struct value inner;
	bool known;
	struct error *err = eval(c, e->kids[0], ret);

	if (!err)
		err = reach_settle(c->scope, ret, false);
	if (err || e->op != EXPR_DEREFERENCE || e->is_fortran)
		return err;
	err = eval_operator(c, ret, "->", NULL, &inner, &known);
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
	if (err || !e->kids[2])
		return err ? err : eval_operator(c, object, "[]", &index, ret, ret_known);
	err = eval(c, e->kids[2], &last);
	if (!err)
		err = value_number(&last, &to);
	if (!err)
		err = value_number(&index, &from);
	return err ? err : container_slice(c->scope, object, &from, &to, ret, ret_known);
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
