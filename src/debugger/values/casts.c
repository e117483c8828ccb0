/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/casts.h"

#include <string.h>

#include "debugger/values/reach.h"

struct error *casts_convert(const struct value *from, const struct type *type, struct value *ret)
{
	const struct type *t = type_strip(type);
	struct number n;

	if (t->kind == TYPE_VOID) {
		*ret = (struct value){ .type = type };
		return NULL;
	}
	if (!type_is_scalar(t)) {
		if (type_strip(from->type) != t)
			return error_new(ERROR_USAGE, "invalid cast");
		*ret = *from;
		ret->type = type;
		return NULL;
	}
	struct error *err = value_number(from, &n);
	if (!err)
		*ret = value_of_number(type, &n);
	return err;
}

/* What is in memory is read as something else. */
static struct error *refer(const struct scope *s, const struct value *v, const struct type *type,
			   struct value *ret)
{
	const struct type *to = type_strip(type);

	if (v->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE,
				 "attempt to take address of value not located in memory");
	return value_read(s, to->target ? to->target : &type_void, v->addr, ret);
}

/* Of the same size: the bytes stay as they are. */
static struct error *reinterpret(const struct value *v, const struct type *type, struct value *ret)
{
	const struct type *to = type_strip(type), *from = type_strip(v->type);
	bool address = type_is_pointer(to) || type_is_pointer(from);

	if (v->missing)
		return value_missing(v);
	if (from->kind == TYPE_FLOAT || to->kind == TYPE_FLOAT || !type_is_scalar(to) ||
	    !type_is_scalar(from) || (!address && from->kind != to->kind))
		return error_new(ERROR_USAGE, "invalid reinterpret_cast");
	return casts_convert(v, type, ret);
}

struct error *casts_apply(const struct scope *s, enum expr_op op, struct value v,
			  const struct type *type, struct value *ret)
{
	/* Data that only the symbol table knows is what it is said to be. */
	if (v.type == &type_data_symbol)
		return value_read(s, type, v.addr, ret);
	bool reference = type_strip(type)->kind == TYPE_REFERENCE;
	struct error *err = reach_settle(s, &v, !reference);
	if (err)
		return err;
	if (reference)
		return refer(s, &v, type, ret);
	return op == EXPR_REINTERPRET ? reinterpret(&v, type, ret) : casts_convert(&v, type, ret);
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* System V ABI, AMD64, 3.1.2: numbers lie at multiples of their size. */
uint64_t casts_alignment(const struct type *type)
{
	const struct type *t = type_strip(type);

	for (size_t i = 0; t->kind == TYPE_ARRAY && t->target && i < 8; i++)
		t = type_strip(t->target);
	return t->size ? t->size : 1;
}
