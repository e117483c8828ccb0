/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/complex.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/fortran.h"

/* A complex number and the type of its parts. */
struct parts {
	__float128 re, im;
	const struct type *type;
};

bool complex_is(const struct value *v)
{
	return type_strip(v->type)->kind == TYPE_COMPLEX;
}

static __float128 real_of(const struct number *n)
{
	if (n->is_float)
		return n->real;
	return n->type->is_signed ? (__float128)(__int128)n->bits : (__float128)n->bits;
}

static struct error *parts_of(const struct scope *s, const struct value *v, struct parts *ret)
{
	const struct type *t = type_strip(v->type);
	struct number re, im;
	struct error *err = fortran_parts(s, v, &re, &im);

	if (err)
		return err;
	*ret = (struct parts){ real_of(&re), real_of(&im),
			       t->kind == TYPE_COMPLEX ? type_strip(t->target) : t };
	return NULL;
}

/* A number of the parts' type: an integer becomes a double. */
static struct error *make(const struct parts *from, struct value *ret)
{
#define COMPLEX(its_name, part, its_size)                                                          \
	{                                                                                          \
		.kind = TYPE_COMPLEX, .name = (its_name), .size = (its_size), .target = (part)     \
	}
	static const struct type half = {
		.kind = TYPE_FLOAT, .name = "_Float16", .size = 2, .is_signed = true
	};
	static const struct type types[] = {
		COMPLEX("complex float", &type_float, 8),
		COMPLEX("complex double", &type_double, 16),
		COMPLEX("complex long double", &type_long_double, 32),
		COMPLEX("complex _Float16", &half, 4),
	};
	const struct type *type = from->type->kind != TYPE_FLOAT ? &types[1]
				  : from->type->size == 2        ? &types[3]
				  : from->type->size == 4        ? &types[0]
				  : from->type->size == 8        ? &types[1]
								 : &types[2];

	if (from->type->is_quad)
		return error_new(ERROR_USAGE, "there are no complex numbers of that kind");
	const struct value re = value_of_float(type->target, from->re),
			   im = value_of_float(type->target, from->im);
	*ret = (struct value){ .type = type, .size = type->size };
	memcpy(ret->bytes, re.bytes, re.size);
	memcpy(ret->bytes + re.size, im.bytes, im.size);
	return NULL;
}

struct error *complex_imaginary(const struct type *part, __float128 n, struct value *ret)
{
	return make(&(struct parts){ .im = n, .type = part }, ret);
}

struct error *complex_binary(const struct scope *s, enum expr_op op, const struct value *a,
			     const struct value *b, struct value *ret)
{
	struct parts x, y;
	struct error *err = parts_of(s, a, &x);

	if (!err)
		err = parts_of(s, b, &y);
	if (err)
		return err;
	struct parts z = { .type = arithmetic_type(x.type, y.type) };
	__float128 norm = y.re * y.re + y.im * y.im;
	switch ((int)op) {
	case EXPR_PLUS:
		z.re = x.re + y.re, z.im = x.im + y.im;
		break;
	case EXPR_MINUS:
		z.re = x.re - y.re, z.im = x.im - y.im;
		break;
	case EXPR_TIMES:
		z.re = x.re * y.re - x.im * y.im, z.im = x.re * y.im + x.im * y.re;
		break;
	case EXPR_DIVIDE:
		z.re = (x.re * y.re + x.im * y.im) / norm;
		z.im = (x.im * y.re - x.re * y.im) / norm;
		break;
	case EXPR_EQUAL:
	case EXPR_NOT_EQUAL:
		*ret = value_of_int(&type_int,
				    (x.re == y.re && x.im == y.im) == (op == EXPR_EQUAL));
		return NULL;
	default:
		return error_new(ERROR_USAGE, "invalid operation on complex numbers");
	}
	return make(&z, ret);
}

struct error *complex_unary(const struct scope *s, enum expr_op op, const struct value *v,
			    struct value *ret)
{
	struct parts z;
	struct error *err = parts_of(s, v, &z);

	if (err)
		return err;
	if (op == EXPR_NOT) {
		*ret = value_of_int(&type_int, z.re == 0 && z.im == 0);
		return NULL;
	}
	if (op == EXPR_NEGATE)
		z.re = -z.re;
	if (op == EXPR_NEGATE || op == EXPR_INVERT)
		z.im = -z.im;
	return make(&z, ret);
}

struct error *complex_convert(const struct scope *s, const struct value *v, const struct type *to,
			      struct value *ret)
{
	const struct type *part = type_strip(type_strip(to)->target);
	struct parts z;
	struct error *err = parts_of(s, v, &z);

	if (err)
		return err;
	const struct value re = value_of_float(part, z.re), im = value_of_float(part, z.im);
	*ret = (struct value){ .type = to, .size = re.size + im.size };
	memcpy(ret->bytes, re.bytes, re.size);
	memcpy(ret->bytes + re.size, im.bytes, im.size);
	return NULL;
}

struct error *complex_part(const struct scope *s, const struct value *v, bool imaginary,
			   struct value *ret)
{
	struct parts z;
	struct error *err = parts_of(s, v, &z);

	if (err)
		return err;
	if (!complex_is(v))
		return error_new(ERROR_USAGE, "expected a complex number");
	*ret = value_of_float(z.type, imaginary ? z.im : z.re);
	return NULL;
}
