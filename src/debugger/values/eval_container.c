/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What expressions ask of containers. */
#include <string.h>

#include "base/text.h"
#include "debugger/values/container_compare.h"
#include "debugger/values/container_iterators.h"
#include "debugger/values/container_ops.h"
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

static enum expr_op find_operator(const char *name)
{
	enum expr_op op = EXPR_EQUAL;

	while (op <= EXPR_GREATER_OR_EQUAL && strcmp(name, eval_operator_name(op)) != 0)
		op++;
	return op;
}

struct error *eval_of_container(context *c, const char *op, const struct value *a,
				const struct value *b, struct value *ret, bool *ret_done)
{
	bool yes = false;
	struct error *err;

	*ret_done = false;
	if (!op || !c->scope || (!type_is_struct(a->type) && !(b && type_is_struct(b->type))))
		return NULL;
	if (b && strcmp(op, "[]") != 0) {
		err = container_iterator_operate(c->scope, op, a, b, ret, ret_done);
		if (err || *ret_done)
			return err;
		err = container_compared(c->scope, find_operator(op), a, b, &yes, ret_done);
	} else if (!strcmp(op, "!")) {
		err = container_truth(c->scope, a, &yes, ret_done);
		yes = !yes;
	} else {
		return container_operate(c->scope, a, op, b, b != NULL, ret, ret_done);
	}
	if (!err && *ret_done)
		*ret = value_of_int(&type_bool, yes);
	return err;
}

struct error *eval_object_index(context *c, const struct expr *e, const struct value *object,
				struct value *ret, bool *ret_done)
{
	struct value index, last;
	struct number from, to;

	*ret_done = false;
	if (!type_is_struct(object->type))
		return NULL;
	struct error *err = eval(c, e->kids[1], &index);
	if (!err)
		err = reach_settle(c->scope, &index, false);
	if (err || !e->kids[2])
		return err ? err : eval_operator(c, "[]", object, &index, ret, ret_done);
	err = eval(c, e->kids[2], &last);
	if (!err)
		err = value_number(&last, &to);
	if (!err)
		err = value_number(&index, &from);
	return err ? err : container_slice(c->scope, object, &from, &to, ret, ret_done);
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

struct error *eval_get(context *c, const struct expr *e, struct value *ret, bool *ret_done)
{
	AUTO_FREE char *argument = get_argument(e->kids[0]);
	const struct expr_type named = { .name = argument };
	const struct type *type = NULL;
	struct value object;
	struct error *err = NULL;

	*ret_done = false;
	if (!argument || !e->kids[1])
		return NULL;
	bool number = text_is_number(argument);
	if (!number)
		err = lookup_type(c->scope, &named, &type);
	if (!err)
		err = eval(c, e->kids[1], &object);
	if (!err)
		err = reach_settle(c->scope, &object, false);
	return err ? err
		   : container_get_part(c->scope, &object, number ? argument : NULL, type, ret,
					ret_done);
}
