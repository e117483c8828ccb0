/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/fortran_functions.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "debugger/values/casts.h"
#include "debugger/values/fortran.h"
#include "debugger/values/reach.h"
#include "debugger/values/token_fortran.h"

typedef const struct scope scope;

/* A call: name is what was typed, row what the table has of it. */
struct call {
	scope *s;
	const char *name;
	int row;
	struct value *args;
	size_t n;
};

enum { LOWER, UPPER, EXTENT };
enum { FLOOR, CEILING, NEAREST, TOWARDS_ZERO };
enum { REST, REST_OF_FLOOR };
enum { SMALLEST, LARGEST };
enum { LENGTH, LENGTH_TRIMMED, TRIMMED };
enum { PART_RE, PART_IM, CONJUGATED };

static struct value integer(int64_t n)
{
	return value_of_int(token_fortran_type(TYPE_INT, n == (int32_t)n ? 4 : 8), (uint64_t)n);
}

static struct value truth(bool yes)
{
	return value_of_int(token_fortran_type(TYPE_BOOL, 4), yes);
}

static struct error *take_integer(struct call *c, size_t i, int64_t *ret)
{
	struct number n;
	struct error *err = fortran_settle(c->s, &c->args[i]);

	if (!err)
		err = value_number(&c->args[i], &n);
	if (!err && n.is_float)
		err = error_new(ERROR_USAGE, "argument %zu of %s is no integer", i + 1, c->name);
	*ret = err ? 0 : (int64_t)n.bits;
	return err;
}

static struct error *take_number(struct call *c, size_t i, struct number *ret)
{
	struct error *err = fortran_settle(c->s, &c->args[i]);

	return err ? err : value_number(&c->args[i], ret);
}

/* The kind that the last argument asks for, or that one. */
static struct error *take_kind(struct call *c, size_t i, uint64_t preset, uint64_t *ret)
{
	int64_t kind = (int64_t)preset;
	struct error *err = i < c->n ? take_integer(c, i, &kind) : NULL;

	*ret = (uint64_t)kind;
	return err;
}

