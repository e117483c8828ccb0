/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/eval.h"

/* Instead of a call: what the function returns. */
static struct error *call_nobody(void *caller, const struct scope *s, const struct eval_call *call,
				 struct value *ret)
{
	const struct type *t = type_strip(call->function.type);

	(void)caller, (void)s;
	if (t->kind == TYPE_POINTER && t->target)
		t = type_strip(t->target);
	if (t->kind != TYPE_FUNCTION)
		return error_new(ERROR_USAGE, "what is called is no function");
	*ret = (struct value){ .type = call->returns ? call->returns
				       : t->target   ? t->target
						     : &type_void };
	value_set_nothing(ret);
	return NULL;
}

void eval_set_aside(const struct eval_context *c, enum scope_asks asks, struct eval_aside *ret)
{
	ret->scope = c->scope ? *c->scope : (struct scope){ 0 };
	ret->context = *c;
	ret->context.scope = &ret->scope;
	if (asks > ret->scope.asks)
		ret->scope.asks = asks;
	if (asks != SCOPE_TYPES)
		return;
	ret->scope.cells = NULL;
	ret->context.call = call_nobody;
}

struct error *eval_type(const struct eval_context *c, const struct expr *e, struct value *ret)
{
	struct eval_aside types;

	eval_set_aside(c, SCOPE_TYPES, &types);
	return eval(&types.context, e, ret);
}
