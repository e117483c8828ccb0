/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/operate.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/casts.h"
#include "debugger/values/complex.h"
#include "debugger/values/fortran.h"
#include "debugger/values/lookup.h"
#include "debugger/values/reach.h"
#include "debugger/values/registers.h"
#include "debugger/values/siginfo.h"

/* p + 1, p - 1, p - q; other operators take pointers as numbers. true: it was one of those. */
static bool pointer_binary(enum expr_op op, const struct value *a, const struct number *x,
			   const struct value *b, const struct number *y, struct value *ret)
{
	if (op == EXPR_PLUS && reach_is_pointer(b) && !reach_is_pointer(a))
		return pointer_binary(op, b, y, a, x, ret);
	if ((op != EXPR_PLUS && op != EXPR_MINUS) || !reach_is_pointer(a))
		return false;
	uint64_t step = reach_step(a->type), left = (uint64_t)x->bits, right = (uint64_t)y->bits;
	if (reach_is_pointer(b) && op == EXPR_MINUS)
		*ret = value_of_int(&type_long,
				    (uint64_t)((int64_t)(left - right) / (int64_t)step));
	else if (reach_is_pointer(b))
		return false;
	else
		*ret = value_of_int(a->type,
				    op == EXPR_PLUS ? left + right * step : left - right * step);
	return true;
}

/* The Itanium C++ ABI, 2.3: of those to functions that are none the second word means nothing. */
static bool same_members(const struct value *a, const struct value *b)
{
	static const uint8_t none[sizeof(taddr)];
	const bool method = a->size > sizeof(none);
	const size_t size =
		method && !memcmp(a->bytes, none, sizeof(none)) ? sizeof(none) : a->size;

	return a->size == b->size && !memcmp(a->bytes, b->bytes, size);
}

static bool is_member_pointer(const struct value *v)
{
	return type_strip(v->type)->kind == TYPE_MEMBER_POINTER && !v->missing;
}

struct error *operate_binary(enum expr_op op, const struct value *a, const struct value *b,
			     struct value *ret)
{
	struct number x, y;

	if ((op == EXPR_EQUAL || op == EXPR_NOT_EQUAL) && is_member_pointer(a) &&
	    is_member_pointer(b)) {
		*ret = value_of_int(&type_int, same_members(a, b) == (op == EXPR_EQUAL));
		return NULL;
	}
	struct error *err = value_number(a, &x);

	if (!err)
		err = value_number(b, &y);
	if (err || pointer_binary(op, a, &x, b, &y, ret))
		return err;
	bool compares = op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL;
	if (!compares && (x.type->kind == TYPE_POINTER || y.type->kind == TYPE_POINTER))
		return error_new(ERROR_USAGE, "argument to arithmetic operation not a number or "
					      "boolean");
	if (x.type->kind == TYPE_POINTER)
		x.type = &type_unsigned_long;
	if (y.type->kind == TYPE_POINTER)
		y.type = &type_unsigned_long;
	return arithmetic_binary(op, &x, &y, ret);
}

/* A text that is shorter than what it is assigned to: zeros follow, as in an initializer. */
static bool is_shorter_text(const struct value *to, const struct value *from)
{
	const struct type *a = type_strip(to->type), *b = type_strip(from->type);

	return a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY && a != b && !a->is_fortran &&
	       a->target && b->target && type_is_text(a->target) && type_is_text(b->target) &&
	       to->place == VALUE_MEMORY && type_size(b) <= type_size(a);
}

static struct error *store_text(const struct scope *s, struct value *to, const struct value *from)
{
	enum { LARGEST = 1 << 20 };
	uint64_t size = type_size(to->type);
	AUTO_FREE uint8_t *bytes = size <= LARGEST ? calloc(1, size + 1) : NULL;

	if (!bytes)
		return error_new(ERROR_USAGE, "the value is too large to be assigned");
	struct error *err = value_copy(s, from, bytes, type_size(from->type));
	if (!err)
		err = target_write(s->session->target, to->addr, bytes, size);
	return err ? err : value_read_again(s, to);
}

struct error *operate_convert(const struct scope *s, const struct value *from,
			      const struct type *type, struct value *ret)
{
	const struct value to = { .type = type };

	return type->is_fortran  ? fortran_convert(s, from, type, ret)
	       : complex_is(&to) ? complex_convert(s, from, type, ret)
				 : casts_convert(from, type, ret);
}

struct error *operate_store(const struct scope *s, struct convenience *values, struct value *to,
			    const struct value *from)
{
	struct value converted;

	if (scope_asks_types(s)) {
		*to = to->place == VALUE_NAMED ? *from : *to;
		return NULL;
	}
	if (to->place == VALUE_NAMED) {
		struct error *err = convenience_set(values, to->name, from, lookup_types(s));
		*to = convenience_get(values, to->name);
		return err;
	}
	if (to->place == VALUE_NOWHERE)
		return to->missing ? value_missing(to)
				   : error_new(ERROR_USAGE,
					       "left operand of assignment is not an lvalue");
	if (is_shorter_text(to, from))
		return store_text(s, to, from);
	struct error *err = operate_convert(s, from, to->type, &converted);
	if (!err && to->place == VALUE_SIGNAL)
		err = siginfo_assign(s, to, &converted);
	else if (!err)
		err = value_write(s, to, &converted);
	if (err)
		return err;
	if (to->bit_size || !type_is_scalar(to->type))
		return value_read_again(s, to);
	memcpy(to->bytes, converted.bytes, sizeof(to->bytes));
	to->size = converted.size;
	to->missing = NULL;
	return NULL;
}
