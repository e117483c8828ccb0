/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/fortran.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/casts.h"
#include "debugger/values/reach.h"
#include "debugger/values/token_fortran.h"

enum { TEXT_MAX = 1 << 16 };

struct error *fortran_settle(const struct scope *s, struct value *v)
{
	struct error *err = reach_settle(s, v, false);
	const struct type *t = type_strip(v->type);
	taddr addr;

	if (err || v->missing || t->kind != TYPE_POINTER || !t->is_fortran || !t->target)
		return err;
	err = value_address(v, &addr);
	if (err)
		return err;
	if (!addr)
		return error_new(ERROR_USAGE, "the pointer is not associated");
	return type_strip(t->target)->kind == TYPE_FUNCTION ? NULL
							    : value_read(s, t->target, addr, v);
}

static bool is_complex(const struct value *v)
{
	return type_strip(v->type)->kind == TYPE_COMPLEX;
}

/* The same number, of the type that Fortran has for it. */
static void name_type(struct value *v)
{
	const struct type *t = type_strip(v->type);
	const struct type *own = token_fortran_like(t);

	if (own && t->kind != TYPE_BOOL)
		v->type = own;
}

static struct value truth(bool yes)
{
	return value_of_int(token_fortran_type(TYPE_BOOL, 4), yes);
}

/* ---- members ----------------------------------------------------------------------------- */

/* What an extended type inherits is a member with the name of the type. */
static const struct type_member *parent_of(const struct type *t)
{
	size_t n;
	const struct type_member *m = type_members(t, &n);
	const char *name = n && type_is_struct(m->type) ? type_strip(m->type)->name : NULL;

	return name && m->name && !strcasecmp(name, m->name) ? m : NULL;
}

const struct type *fortran_array_of(struct type_store *store, const struct type *array,
				    const struct type *part)
{
	const struct type *t = type_strip(array), *inner = type_strip(t->target);
	struct type like = *t;

	like.stride = type_stride(t);
	like.target = inner->is_row ? fortran_array_of(store, inner, part) : part;
	return like.target ? type_array_like(store, &like) : NULL;
}

/* points%x: an array of that component. false: it is none of a plain component in memory. */
static bool component_array(const struct scope *s, const struct value *whole, const char *name,
			    struct value *ret)
{
	const struct type *of =
		fortran_rank(whole->type) ? fortran_dimension(whole->type, 0)->target : &type_void;
	size_t n;
	const struct type_member *m = type_members(of, &n);
	struct type_store *store;

	while (n && (!m->name || strcasecmp(m->name, name) != 0))
		m++, n--;
	if (!n || m->kind != MEMBER_FIELD || m->bit_size || m->where || whole->missing ||
	    whole->place != VALUE_MEMORY || whole->block || !type_size(m->type))
		return false;
	struct error *err = reach_types(s, &store);
	error_ignore(err);
	const struct type *type = err ? NULL : fortran_array_of(store, whole->type, m->type);
	if (!type)
		return false;
	*ret = (struct value){ .type = type,
			       .place = VALUE_MEMORY,
			       .addr = whole->addr + m->offset };
	return true;
}

struct error *fortran_member(const struct scope *s, const struct value *whole, const char *name,
			     struct value *ret)
{
	enum { PARENTS_MAX = 32 };
	struct value inner = *whole;

	if (component_array(s, whole, name, ret))
		return NULL;
	for (size_t i = 0; i < PARENTS_MAX; i++) {
		struct value next;
		struct error *err = reach_member(s, &inner, name, ret);
		if (!error_is(err, ERROR_NOT_FOUND))
			return err;
		const struct type_member *parent = parent_of(inner.type);
		error_ignore(err);
		if (parent)
			err = value_member(s, &inner, parent, &next);
		else if (fortran_is_class(inner.type))
			err = fortran_object(s, &inner, &next);
		else
			break;
		if (!err && component_array(s, &next, name, ret))
			return NULL;
		if (!err)
			err = fortran_settle(s, &next);
		error_ignore(err);
		if (err)
			break;
		inner = next;
	}
	return reach_member(s, whole, name, ret);
}

/* ---- complex numbers --------------------------------------------------------------------- */

