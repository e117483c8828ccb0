/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"

static struct error *unknown_type(const char *name)
{
	return error_new(ERROR_USAGE, "'%s' has unknown type; cast it to its declared type", name);
}

struct error *eval_parse(const struct eval_context *c, const char *text, bool one,
			 struct expr **ret, const char **ret_end)
{
	const struct expr_options options = {
		.is_type = lookup_is_type,
		.is_known = lookup_is_known,
		.context = (void *)c->scope,
		.words = lookup_is_cxx(c->scope),
		.fortran = lookup_is_fortran(c->scope),
		.one = one,
	};

	return expr_parse(text, &options, ret, ret_end);
}

struct error *eval_shown(const struct eval_context *c, const char *text, struct value *ret)
{
	AUTO_EXPR *e = NULL;
	struct error *err = eval_parse(c, text, false, &e, NULL);

	if (!err)
		err = eval(c, e, ret);
	if (!err && ret->type == &type_data_symbol)
		err = unknown_type(e->kind == EXPR_NAME ? e->text : "it");
	return expr_near(err, text);
}

struct error *eval_text(const struct eval_context *c, const char *text, struct value *ret)
{
	struct error *err = eval_shown(c, text, ret);

	return err ? err : expr_near(reach_settle(c->scope, ret, false), text);
}

struct error *eval_address(const struct eval_context *c, const char *text, taddr *ret)
{
	AUTO_EXPR *e = NULL;
	struct value v;
	struct error *err = eval_parse(c, text, false, &e, NULL);

	if (!err)
		err = eval(c, e, &v);
	if (!err)
		err = reach_settle(c->scope, &v, false);
	if (!err && v.type == &type_data_symbol) {
		*ret = v.addr;
		return NULL;
	}
	return expr_near(err ? err : value_address(&v, ret), text);
}

struct error *eval_integer(const struct eval_context *c, const char *text, int64_t *ret)
{
	taddr n;
	struct error *err = eval_address(c, text, &n);

	if (!err)
		*ret = (int64_t)n;
	return err;
}

struct error *eval_condition(const struct eval_context *c, const char *text, bool *ret)
{
	struct value v;
	struct number n;
	struct error *err = eval_text(c, text, &v);

	if (!err)
		err = reach_settle(c->scope, &v, true);
	if (!err)
		err = eval_object_number(c, &v);
	if (!err)
		err = value_number(&v, &n);
	if (!err)
		*ret = value_is_true(&n);
	return expr_near(err, text);
}
