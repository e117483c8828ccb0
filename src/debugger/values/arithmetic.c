/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/arithmetic.h"

#include <limits.h>

/* C++17, 7.6: what an enumeration becomes is what holds its values; in C its compiler chooses. */
static bool is_enum_of_int(const struct type *t)
{
	bool fits = t->kind == TYPE_ENUM && t->is_cxx && t->size == type_int.size;

	for (size_t i = 0; fits && i < t->nenumerators; i++)
		fits = t->enumerators[i].value <= INT_MAX;
	return fits;
}

/*
 * C11, 6.3.1.1: what is smaller than int becomes int. The rest is called by its plain name,
 * whatever it was called in the program.
 */
static const struct type *promote(const struct type *t)
{
	static const struct type *const integers[][2] = {
		{ &type_unsigned_int, &type_int },
		{ &type_unsigned_long, &type_long },
		{ &type_unsigned_int128, &type_int128 },
	};

	t = type_strip(t);
	if (t->kind == TYPE_FLOAT && (t->size == 2 || t->size == 16))
		return t;
	if (t->kind == TYPE_FLOAT || t->kind == TYPE_POINTER)
		return t->size == 4                            ? &type_float
		       : t->size == 8 && t->kind == TYPE_FLOAT ? &type_double
							       : t;
	if (t->size < 4 || is_enum_of_int(t))
		return &type_int;
	return integers[t->size <= 4 ? 0 : t->size <= 8 ? 1 : 2][t->is_signed];
}

/* C11, 6.3.1.8 */
const struct type *arithmetic_type(const struct type *a, const struct type *b)
{
	a = promote(a);
	b = promote(b);
	if ((a->kind == TYPE_FLOAT) != (b->kind == TYPE_FLOAT))
		return a->kind == TYPE_FLOAT ? a : b;
	if (a->size != b->size)
		return a->size > b->size ? a : b;
	if (a->kind == TYPE_FLOAT)
		return b->is_quad ? b : a;
	return a->is_signed && !b->is_signed ? b : a;
}

/* C11, 6.5.15; a pointer stays what it is, and what stands beside it is NULL, or of its type. */
const struct type *arithmetic_common_type(const struct type *a, const struct type *b)
{
	a = type_strip(a);
	b = type_strip(b);
	return a == b || a->kind == TYPE_POINTER ? a
	       : b->kind == TYPE_POINTER         ? b
						 : arithmetic_type(a, b);
}

/* The number as that type holds it. */
static struct number convert(const struct number *n, const struct type *type)
{
	struct value v = value_of_number(type, n);
	struct number ret = *n;
	struct error *err = value_number(&v, &ret);

	error_ignore(err);
	return ret;
}

/*
 * Each width has operations of its own: what is rounded to a wider one first may be rounded to
 * something else. Two bytes are computed in four, as processors do (C23, annex H).
 */
#define COMPUTE(width)                                                                             \
	static __float128 compute_##width(enum expr_op op, __float128 x, __float128 y)             \
	{                                                                                          \
		width##_number a = (width##_number)x, b = (width##_number)y;                       \
		return op == EXPR_PLUS    ? a + b                                                  \
		       : op == EXPR_MINUS ? a - b                                                  \
		       : op == EXPR_TIMES ? a * b                                                  \
					  : a / b;                                                 \
	}
typedef float single_number;
typedef double twice_number;
typedef long double extended_number;
typedef __float128 quad_number;
COMPUTE(single)
COMPUTE(twice)
COMPUTE(extended)
COMPUTE(quad)

static struct error *float_binary(enum expr_op op, const struct type *type, __float128 a,
				  __float128 b, struct value *ret)
{
	if (op != EXPR_PLUS && op != EXPR_MINUS && op != EXPR_TIMES && op != EXPR_DIVIDE)
		return error_new(ERROR_USAGE, "integer operation on a floating-point number");
	*ret = value_of_float(type, type->size <= 4   ? compute_single(op, a, b)
				    : type->size == 8 ? compute_twice(op, a, b)
				    : type->is_quad   ? compute_quad(op, a, b)
						      : compute_extended(op, a, b));
	return NULL;
}