static __float128 real_of(const struct number *n)
{
	if (n->is_float)
		return n->real;
	return n->type->is_signed ? (__float128)(__int128)n->bits : (__float128)n->bits;
}

struct error *fortran_parts(const struct scope *s, const struct value *v, struct number *ret_re,
			    struct number *ret_im)
{
	const struct type *t = type_strip(v->type);
	struct value part;

	if (v->missing)
		return value_missing(v);
	if (t->kind != TYPE_COMPLEX) {
		*ret_im = (struct number){ .type = &type_double, .is_float = true };
		return value_number(v, ret_re);
	}
	struct error *err = value_part(s, v, t->target, 0, &part);
	if (!err)
		err = value_number(&part, ret_re);
	if (!err)
		err = value_part(s, v, t->target, type_size(t->target), &part);
	return err ? err : value_number(&part, ret_im);
}

static struct error *make_complex(__float128 re, __float128 im, uint64_t size, struct value *ret)
{
	const struct type *type = token_fortran_type(TYPE_COMPLEX, 2 * size);

	if (!type)
		return error_new(ERROR_USAGE, "there are no complex numbers of that kind");
	const struct value parts[] = { value_of_float(type->target, re),
				       value_of_float(type->target, im) };
	*ret = (struct value){ .type = type, .size = 2 * size };
	memcpy(ret->bytes, parts[0].bytes, size);
	memcpy(ret->bytes + size, parts[1].bytes, size);
	return NULL;
}

static uint64_t part_size(const struct value *v)
{
	const struct type *t = type_strip(v->type);

	return t->kind == TYPE_COMPLEX ? type_size(t->target) : t->kind == TYPE_FLOAT ? t->size : 4;
}

struct error *fortran_complex(const struct scope *s, const struct value *re, const struct value *im,
			      uint64_t size, struct value *ret)
{
	uint64_t a = part_size(re), b = part_size(im);
	struct number x, y, none;
	struct error *err = fortran_parts(s, re, &x, &none);

	if (!err)
		err = fortran_parts(s, im, &y, &none);
	if (err)
		return err;
	return make_complex(real_of(&x), real_of(&y), size ? size : a > b ? a : b, ret);
}

/* Whole numbers as a product, so that it is exact where it can be. */
static struct error *complex_power(const struct number base[2], const struct number by[2],
				   uint64_t size, struct value *ret)
{
	__float128 x = real_of(&base[0]), y = real_of(&base[1]), re = 1, im = 0, next;

	if (by[0].is_float) {
		long double complex z = cpowl(__builtin_complex((long double)x, (long double)y),
					      __builtin_complex((long double)real_of(&by[0]),
								(long double)real_of(&by[1])));
		return make_complex(creall(z), cimagl(z), size, ret);
	}
	__int128 n = (__int128)by[0].bits;
	for (unsigned __int128 left = (unsigned __int128)(n < 0 ? -n : n); left; left >>= 1) {
		if (left & 1) {
			next = re * x - im * y;
			im = re * y + im * x;
			re = next;
		}
		next = x * x - y * y;
		y = 2 * x * y;
		x = next;
	}
	__float128 norm = n < 0 ? re * re + im * im : 1;
	return make_complex(re / norm, n < 0 ? -im / norm : im, size, ret);
}

static struct error *complex_binary(const struct scope *s, enum expr_op op, const struct value *a,
				    const struct value *b, struct value *ret)
{
	struct number n[4];
	struct error *err = fortran_parts(s, a, &n[0], &n[1]);

	if (!err)
		err = fortran_parts(s, b, &n[2], &n[3]);
	if (err)
		return err;
	__float128 x = real_of(&n[0]), y = real_of(&n[1]), u = real_of(&n[2]), v = real_of(&n[3]);
	__float128 norm = u * u + v * v;
	uint64_t p = part_size(a), q = part_size(b), size = p > q ? p : q;
	switch ((int)op) {
	case EXPR_PLUS:
		return make_complex(x + u, y + v, size, ret);
	case EXPR_MINUS:
		return make_complex(x - u, y - v, size, ret);
	case EXPR_TIMES:
		return make_complex(x * u - y * v, x * v + y * u, size, ret);
	case EXPR_DIVIDE:
		return make_complex((x * u + y * v) / norm, (y * u - x * v) / norm, size, ret);
	case EXPR_POWER:
		return complex_power(&n[0], &n[2], size, ret);
	case EXPR_EQUAL:
	case EXPR_NOT_EQUAL:
		*ret = truth((x == u && y == v) == (op == EXPR_EQUAL));
		return NULL;
	default:
		return error_new(ERROR_USAGE, "complex numbers have no such operator");
	}
}

