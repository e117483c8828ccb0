/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/vector.h"

#include <string.h>

#include "debugger/values/arithmetic.h"
#include "debugger/values/operate.h"
#include "debugger/values/reach.h"

bool vector_is(const struct value *v)
{
	const struct type *t = type_strip(v->type);

	return t->kind == TYPE_ARRAY && t->is_vector && t->target;
}

static bool is_comparison(enum expr_op op)
{
	return op >= EXPR_EQUAL && op <= EXPR_GREATER_OR_EQUAL;
}

/* What comparisons come to: integers as large as what is compared. */
static struct error *truth_type(const struct scope *s, const struct type *of,
				const struct type **ret)
{
	static const struct type *const elements[] = { &type_signed_char, &type_short, &type_int,
						       &type_long };
	const uint64_t size = type_size(of->target);
	struct type_store *store;
	struct error *err = reach_types(s, &store);
	size_t i = 0;

	if (err)
		return err;
	while (i < 3 && elements[i]->size < size)
		i++;
	struct type *made = type_new(store, TYPE_ARRAY, NULL, of->count * elements[i]->size);
	if (!made)
		return &error_nomem;
	made->target = elements[i];
	made->count = of->count;
	made->is_vector = true;
	*ret = made;
	return NULL;
}

/* Element i, or the number that stands for all of them. */
static struct error *element(const struct scope *s, const struct value *v, uint64_t i,
			     struct value *ret)
{
	const struct type *t = type_strip(v->type);

	if (vector_is(v))
		return value_part(s, v, t->target, i * type_size(t->target), ret);
	*ret = *v;
	return NULL;
}

/* b: NULL: of one operand. */
static struct error *combine(const struct scope *s, enum expr_op op, const struct value *a,
			     const struct value *b, uint64_t i, struct value *ret)
{
	struct value x, y;
	struct number n;
	struct error *err = element(s, a, i, &x);

	if (!err && b)
		err = element(s, b, i, &y);
	if (!err && b)
		return operate_binary(op, &x, &y, ret);
	if (!err)
		err = value_number(&x, &n);
	return err ? err : arithmetic_unary(op, &n, ret);
}

/* Of as many elements as that type has. */
static struct error *each(const struct scope *s, enum expr_op op, const struct value *a,
			  const struct value *b, const struct type *type, struct value *ret)
{
	const struct type *t = type_strip(type);
	const uint64_t size = type_size(t), step = type_size(t->target);
	/* The second half: none of its bits is lost. */
	AUTO_FREE uint8_t *bytes = size <= VALUE_KEEP_MAX ? calloc(2, size + 1) : NULL;
	struct value made = { .type = type }, one, as;
	struct error *err = NULL;

	if (!bytes || step > sizeof(as.bytes) || t->count * step > size)
		return error_new(ERROR_USAGE, "the vector is too large to be computed with");
	for (uint64_t i = 0; i < t->count && !err; i++) {
		err = combine(s, op, a, b, i, &one);
		if (!err && is_comparison(op))
			one = value_of_int(&type_int, one.bytes[0] ? UINT64_MAX : 0);
		if (!err)
			err = operate_convert(s, &one, t->target, &as);
		if (!err)
			memcpy(bytes + i * step, as.bytes, step);
	}
	if (!err)
		err = value_set_bytes(s, &made, bytes, bytes + size, size);
	if (!err)
		*ret = made;
	return err;
}

struct error *vector_binary(const struct scope *s, enum expr_op op, const struct value *a,
			    const struct value *b, struct value *ret)
{
	const struct type *type = vector_is(a) ? a->type : b->type;
	const struct type *x = type_strip(a->type), *y = type_strip(b->type);
	struct error *err = NULL;

	if (vector_is(a) && vector_is(b) &&
	    (x->count != y->count || type_size(x->target) != type_size(y->target)))
		return error_new(ERROR_USAGE, "cannot perform operation on vectors with different "
					      "types");
	if (op > EXPR_GREATER_OR_EQUAL)
		return error_new(ERROR_USAGE, "there is no such operator of vectors");
	if (is_comparison(op))
		err = truth_type(s, type_strip(type), &type);
	return err ? err : each(s, op, a, b, type, ret);
}

struct error *vector_unary(const struct scope *s, enum expr_op op, const struct value *v,
			   struct value *ret)
{
	if (op == EXPR_NOT)
		return error_new(ERROR_USAGE, "there is no such operator of vectors");
	return each(s, op, v, NULL, v->type, ret);
}
