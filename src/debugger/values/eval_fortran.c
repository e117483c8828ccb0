/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/eval.h"
#include "debugger/values/eval_parts.h"
#include "debugger/values/fortran.h"
#include "debugger/values/fortran_functions.h"
#include "debugger/values/functions.h"
#include "debugger/values/lookup.h"
#include "debugger/values/original.h"
#include "debugger/values/reach.h"

typedef const struct eval_context context;

static struct error *eval_of_fortran(context *c, const struct expr *e, struct value *ret)
{
	struct error *err = eval(c, e, ret);

	return err ? err : fortran_settle(c->scope, ret);
}

struct error *eval_fortran(context *c, const struct expr *e, struct value *ret)
{
	struct value a, b;
	struct error *err = eval_of_fortran(c, e->kids[0], &a);

	if (!err && e->kind == EXPR_UNARY)
		return fortran_unary(c->scope, e->op, &a, ret);
	if (!err)
		err = eval_of_fortran(c, e->kids[1], &b);
	if (!err && e->kind == EXPR_COMPLEX)
		return fortran_complex(c->scope, &a, &b, 0, ret);
	return err ? err : fortran_binary(c->scope, e->op, &a, &b, ret);
}

/* ---- elements of Fortran ---------------------------------------------------------------- */

struct subscripts {
	struct fortran_subscript items[FORTRAN_RANK_MAX];
	size_t n;
};

static struct error *eval_bound(context *c, const struct expr *e, bool *ret_has, int64_t *ret)
{
	struct value v;
	struct number n;

	if (ret_has)
		*ret_has = e != NULL;
	if (!e)
		return NULL;
	struct error *err = eval_of_fortran(c, e, &v);
	if (!err)
		err = value_number(&v, &n);
	if (!err && n.is_float)
		err = error_new(ERROR_USAGE, "a subscript is no integer");
	if (!err)
		*ret = (int64_t)n.bits;
	return err;
}

static struct error *take_subscripts(context *c, const struct expr *e, struct subscripts *ret)
{
	if (e && e->kind == EXPR_BINARY && e->op == EXPR_COMMA) {
		struct error *err = take_subscripts(c, e->kids[0], ret);
		return err ? err : take_subscripts(c, e->kids[1], ret);
	}
	if (!e || ret->n == FORTRAN_RANK_MAX)
		return error_new(ERROR_USAGE, "wrong number of subscripts");
	struct fortran_subscript *one = &ret->items[ret->n++];
	*one = (struct fortran_subscript){ .is_section = e->kind == EXPR_SECTION, .stride = 1 };
	if (!one->is_section)
		return eval_bound(c, e, NULL, &one->lower);
	struct error *err = eval_bound(c, e->kids[0], &one->has_lower, &one->lower);
	if (!err)
		err = eval_bound(c, e->kids[1], &one->has_upper, &one->upper);
	return err ? err : eval_bound(c, e->kids[2], NULL, &one->stride);
}

/* What the user has called so comes first. */
static bool is_intrinsic(context *c, const struct expr *e)
{
	struct variable v;

	return e->kind == EXPR_NAME && fortran_functions_find(e->text) &&
	       !lookup_variable(c->scope, NULL, e->text, &v);
}

/* The arguments of an intrinsic are taken as they are: pointers may be what it asks about. */
static struct error *take_plain(context *c, const struct expr *e, struct value *args, size_t *n)
{
	if (e && e->kind == EXPR_BINARY && e->op == EXPR_COMMA) {
		struct error *err = take_plain(c, e->kids[0], args, n);
		return err ? err : take_plain(c, e->kids[1], args, n);
	}
	if (*n == FORTRAN_ARGUMENTS_MAX)
		return error_new(ERROR_USAGE, "too many arguments");
	if (!e)
		return NULL;
	struct error *err = eval(c, e, &args[*n]);
	return err ? err : reach_settle(c->scope, &args[(*n)++], false);
}

/* Also by a procedure pointer. */
static bool is_procedure(const struct type *t)
{
	t = type_strip(t);
	if (t->kind == TYPE_POINTER && t->target)
		t = type_strip(t->target);
	return t->kind == TYPE_FUNCTION;
}

struct error *eval_element(context *c, const struct expr *e, struct value *ret)
{
	const struct expr *of = e->kids[0];
	struct subscripts subscripts = { .n = 0 };
	struct value array;

	if (of->kind == EXPR_DOLLAR && functions_find(of->text + 1))
		return eval_own_call(c, e, ret);
	if (original_is_asked(c->scope, e))
		return original_value(c->scope, e, ret);
	if (is_intrinsic(c, of)) {
		struct value args[FORTRAN_ARGUMENTS_MAX];
		size_t n = 0;
		struct error *err = take_plain(c, e->kids[1], args, &n);
		return err ? err : fortran_functions_call(c->scope, of->text, args, n, ret);
	}
	struct error *err = eval_of_fortran(c, of, &array);
	if (!err && is_procedure(array.type))
		return eval_call(c, e, ret);
	if (!err && fortran_is_class(array.type))
		err = fortran_object(c->scope, &array, &array);
	if (!err)
		err = take_subscripts(c, e->kids[1], &subscripts);
	return err ? err : fortran_element(c->scope, &array, subscripts.items, subscripts.n, ret);
}

struct error *eval_section(context *c, const struct expr *e, struct value *ret)
{
	(void)c, (void)e, (void)ret;
	return error_new(ERROR_USAGE, "a section is only a subscript");
}