/* ---- numbers ----------------------------------------------------------------------------- */

static struct error *integer_power(struct number a, __int128 n, struct value *ret)
{
	const struct type *type = arithmetic_type(a.type, a.type);
	struct number result = { .type = type, .bits = 1 };
	bool unit = a.bits == 1 || (__int128)a.bits == -1;

	if (n < 0 && a.bits == 0)
		return error_new(ERROR_USAGE, "division by zero");
	if (n < 0 && !unit) {
		result.bits = 0;
		n = 0;
	}
	for (n = n < 0 ? -n : n; n; n >>= 1) {
		if (n & 1)
			result.bits *= a.bits;
		a.bits *= a.bits;
	}
	*ret = value_of_number(type, &result);
	return NULL;
}

static struct error *power(const struct number *a, const struct number *b, struct value *ret)
{
	if (!a->is_float && !b->is_float)
		return integer_power(*a, (__int128)b->bits, ret);
	const struct type *type = arithmetic_type(a->type, b->type);
	__float128 base = real_of(a), result = 1;
	if (b->is_float) {
		*ret = value_of_float(type, powl((long double)base, (long double)b->real));
		return NULL;
	}
	__int128 n = (__int128)b->bits;
	for (unsigned __int128 left = (unsigned __int128)(n < 0 ? -n : n); left; left >>= 1) {
		if (left & 1)
			result *= base;
		base *= base;
	}
	*ret = value_of_float(type, n < 0 ? 1 / result : result);
	return NULL;
}

static bool is_comparison(enum expr_op op)
{
	return op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL;
}

static struct error *number_binary(enum expr_op op, const struct value *a, const struct value *b,
				   struct value *ret)
{
	struct number x, y;
	struct error *err = value_number(a, &x);

	if (!err)
		err = value_number(b, &y);
	if (err)
		return err;
	switch ((int)op) {
	case EXPR_AND_THEN:
		*ret = truth(value_is_true(&x) && value_is_true(&y));
		return NULL;
	case EXPR_OR_ELSE:
		*ret = truth(value_is_true(&x) || value_is_true(&y));
		return NULL;
	case EXPR_EQUIVALENT:
	case EXPR_UNLIKE:
		*ret = truth((value_is_true(&x) == value_is_true(&y)) == (op == EXPR_EQUIVALENT));
		return NULL;
	case EXPR_POWER:
		err = power(&x, &y, ret);
		break;
	default:
		err = arithmetic_binary(op, &x, &y, ret);
		break;
	}
	if (!err && is_comparison(op))
		*ret = truth(ret->bytes[0]);
	if (!err)
		name_type(ret);
	return err;
}

/* ---- texts ------------------------------------------------------------------------------- */

struct error *fortran_text(const struct scope *s, const char *text, size_t len, struct value *ret)
{
	const struct type like = { .is_string = true,
				   .is_fortran = true,
				   .target = &type_char,
				   .count = len,
				   .lower = 1 };
	struct type_store *store;
	struct error *err = reach_types(s, &store);
	if (err)
		return err;
	const struct type *type = type_array_like(store, &like);
	struct value v = { .type = type, .size = len < VALUE_BYTES_MAX ? len : VALUE_BYTES_MAX };
	struct value_block *block = len > VALUE_BYTES_MAX ? value_block_new(s, len) : NULL;
	if (!type || (len > VALUE_BYTES_MAX && !block))
		return &error_nomem;
	if (len)
		memcpy(block ? block->bytes : v.bytes, text, len);
	v.block = block;
	*ret = v;
	return NULL;
}

struct error *fortran_read_text(const struct scope *s, const struct value *v, struct buf *ret)
{
	uint64_t n = type_size(v->type);