static __float128 real_of(const struct number *n)
{
	if (n->is_float)
		return n->real;
	return n->type->is_signed ? (__float128)(__int128)n->bits : (__float128)n->bits;
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* What is asked of a CLASS is asked of what it holds. */
static struct error *open_class(struct call *c)
{
	const struct value whole = c->args[0];

	return !whole.missing && fortran_is_class(whole.type)
		       ? reach_member(c->s, &whole, "_data", &c->args[0])
		       : NULL;
}

static struct error *need_array(struct call *c)
{
	struct error *err = open_class(c);

	if (err)
		return err;
	if (c->args[0].missing && type_is_dynamic(c->args[0].type))
		return error_new(ERROR_USAGE, "the argument of %s is not there: %s", c->name,
				 c->args[0].missing);
	return fortran_rank(c->args[0].type)
		       ? NULL
		       : error_new(ERROR_USAGE, "%s can only be applied to arrays", c->name);
}

static struct error *bound(const struct call *c, int row, size_t i, int64_t *ret)
{
	const struct type *d = fortran_dimension(c->args[0].type, i);

	if (row != LOWER && d->unbounded)
		return error_new(ERROR_USAGE, "dimension %zu has no bounds: %s", i + 1,
				 d->unbounded);
	/* Of what is empty, by the standard. */
	*ret = row == EXTENT                ? (int64_t)d->count
	       : !d->count && !d->unbounded ? row == LOWER
	       : row == LOWER               ? d->lower
					    : d->lower + (int64_t)d->count - 1;
	return NULL;
}

static struct error *all_bounds(struct call *c, struct value *ret)
{
	const struct type like = { .target = token_fortran_type(TYPE_INT, 4),
				   .is_fortran = true,
				   .lower = 1,
				   .count = fortran_rank(c->args[0].type) };
	struct type_store *store;
	struct error *err = reach_types(c->s, &store);
	struct value v = { .type = err ? NULL : type_array_like(store, &like) };

	if (err || !v.type)
		return err ? err : &error_nomem;
	for (size_t i = 0; !err && i < like.count; i++) {
		int64_t n = 0;
		err = bound(c, c->row, i, &n);
		const int32_t narrow = (int32_t)n;
		memcpy(v.bytes + v.size, &narrow, sizeof(narrow));
		v.size += sizeof(narrow);
	}
	if (!err)
		*ret = v;
	return err;
}

static struct error *take_dimension(struct call *c, size_t *ret)
{
	size_t rank = fortran_rank(c->args[0].type);
	int64_t dim;
	struct error *err = take_integer(c, 1, &dim);

	if (!err && (dim < 1 || (size_t)dim > rank))
		err = error_new(ERROR_USAGE, "DIM argument to %s must be between 1 and %zu",
				c->name, rank);
	*ret = (size_t)dim - 1;
	return err;
}

static struct error *array_bound(struct call *c, struct value *ret)
{
	struct error *err = need_array(c);
	size_t dim;
	int64_t n = 0;

	if (err || c->n == 1)
		return err ? err : all_bounds(c, ret);
	err = take_dimension(c, &dim);
	if (!err)
		err = bound(c, c->row, dim, &n);
	if (!err)
		*ret = integer(n);
	return err;
}

static struct error *array_size(struct call *c, struct value *ret)
{
	struct error *err = need_array(c);
	int64_t all = 1, n = 0;

	if (err || c->n > 1)
		return err ? err : array_bound(c, ret);
	for (size_t i = 0; !err && i < fortran_rank(c->args[0].type); i++) {
		err = bound(c, EXTENT, i, &n);
		if (!err && __builtin_mul_overflow(all, n, &all))
			err = error_new(ERROR_USAGE, "the array is too large");
	}
	if (!err)
		*ret = integer(all);
	return err;
}

static struct error *array_rank(struct call *c, struct value *ret)
{
	*ret = integer((int64_t)fortran_rank(c->args[0].type));
	return NULL;
}

/* Of an array, or of what is kept as a pointer. */
static struct error *is_there(struct call *c, struct value *ret)
{
	const struct value *v = &c->args[0];
	taddr addr = 1;
	struct error *err = open_class(c);

	if (err)
		return err;
	const struct type *t = type_strip(v->type);
	if (v->missing && strncmp(v->missing, "not a", 5) != 0)
		return value_missing(v);
	if (!v->missing && t->kind == TYPE_POINTER) {
		err = value_address(v, &addr);
		if (err)
			return err;
	} else if (t->kind != TYPE_ARRAY || !(t->is_allocatable || t->is_pointer || t->is_string)) {
		return error_new(ERROR_USAGE,
				 "%s can only be applied to what is allocatable or a "
				 "pointer",
				 c->name);
	}
	*ret = truth(addr && !v->missing);
	return NULL;
}

static struct error *is_present(struct call *c, struct value *ret)
{
	const struct value *v = &c->args[0];
	bool absent = v->missing && !strcmp(v->missing, "absent");

	if (v->missing && !absent)
		return value_missing(v);
	*ret = truth(!absent);
	return NULL;
}

static struct error *location(struct call *c, struct value *ret)
{
	const struct value *v = &c->args[0];

	if (v->place != VALUE_MEMORY)
		return error_new(ERROR_USAGE,
				 "attempt to take address of value not located in memory");
	*ret = value_of_int(token_fortran_type(TYPE_INT, 8), v->addr);
	return NULL;
}

/* What all elements come to. */
static struct error *fold(struct call *c, struct value *ret)
{
	enum expr_op op = (enum expr_op)c->row;
	bool chooses = op == EXPR_LESS || op == EXPR_GREATER;
	struct value v, both;
	struct number better;
	uint64_t n = 0;
	struct error *err = !c->args[0].missing && fortran_is_class(c->args[0].type)
				    ? fortran_object(c->s, &c->args[0], &c->args[0])
				    : NULL;

	if (!err)
		err = need_array(c);
	if (!err)
		err = fortran_count(&c->args[0], &n);
	if (!err && !n)
		err = error_new(ERROR_USAGE, "the array is empty");
	if (!err)
		err = fortran_nth(c->s, &c->args[0], 0, ret);
	for (uint64_t i = 1; !err && i < n; i++) {
		err = fortran_nth(c->s, &c->args[0], i, &v);
		if (!err)
			err = fortran_binary(c->s, op, &v, ret, &both);
		if (!err && chooses)
			err = value_number(&both, &better);
		if (!err && (!chooses || value_is_true(&better)))
			*ret = chooses ? v : both;
	}
	ret->place = VALUE_NOWHERE;
	return err;
}

/* ---- numbers ----------------------------------------------------------------------------- */

static struct error *kind_of(struct call *c, struct value *ret)
{
	struct error *err = fortran_settle(c->s, &c->args[0]);
	const struct type *t = type_strip(c->args[0].type);

	while (!err && fortran_rank(t))
		t = type_strip(t->target);
	if (err)
		return err;
	const struct type *part = t->kind == TYPE_COMPLEX ? type_strip(t->target) : t;
	bool x87 = part->kind == TYPE_FLOAT && part->size == 16 && !part->is_quad;
	*ret = integer(type_is_string(t) ? 1 : x87 ? 10 : (int64_t)part->size);
	return NULL;
}

static struct error *absolute(struct call *c, struct value *ret)
{
	struct number re, im;
	struct error *err = fortran_settle(c->s, &c->args[0]);

	if (!err)
		err = fortran_parts(c->s, &c->args[0], &re, &im);
	if (err)
		return err;
	const struct type *t = type_strip(c->args[0].type);
	if (t->kind == TYPE_COMPLEX) {
		*ret = value_of_float(t->target,
				      hypotl((long double)re.real, (long double)im.real));
	} else if (re.is_float) {
		*ret = value_of_float(t, re.real < 0 ? -re.real : re.real);
	} else {
		re.bits = t->is_signed && (__int128)re.bits < 0 ? 0 - re.bits : re.bits;
		*ret = value_of_number(t, &re);
	}
	return NULL;
}

static struct error *rest(struct call *c, struct value *ret)
{
	struct number a, b;
	struct error *err = take_number(c, 0, &a);

	if (!err)
		err = take_number(c, 1, &b);
	if (err)
		return err;
	if (a.is_float || b.is_float) {
		long double x = (long double)real_of(&a), y = (long double)real_of(&b);
		long double r = fmodl(x, y);
		if (c->row == REST_OF_FLOOR && r != 0 && (r < 0) != (y < 0))
			r += y;
		*ret = value_of_float(a.is_float ? a.type : b.type, r);
		return NULL;
	}
	__int128 x = (__int128)a.bits, y = (__int128)b.bits, r = y == 0 || y == -1 ? 0 : x % y;
	if (y == 0)
		return error_new(ERROR_USAGE, "division by zero");
	if (c->row == REST_OF_FLOOR && r != 0 && (r < 0) != (y < 0))
		r += y;
	struct number n = { .type = a.type, .bits = (unsigned __int128)r };
	*ret = value_of_number(a.type->size >= b.type->size ? a.type : b.type, &n);
	return NULL;
}

static struct error *whole(struct call *c, struct value *ret)
{
	struct number re, im;
	uint64_t kind;
	struct error *err = fortran_settle(c->s, &c->args[0]);

	if (!err)
		err = fortran_parts(c->s, &c->args[0], &re, &im);
	if (!err)
		err = take_kind(c, 1, 4, &kind);
	if (err)
		return err;
	const struct type *type = token_fortran_type(TYPE_INT, kind);
	if (!type)
		return error_new(ERROR_USAGE, "there are no integers of that kind");
	long double x = (long double)re.real;
	re.real = c->row == FLOOR     ? floorl(x)
		  : c->row == CEILING ? ceill(x)
		  : c->row == NEAREST ? roundl(x)
				      : truncl(x);
	*ret = value_of_number(type, &re);
	return NULL;
}

static struct error *as_real(struct call *c, struct value *ret)
{
	struct number re, im;
	uint64_t kind;
	struct error *err = fortran_settle(c->s, &c->args[0]);
	const struct type *t = type_strip(c->args[0].type);

	if (!err)
		err = fortran_parts(c->s, &c->args[0], &re, &im);
	if (!err)
		err = take_kind(c, 1,
				c->row                    ? 8
				: t->kind == TYPE_COMPLEX ? t->size / 2
							  : 4,
				&kind);
	if (err)
		return err;
	const struct type *type = token_fortran_type(TYPE_FLOAT, kind);
	if (!type)
		return error_new(ERROR_USAGE, "there are no reals of that kind");
	*ret = value_of_float(type, real_of(&re));
	return NULL;
}

static struct error *root(struct call *c, struct value *ret)
{
	struct number n;
	struct error *err = take_number(c, 0, &n);

	if (!err && !n.is_float)
		err = error_new(ERROR_USAGE, "the argument of %s is no real number", c->name);
	if (!err)
		*ret = value_of_float(n.type, sqrtl((long double)n.real));
	return err;
}

static struct error *extreme(struct call *c, struct value *ret)
{
	struct number best, n;
	size_t at = 0;
	struct error *err = take_number(c, 0, &best);

	for (size_t i = 1; !err && i < c->n; i++) {
		err = take_number(c, i, &n);
		if (!err && (c->row == LARGEST ? real_of(&n) > real_of(&best)
					       : real_of(&n) < real_of(&best))) {
			best = n;
			at = i;
		}
	}
	if (!err)
		*ret = c->args[at];
	ret->place = VALUE_NOWHERE;
	return err;
}

/* ---- complex numbers and texts ----------------------------------------------------------- */

static struct error *as_complex(struct call *c, struct value *ret)
{
	struct number re, im;
	uint64_t kind;
	struct error *err = take_kind(c, 2, 4, &kind);

	for (size_t i = 0; !err && i < 2 && i < c->n; i++)
		err = fortran_settle(c->s, &c->args[i]);
	if (!err && c->n == 1) {
		err = fortran_parts(c->s, &c->args[0], &re, &im);
		const struct value parts[] = { value_of_float(&type_long_double, re.real),
					       value_of_float(&type_long_double, im.real) };
		if (err || type_strip(c->args[0].type)->kind == TYPE_COMPLEX)
			return err ? err : fortran_complex(c->s, &parts[0], &parts[1], kind, ret);
		c->args[1] = parts[1];
	}
	return err ? err : fortran_complex(c->s, &c->args[0], &c->args[1], kind, ret);
}

static struct error *part(struct call *c, struct value *ret)
{
	struct number re, im;
	struct error *err = fortran_settle(c->s, &c->args[0]);
	const struct type *t = type_strip(c->args[0].type);

	if (!err && t->kind != TYPE_COMPLEX)
		err = error_new(ERROR_USAGE, "the argument of %s is no complex number", c->name);
	if (!err)
		err = fortran_parts(c->s, &c->args[0], &re, &im);
	if (err)
		return err;
	const struct value parts[] = { value_of_float(t->target, re.real),
				       value_of_float(t->target,
						      c->row == CONJUGATED ? -im.real : im.real) };
	if (c->row == CONJUGATED)
		return fortran_complex(c->s, &parts[0], &parts[1], t->size / 2, ret);
	*ret = parts[c->row];
	return NULL;
}

static struct error *text(struct call *c, struct value *ret)
{
	AUTO_BUF read = { 0 };
	struct error *err = fortran_settle(c->s, &c->args[0]);
	const struct type *t = type_strip(c->args[0].type);

	while (!err && c->row == LENGTH && fortran_rank(t))
		t = type_strip(t->target);
	if (!err && c->args[0].missing && type_is_string(t) && !t->count)
		return value_missing(&c->args[0]);
	if (!err && c->row == LENGTH && type_is_string(t)) {
		*ret = integer((int64_t)t->count);
		return NULL;
	}
	if (!err)
		err = fortran_read_text(c->s, &c->args[0], &read);
	if (err)
		return err;
	size_t n = read.len;
	while (n && read.data[n - 1] == ' ')
		n--;
	if (c->row == TRIMMED)
		return fortran_text(c->s, read.data, n, ret);
	*ret = integer((int64_t)n);
	return NULL;
}

/* ---- the table --------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t least, most; /* arguments */
	struct error *(*call)(struct call *c, struct value *ret);
	int row;
} functions[] = {
	{ "lbound", 1, 2, array_bound, LOWER },
	{ "ubound", 1, 2, array_bound, UPPER },
	{ "shape", 1, 1, array_bound, EXTENT },
	{ "size", 1, 2, array_size, EXTENT },
	{ "rank", 1, 1, array_rank, 0 },
	{ "allocated", 1, 1, is_there, 0 },
	{ "associated", 1, 1, is_there, 0 },
	{ "present", 1, 1, is_present, 0 },
	{ "sum", 1, 1, fold, EXPR_PLUS },
	{ "product", 1, 1, fold, EXPR_TIMES },
	{ "minval", 1, 1, fold, EXPR_LESS },
	{ "maxval", 1, 1, fold, EXPR_GREATER },
	{ "all", 1, 1, fold, EXPR_AND_THEN },
	{ "any", 1, 1, fold, EXPR_OR_ELSE },
	{ "loc", 1, 1, location, 0 },
	{ "kind", 1, 1, kind_of, 0 },
	{ "abs", 1, 1, absolute, 0 },
	{ "mod", 2, 2, rest, REST },
	{ "modulo", 2, 2, rest, REST_OF_FLOOR },
	{ "floor", 1, 2, whole, FLOOR },
	{ "ceiling", 1, 2, whole, CEILING },
	{ "nint", 1, 2, whole, NEAREST },
	{ "int", 1, 2, whole, TOWARDS_ZERO },
	{ "real", 1, 2, as_real, 0 },
	{ "dble", 1, 1, as_real, 1 },
	{ "sqrt", 1, 1, root, 0 },
	{ "min", 2, FORTRAN_ARGUMENTS_MAX, extreme, SMALLEST },
	{ "max", 2, FORTRAN_ARGUMENTS_MAX, extreme, LARGEST },
	{ "cmplx", 1, 3, as_complex, 0 },
	{ "aimag", 1, 1, part, PART_IM },
	{ "conjg", 1, 1, part, CONJUGATED },
	{ "len", 1, 1, text, LENGTH },
	{ "len_trim", 1, 1, text, LENGTH_TRIMMED },
	{ "trim", 1, 1, text, TRIMMED },
};

enum { NUM_FUNCTIONS = sizeof(functions) / sizeof(*functions) };

static size_t find(const char *name)
{
	size_t i = 0;

	while (i < NUM_FUNCTIONS && strcasecmp(functions[i].name, name) != 0)
		i++;
	return i;
}

bool fortran_functions_find(const char *name)
{
	return find(name) < NUM_FUNCTIONS;
}

struct error *fortran_functions_call(const struct scope *s, const char *name, struct value *args,
				     size_t n, struct value *ret)
{
	size_t row = find(name);
	struct call c = { s, name, functions[row].row, args, n };

	if (n < functions[row].least || n > functions[row].most)
		return error_new(ERROR_USAGE, "%s takes %s%zu argument%s", name,
				 functions[row].least < functions[row].most ? "up to " : "",
				 functions[row].most, functions[row].most == 1 ? "" : "s");
	return functions[row].call(&c, ret);
}
