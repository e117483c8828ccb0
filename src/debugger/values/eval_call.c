/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/classes.h"
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
	struct error *err = eval_referred(c, e, &args[*n]);
	*n += !err;
	return err;
}

/* object.method() and method() of the object that the function is called for: *ret_this is that. */
static bool finds_method(context *c, const struct expr *e, struct value *ret_this,
			 struct error **ret_err)
{
	struct error *err;

	*ret_this = (struct value){ .type = &type_void };
	if (e->kind == EXPR_MEMBER)
		err = eval_referred(c, e->kids[0], ret_this);
	else if (e->kind == EXPR_NAME && !e->file && c->scope->thread &&
		 lookup_is_local(c->scope, "this"))
		err = lookup_name(c->scope, NULL, "this", ret_this);
	else
		return false;
	bool own =
		!err && methods_has(ret_this->type, e->text) && !container_is_known(ret_this->type);
	if (!err && e->op == EXPR_DEREFERENCE && !own)
		err = eval_arrow(c, ret_this, e->text);
	if (!err && reach_is_pointer(ret_this))
		err = reach_target(c->scope, ret_this, 0, ret_this);
	*ret_err = err;
	return err || (c->scope->thread && methods_has(ret_this->type, e->text));
}

/* (object.*member)(...): the object is the first argument. */
static struct error *find_callee(context *c, const struct expr *what, struct value *ret,
				 struct value *ret_this, bool *ret_of_member)
{
	struct value object, member;
	bool arrow = what->kind == EXPR_BINARY && what->op == EXPR_OF_ARROW;

	*ret_of_member = arrow || (what->kind == EXPR_BINARY && what->op == EXPR_OF_MEMBER);
	if (!*ret_of_member) {
		struct error *err = eval(c, what, ret);
		return err ? err : reach_settle(c->scope, ret, !type_is_struct(ret->type));
	}
	struct error *err = eval_referred(c, what->kids[0], &object);
	if (!err && arrow)
		err = reach_target(c->scope, &object, 0, &object);
	if (!err)
		err = eval_referred(c, what->kids[1], &member);
	return err ? err : classes_method(c->scope, &object, &member, ret, ret_this);
}

/* returns: what the user says that it returns, where nothing else tells. */
struct error *eval_call_of(context *c, const struct expr *e, const struct type *returns,
			   struct value *ret)
{
	const struct expr *what = e->kids[0];
	struct value args[1 + EVAL_ARGUMENTS_MAX], object;
	struct eval_call call = { .name = what->text ? what->text : "?", .args = args + 1 };
	const char *name = what->text;
	bool of_member = false, done = false, taken = false;
	struct error *err = NULL;
	bool method = finds_method(c, what, &object, &err);

	if (!err && method && object.missing)
		return value_missing(&object);
	if (!err && what->kind == EXPR_MEMBER && type_is_struct(object.type)) {
		taken = true;
		err = take_arguments(c, e->kids[1], args + 1, &call.n);
		if (!err)
			err = container_operate(c->scope, &object, what->text, args + 1, call.n,
						ret, &done);
	}
	if (err || done)
		return err;
	if (!method)
		err = find_callee(c, what, &call.function, args, &of_member);
	/* An object that can be called. */
	if (!err && !method && eval_has_operator(c, &call.function, "()")) {
		object = call.function;
		name = "operator()";
		method = true;
	}
	if (!err && !taken)
		err = take_arguments(c, e->kids[1], args + 1, &call.n);
	if (!err && method)
		err = methods_choose(c->scope, &object, name, args, &call.n, &call.args,
				     &call.function);
	if (!err && of_member) {
		call.args = args;
		call.n++;
	}
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

/* orig(x): a member is looked for before what is global, and behind the function's own. */
static struct error *eval_original(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *of = e->kids[1];
	bool own = of && of->kind == EXPR_NAME && lookup_is_local(c->scope, of->text);
	struct error *err = own ? original_value(c->scope, e, ret) : NULL, *of_member = NULL;

	if ((own && !error_is(err, ERROR_USAGE)) || !eval_original_member(c, of, ret, &of_member))
		return own ? err : original_value(c->scope, e, ret);
	error_ignore(err);
	return of_member;
}

struct error *eval_call(context *c, const struct expr *e, struct value *ret)
{
	if (e->kids[0]->kind == EXPR_DOLLAR && functions_find(e->kids[0]->text + 1))
		return eval_own_call(c, e, ret);
	if (original_is_asked(c->scope, e))
		return eval_original(c, e, ret);
	bool done;
	struct error *err = eval_get(c, e, ret, &done);
	return err || done ? err : eval_call_of(c, e, NULL, ret);
}