static bool compare(enum expr_op op, bool less, bool equal, bool unordered)
{
	switch ((int)op) {
	case EXPR_EQUAL:
		return equal;
	case EXPR_NOT_EQUAL:
		return !equal;
	case EXPR_LESS:
		return less;
	case EXPR_LESS_OR_EQUAL:
		return less || equal;
	case EXPR_GREATER:
		return !less && !equal && !unordered;
	default:
		return !less && !unordered;
	}
}

static bool is_comparison(enum expr_op op)
{
	return op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL;
}

typedef unsigned __int128 bits;

static struct error *divide(enum expr_op op, bool is_signed, bits a, bits b, bits *ret)
{
	if (b == 0)
		return error_new(ERROR_USAGE, "division by zero");
	if (!is_signed)
		*ret = op == EXPR_DIVIDE ? a / b : a % b;
	else if (b == (bits)-1)
		*ret = op == EXPR_DIVIDE ? 0 - a : 0;
	else
		*ret = (bits)(op == EXPR_DIVIDE ? (__int128)a / (__int128)b
						: (__int128)a % (__int128)b);
	return NULL;
}

static struct error *integer_binary(enum expr_op op, bool is_signed, bits a, bits b, bits *ret)
{
	switch ((int)op) {
	case EXPR_PLUS:
		*ret = a + b;
		return NULL;
	case EXPR_MINUS:
		*ret = a - b;
		return NULL;
	case EXPR_TIMES:
		*ret = a * b;
		return NULL;
	case EXPR_DIVIDE:
	case EXPR_REST:
		return divide(op, is_signed, a, b, ret);
	case EXPR_AND:
		*ret = a & b;
		return NULL;
	case EXPR_OR:
		*ret = a | b;
		return NULL;
	default:
		*ret = a ^ b;
		return NULL;
	}
}

/* The type is that of the left one alone (C11, 6.5.7). */
static struct error *shift(enum expr_op op, const struct number *a, const struct number *b,
			   struct value *ret)
{
	const struct type *type = promote(a->type);
	struct number left = convert(a, type);
	unsigned int by = b->bits < 128 ? (unsigned int)b->bits : 127;

	if (a->is_float || b->is_float)
		return error_new(ERROR_USAGE, "integer operation on a floating-point number");
	bool gone = b->bits >= 8 * type->size;
	if (op == EXPR_SHIFT_LEFT)
		left.bits = gone ? 0 : left.bits << by;
	else if (type->is_signed)
		left.bits = (bits)((__int128)left.bits >> by);
	else
		left.bits = gone ? 0 : left.bits >> by;
	*ret = value_of_number(type, &left);
	return NULL;
}

struct error *arithmetic_binary(enum expr_op op, const struct number *a, const struct number *b,
				struct value *ret)
{
	const struct type *type = arithmetic_type(a->type, b->type);
	struct number x = convert(a, type), y = convert(b, type), result = { .type = type };

	if (op == EXPR_SHIFT_LEFT || op == EXPR_SHIFT_RIGHT)
		return shift(op, a, b, ret);
	if (is_comparison(op)) {
		bool less = x.is_float        ? x.real < y.real
			    : type->is_signed ? (__int128)x.bits < (__int128)y.bits
					      : x.bits < y.bits;
		bool equal = x.is_float ? x.real == y.real : x.bits == y.bits;
		bool unordered = x.is_float && __builtin_isunordered(x.real, y.real);
		*ret = value_of_int(&type_int, compare(op, less, equal, unordered));
		return NULL;
	}
	if (x.is_float)
		return float_binary(op, type, x.real, y.real, ret);
	struct error *err = integer_binary(op, type->is_signed, x.bits, y.bits, &result.bits);
	if (!err)
		*ret = value_of_number(type, &result);
	return err;
}

struct error *arithmetic_unary(enum expr_op op, const struct number *a, struct value *ret)
{
	const struct type *type = promote(a->type);
	struct number n = convert(a, type);

	switch ((int)op) {
	case EXPR_NOT:
		*ret = value_of_int(&type_int, !value_is_true(a));
		return NULL;
	case EXPR_INVERT:
		if (a->is_float)
			return error_new(ERROR_USAGE, "argument to complement operation not an "
						      "integer, boolean");
		n.bits = ~n.bits;
		break;
	case EXPR_NEGATE:
		n.bits = 0 - n.bits;
		n.real = -n.real;
		break;
	default:
		break;
	}
	*ret = value_of_number(type, &n);
	return NULL;
}