	if (v->missing)
		return value_missing(v);
	if (!type_is_string(v->type))
		return error_new(ERROR_USAGE, "it is no text");
	AUTO_FREE char *text = n <= TEXT_MAX ? calloc(1, n + 1) : NULL;
	if (!text)
		return error_new(ERROR_USAGE, "the text is too long");
	struct error *err = value_copy(s, v, text, n);
	if (err)
		return err;
	buf_add(ret, text, n);
	return buf_ok(ret) ? NULL : &error_nomem;
}

/* The shorter one goes on in blanks. */
static int compare_texts(const struct buf *a, const struct buf *b)
{
	size_t n = a->len > b->len ? a->len : b->len;

	for (size_t i = 0; i < n; i++) {
		int x = i < a->len ? (unsigned char)a->data[i] : ' ';
		int y = i < b->len ? (unsigned char)b->data[i] : ' ';
		if (x != y)
			return x - y;
	}
	return 0;
}

static struct error *text_binary(const struct scope *s, enum expr_op op, const struct value *a,
				 const struct value *b, struct value *ret)
{
	AUTO_BUF x = { 0 }, y = { 0 };
	struct error *err = fortran_read_text(s, a, &x);

	if (!err)
		err = fortran_read_text(s, b, &y);
	if (err)
		return err;
	if (op == EXPR_JOIN) {
		buf_add(&x, y.data, y.len);
		return buf_ok(&x) ? fortran_text(s, x.data, x.len, ret) : &error_nomem;
	}
	if (!is_comparison(op))
		return error_new(ERROR_USAGE, "texts have no such operator");
	const struct value order = value_of_int(&type_int, (uint64_t)compare_texts(&x, &y));
	const struct value zero = value_of_int(&type_int, 0);
	return number_binary(op, &order, &zero, ret);
}

/* ---- all of them ------------------------------------------------------------------------- */

struct error *fortran_binary(const struct scope *s, enum expr_op op, const struct value *a,
			     const struct value *b, struct value *ret)
{
	if (a->missing || b->missing)
		return value_missing(a->missing ? a : b);
	if (fortran_rank(a->type) || fortran_rank(b->type))
		return fortran_elementwise(s, op, a, b, ret);
	if (type_is_string(a->type) || type_is_string(b->type))
		return text_binary(s, op, a, b, ret);
	if (is_complex(a) || is_complex(b))
		return complex_binary(s, op, a, b, ret);
	if (op == EXPR_JOIN)
		return error_new(ERROR_USAGE, "only texts are joined by //");
	return number_binary(op, a, b, ret);
}

struct error *fortran_unary(const struct scope *s, enum expr_op op, const struct value *a,
			    struct value *ret)
{
	const struct value zero = value_of_int(&type_int, 0);
	struct number n;

	if (fortran_rank(a->type))
		return fortran_elementwise(s, op, a, NULL, ret);
	if (is_complex(a) && op == EXPR_NEGATE)
		return complex_binary(s, EXPR_MINUS, &zero, a, ret);
	struct error *err = value_number(a, &n);
	if (!err && op == EXPR_NOT)
		*ret = truth(!value_is_true(&n));
	else if (!err)
		err = arithmetic_unary(op, &n, ret);
	if (!err)
		name_type(ret);
	return err;
}

struct error *fortran_convert(const struct scope *s, const struct value *from,
			      const struct type *type, struct value *ret)
{
	const struct type *t = type_strip(type);
	struct number re, im;

	if (t->kind == TYPE_COMPLEX) {
		struct error *err = fortran_parts(s, from, &re, &im);
		if (!err)
			err = make_complex(real_of(&re), real_of(&im), t->size / 2, ret);
		ret->type = type;
		return err;
	}
	if (!type_is_string(t))
		return casts_convert(from, type, ret);
	AUTO_BUF text = { 0 };
	struct error *err = fortran_read_text(s, from, &text);
	while (!err && text.len < t->count && t->count <= TEXT_MAX && buf_ok(&text))
		buf_addc(&text, ' ');
	if (!err)
		err = buf_ok(&text) && text.len >= t->count
			      ? fortran_text(s, text.data, t->count, ret)
			      : &error_nomem;
	return err;
}
