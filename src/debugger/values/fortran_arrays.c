/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "debugger/values/fortran.h"
#include "debugger/values/reach.h"

enum { ELEMENTS_MAX = 1 << 20 };

struct error *fortran_count(const struct value *v, uint64_t *ret)
{
	size_t rank = fortran_rank(v->type);

	if (v->missing)
		return value_missing(v);
	*ret = 1;
	for (size_t i = 0; i < rank; i++) {
		const struct type *d = fortran_dimension(v->type, i);
		if (d->unbounded)
			return error_new(ERROR_USAGE, "dimension %zu has no bounds: %s", i + 1,
					 d->unbounded);
		if (__builtin_mul_overflow(*ret, d->count, ret) || *ret > ELEMENTS_MAX)
			return error_new(ERROR_USAGE, "the array is too large");
	}
	return NULL;
}

struct error *fortran_nth(const struct scope *s, const struct value *v, uint64_t n,
			  struct value *ret)
{
	struct fortran_subscript at[FORTRAN_RANK_MAX];
	size_t rank = fortran_rank(v->type);

	if (!rank) {
		*ret = *v;
		return NULL;
	}
	for (size_t i = 0; i < rank; i++) {
		const struct type *d = fortran_dimension(v->type, i);
		at[i] = (struct fortran_subscript){
			.lower = d->lower + (int64_t)(n % d->count),
		};
		n /= d->count;
	}
	return fortran_element(s, v, at, rank, ret);
}

static bool fits(const struct value *a, const struct value *b)
{
	size_t n = fortran_rank(a->type), m = fortran_rank(b->type);

	if (!n || !m)
		return true;
	for (size_t i = 0; n == m && i < n; i++) {
		if (fortran_dimension(a->type, i)->count != fortran_dimension(b->type, i)->count)
			return false;
	}
	return n == m;
}

/* As an array of that shape, whose bounds begin with 1. NULL: out of memory. */
static const struct type *of_shape(struct type_store *store, const struct type *shape,
				   const struct type *element)
{
	const struct type *type = element;
	size_t rank = fortran_rank(shape);

	for (size_t i = 0; type && i < rank; i++) {
		const struct type like = { .is_fortran = true,
					   .target = type,
					   .lower = 1,
					   .count = fortran_dimension(shape, i)->count,
					   .is_row = i + 1 < rank };
		type = type_array_like(store, &like);
	}
	return type;
}

static struct error *operate_on(const struct scope *s, enum expr_op op, const struct value *a,
				const struct value *b, uint64_t i, struct value *ret)
{
	struct value x, y;
	struct error *err = fortran_nth(s, a, i, &x);

	if (!err && b)
		err = fortran_nth(s, b, i, &y);
	if (err)
		return err;
	return b ? fortran_binary(s, op, &x, &y, ret) : fortran_unary(s, op, &x, ret);
}

/* All elements of a result are of one type: that of the first. */
static struct error *add_element(const struct scope *s, const struct value *element,
				 struct buf *bytes)
{
	uint64_t size = type_size(element->type);
	AUTO_FREE char *here = size <= VALUE_KEEP_MAX ? malloc(size + 1) : NULL;

	if (!here || bytes->len + size > VALUE_KEEP_MAX)
		return error_new(ERROR_USAGE, "the array is too large");
	struct error *err = value_copy(s, element, here, size);
	if (err)
		return err;
	buf_add(bytes, here, size);
	return buf_ok(bytes) ? NULL : &error_nomem;
}

struct error *fortran_elementwise(const struct scope *s, enum expr_op op, const struct value *a,
				  const struct value *b, struct value *ret)
{
	const struct value *shape = fortran_rank(a->type) ? a : b;
	const struct type *element = fortran_dimension(shape->type, 0)->target;
	struct type_store *store;
	AUTO_BUF bytes = { 0 };
	struct value v;
	uint64_t n;

	if (b && !fits(a, b))
		return error_new(ERROR_USAGE, "the arrays have different shapes");
	struct error *err = reach_types(s, &store);
	if (!err)
		err = fortran_count(shape, &n);
	for (uint64_t i = 0; !err && i < n; i++) {
		err = operate_on(s, op, a, b, i, &v);
		element = err || i ? element : v.type;
		if (!err)
			err = add_element(s, &v, &bytes);
	}
	if (err)
		return err;
	v = (struct value){ .type = of_shape(store, shape->type, element) };
	AUTO_FREE uint8_t *lost = v.type ? calloc(1, bytes.len + 1) : NULL;
	if (!lost)
		return &error_nomem;
	err = value_set_bytes(s, &v, (const uint8_t *)buf_text(&bytes), lost, bytes.len);
	*ret = v;
	return err;
}
