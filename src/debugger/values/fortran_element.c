/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/fortran.h"
#include "debugger/values/reach.h"

static bool is_array(const struct type *t)
{
	t = type_strip(t);
	return t->kind == TYPE_ARRAY && !t->is_string;
}

size_t fortran_rank(const struct type *t)
{
	size_t n = 0;

	for (t = type_strip(t); is_array(t) && n < FORTRAN_RANK_MAX; n++) {
		t = type_strip(t->target);
		if (!t->is_row)
			return n + 1;
	}
	return n;
}

const struct type *fortran_dimension(const struct type *t, size_t n)
{
	size_t rank = fortran_rank(t);

	t = type_strip(t);
	for (size_t i = n; i + 1 < rank; i++)
		t = type_strip(t->target);
	return n < rank ? t : NULL;
}

static struct error *no_element(const struct value *array)
{
	if (!array->missing)
		return error_new(ERROR_USAGE, "no such vector element");
	if (strcmp(array->missing, "not allocated") && strcmp(array->missing, "not associated"))
		return value_missing(array);
	return error_new(ERROR_USAGE, "no such vector element (vector %s)", array->missing);
}

/* What a subscript chooses of a dimension. */
struct choice {
	int64_t first; /* from the first element of the dimension on */
	uint64_t count;
	int64_t step; /* bytes */
};

static bool is_within(const struct type *d, int64_t index)
{
	return index >= d->lower &&
	       (d->unbounded || (uint64_t)index - (uint64_t)d->lower < d->count);
}

static bool choose(const struct type *d, const struct fortran_subscript *s, struct choice *ret)
{
	int64_t upper = d->lower + (int64_t)d->count - 1;
	int64_t first = s->has_lower || !s->is_section ? s->lower
			: s->stride < 0                ? upper
						       : d->lower;
	int64_t last = s->has_upper ? s->upper : s->stride < 0 ? d->lower : upper;
	__int128 stride = s->is_section ? s->stride : 1, n = 1;

	if (s->is_section)
		n = stride ? ((__int128)last - first + stride) / stride : -1;
	if (!stride || n > INT64_MAX)
		return false;
	*ret = (struct choice){ .count = n > 0 ? (uint64_t)n : 0 };
	if (n <= 0)
		return true;
	last = (int64_t)(first + (n - 1) * stride);
	if (!is_within(d, first) || !is_within(d, last))
		return false;
	ret->first = first - d->lower;
	ret->step = (int64_t)stride * type_stride(d);
	return true;
}

/* The part of that type which begins there; a section of what is kept here is a view of it. */
static struct error *view(const struct scope *s, const struct value *array, const struct type *type,
			  uint64_t offset, struct value *ret)
{
	struct value v = *array;

	if (!is_array(type) && !type_is_string(type))
		return value_part(s, array, type, offset, ret);
	v.type = type;
	v.addr += offset;
	if (array->block || array->place != VALUE_MEMORY) {
		uint64_t here = array->block ? array->block->size : array->size;
		struct value_block *block = value_block_new(s, here);
		if (!block)
			return &error_nomem;
		const uint8_t *bytes = array->block ? array->block->bytes : array->bytes;
		memcpy(block->bytes, bytes, here);
		if (offset > here)
			return no_element(array);
		block->bytes += offset;
		block->lost += offset;
		block->size -= offset;
		v.block = block;
	}
	*ret = v;
	return NULL;
}

static struct error *substring(const struct scope *s, const struct value *text,
			       const struct fortran_subscript *at, struct value *ret)
{
	const struct type *t = type_strip(text->type);
	struct type like = *t;
	struct type_store *store;
	struct choice c;
	struct error *err = reach_types(s, &store);

	if (err)
		return err;
	if (!at->is_section || at->stride != 1 || !choose(t, at, &c))
		return no_element(text);
	like.count = c.count;
	const struct type *type = type_array_like(store, &like);
	return type ? view(s, text, type, (uint64_t)c.first, ret) : &error_nomem;
}

static struct error *section(const struct scope *s, const struct value *array,
			     const struct fortran_subscript *subscripts, size_t n,
			     struct value *ret)
{
	const struct type *type = fortran_dimension(array->type, 0)->target;
	struct type_store *store;
	struct error *err = reach_types(s, &store);
	const char *unbounded = NULL; /* a dimension before */
	uint64_t offset = 0;
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		left += subscripts[i].is_section;
	for (size_t i = 0; !err && i < n; i++) {
		const struct type *d = fortran_dimension(array->type, i);
		struct type like = *d;
		struct choice c;
		if (!choose(d, &subscripts[i], &c))
			return no_element(array);
		/* How far apart its elements are is not known. */
		if (unbounded && !d->stride && (c.first || subscripts[i].is_section))
			return error_new(ERROR_USAGE, "dimension %zu has no bounds: %s", i,
					 unbounded);
		unbounded = unbounded ? unbounded : d->unbounded;
		offset += (uint64_t)c.first * (uint64_t)type_stride(d);
		if (!subscripts[i].is_section)
			continue;
		like.target = type;
		like.count = c.count;
		like.lower = 1;
		like.stride = c.step;
		like.unbounded = NULL;
		like.is_open = like.is_allocatable = like.is_pointer = false;
		like.is_row = --left > 0;
		type = type_array_like(store, &like);
		err = type ? NULL : &error_nomem;
	}
	return err ? err : view(s, array, type, offset, ret);
}

struct error *fortran_element(const struct scope *s, const struct value *array,
			      const struct fortran_subscript *subscripts, size_t n,
			      struct value *ret)
{
	size_t rank = fortran_rank(array->type);

	if (array->missing)
		return no_element(array);
	if (n == 1 && type_is_string(array->type))
		return substring(s, array, &subscripts[0], ret);
	if (rank == 0)
		return error_new(ERROR_USAGE, "cannot perform substring or subscript on this type");
	if (n != rank)
		return error_new(ERROR_USAGE, "wrong number of subscripts");
	return section(s, array, subscripts, n, ret);
}
