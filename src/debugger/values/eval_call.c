/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls: of what the debugger answers itself, of functions of the program. */
#include <string.h>

#include "debugger/values/container_ops.h"
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/functions.h"
#include "debugger/values/lookup.h"
#include "debugger/values/methods.h"
#include "debugger/values/original.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

/* Arguments are one expression, with commas between them. */
static struct error *take_arguments(context *c, const struct expr *e, struct value *args, size_t *n)
{
	if (!e)
		return NULL;
	if (e->kind == EXPR_BINARY && e->op == EXPR_COMMA) {
		struct error *err = take_arguments(c, e->kids[0], args, n);
		return err ? err : take_arguments(c, e->kids[1], args, n);
	}
	if (*n == EVAL_ARGUMENTS_MAX)
		return error_new(ERROR_USAGE, "too many arguments");
	struct error *err = eval(c, e, &args[*n]);
	return err ? err : reach_settle(c->scope, &args[(*n)++], false);
}

/* object.method() and method() of the object that the function is called for: *ret_this is that. */
static bool finds_method(context *c, const struct expr *e, struct value *ret_this,
			 struct error **ret_err)
{
	struct error *err;

	*ret_this = (struct value){ .type = &type_void };
	if (e->kind == EXPR_MEMBER)
		err = eval_whole(c, e, ret_this);
	else if (e->kind == EXPR_NAME && !e->file && c->scope->thread &&
		 lookup_is_local(c->scope, "this"))
		err = lookup_name(c->scope, NULL, "this", ret_this);
	else
		return false;
	if (!err && reach_is_pointer(ret_this))
		err = reach_target(c->scope, ret_this, 0, ret_this);
	*ret_err = err;
	return err || methods_has(ret_this->type, e->text);
}

struct error *eval_call_as(context *c, const struct expr *e, const struct type *returns,
			   struct value *ret)
{
	const struct expr *what = e->kids[0];
	struct value args[1 + EVAL_ARGUMENTS_MAX], object;
	struct eval_call call = { .name = what->text ? what->text : "?", .args = args + 1 };
	struct error *err = NULL;
	bool known = false, method = finds_method(c, what, &object, &err);

	if (!err)
		err = take_arguments(c, e->kids[1], args + 1, &call.n);
	if (!err && what->kind == EXPR_MEMBER)
		err = container_operate(c->scope, &object, what->text, args + 1, call.n, ret,
					&known);
	if (err || known)
		return err;
	method &= c->scope->thread != NULL;
	if (!method)
		err = eval(c, what, &call.function);
	if (!err && !method)
		err = reach_settle(c->scope, &call.function, true);
	if (!err && method)
		err = methods_choose(c->scope, &object, what->text, args, &call.n, &call.args,
				     &call.function);
	if (!err && !method && what->kind == EXPR_NAME)
		err = methods_overloaded(c->scope, what->text, call.args, call.n, &call.function);
	if (err)
		return err;
	if (methods_result_is_unknown(&call.function) && !returns)
		return error_new(ERROR_USAGE,
				 "'%s' has unknown return type; cast the call to its "
				 "declared return type",
				 call.name);
	call.returns = methods_result_is_unknown(&call.function) ? returns : NULL;
	return c->call ? c->call(c->caller, c->scope, &call, ret)
		       : error_new(ERROR_UNSUPPORTED, "functions of the program are not called "
						      "here");
}

struct error *eval_own_call(context *c, const struct expr *e, struct value *ret)
{
	struct value args[EVAL_ARGUMENTS_MAX];
	size_t n = 0;
	struct error *err = take_arguments(c, e->kids[1], args, &n);

	return err ? err : functions_call(c->scope, e->kids[0]->text + 1, args, n, ret);
}

struct error *eval_call(context *c, const struct expr *e, struct value *ret)
{
	if (e->kids[0]->kind == EXPR_DOLLAR && functions_find(e->kids[0]->text + 1))
		return eval_own_call(c, e, ret);
	if (original_is_asked(c->scope, e))
		return original_value(c->scope, e, ret);
	bool known;
	struct error *err = eval_get(c, e, ret, &known);
	return err || known ? err : eval_call_as(c, e, NULL, ret);
}
