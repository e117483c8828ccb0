/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>

#include "base/hash.h"
#include "base/map.h"
#include "target/symbols/type_parts.h"

enum { CHAIN_MAX = 64 };

/* ---- types that are made of others ------------------------------------------------------- */

/* One that was made, and the next of the same hash. */
struct made_type {
	const struct type *type;
	const struct made_type *next;
};

static bool is_same(const struct type *a, const struct type *b)
{
	return a->kind == b->kind && a->target == b->target && a->name == b->name &&
	       a->size == b->size && a->count == b->count && a->lower == b->lower &&
	       a->stride == b->stride && a->is_fortran == b->is_fortran &&
	       a->is_string == b->is_string && a->is_vector == b->is_vector &&
	       a->is_row == b->is_row && a->is_allocatable == b->is_allocatable &&
	       a->is_pointer == b->is_pointer && a->is_open == b->is_open &&
	       a->unbounded == b->unbounded && a->dynamic == b->dynamic;
}

/* The type that is so, which is made if there is none. NULL: out of memory. */
static const struct type *make(struct type_store *s, const struct type *like)
{
	const uint64_t parts[] = { like->kind, map_key(like->target), like->count,
				   like->size, (uint64_t)like->lower, (uint64_t)like->stride };
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		hash = hash_add(hash, parts[i]);
	struct map_item *item = map_add(type_store_made(s), hash);
	if (!item)
		return NULL;
	for (const struct made_type *m = item->pointer; m; m = m->next) {
		if (is_same(m->type, like))
			return m->type;
	}
	struct made_type *m = type_alloc(s, 1, sizeof(*m));
	struct type *t = type_alloc(s, 1, sizeof(*t));
	if (!m || !t)
		return NULL;
	*t = *like;
	t->store = s;
	*m = (struct made_type){ t, item->pointer };
	item->pointer = m;
	return t;
}

const struct type *type_array_like(struct type_store *s, const struct type *like)
{
	struct type t = *like;
	uint64_t each = type_size(t.target);

	t.kind = TYPE_ARRAY;
	if ((uint64_t)t.stride == each)
		t.stride = 0;
	/* Of what lies apart its elements count, as for gdb. */
	if (__builtin_mul_overflow(each, t.count, &t.size) || t.size > INT64_MAX)
		return NULL;
	return make(s, &t);
}

const struct type *type_requalify(struct type_store *s, const struct type *t,
				  const struct type *stripped)
{
	const struct type *wraps[CHAIN_MAX], *inner = type_strip(t);
	size_t n = 0;

	for (; t != inner && n < CHAIN_MAX && t->target; t = t->target)
		wraps[n++] = t;
	while (stripped && n > 0) {
		struct type outer = *wraps[--n];
		outer.target = stripped;
		stripped = make(s, &outer);
	}
	return stripped;
}

static bool has_qualifier(const struct type *t, enum type_kind kind)
{
	for (size_t i = 0; t && i < CHAIN_MAX; i++, t = t->target) {
		if (t->kind == kind || (t == type_strip(t) && t->kind != TYPE_ARRAY))
			return t->kind == kind;
	}
	return false;
}

const struct type *type_element(const struct type *array)
{
	const struct type *inner = type_strip(array);
	const struct type *ret = inner->target ? inner->target : &type_void;

	for (; inner->store && ret && array && array != inner; array = array->target) {
		const struct type outer = { .kind = array->kind, .target = ret };
		if ((outer.kind == TYPE_CONST || outer.kind == TYPE_VOLATILE) &&
		    !has_qualifier(ret, outer.kind))
			ret = make(inner->store, &outer);
	}
	return ret;
}

/* ---- questions --------------------------------------------------------------------------- */

bool type_is_string(const struct type *t)
{
	t = type_strip(t);
	return t->kind == TYPE_ARRAY && t->is_string;
}

bool type_is_dynamic(const struct type *t)
{
	t = type_strip(t);
	return t->kind == TYPE_ARRAY && t->dynamic;
}

int64_t type_stride(const struct type *array)
{
	array = type_strip(array);
	return array->stride ? array->stride : (int64_t)type_size(array->target);
}

/* ---- names in Fortran -------------------------------------------------------------------- */

static bool is_array(const struct type *t)
{
	return t && t->kind == TYPE_ARRAY && !t->is_string;
}

/* "(2,0:3)": the first index is the one of the innermost array. */
static void add_bounds(struct buf *out, const struct type *t, size_t depth)
{
	int64_t upper = t->lower + (int64_t)t->count - 1;

	if (is_array(t->target) && t->target->is_row && depth) {
		add_bounds(out, t->target, depth - 1);
		buf_addc(out, ',');
	}
	if (t->lower != 1 && !t->dynamic)
		buf_addf(out, "%" PRId64 ":", t->lower);
	if (t->is_open)
		buf_addc(out, '*');
	else if (t->dynamic || t->unbounded)
		buf_addc(out, t->lower != 1 && !t->dynamic ? '*' : ':');
	else
		buf_addf(out, "%" PRId64, upper);
}

static void add_array(struct buf *out, const struct type *t, size_t depth)
{
	const struct type *of = t->target;

	while (is_array(of) && of->is_row)
		of = of->target;
	type_add_inner_name(out, of, depth - 1);
	buf_adds(out, t->is_allocatable ? ", allocatable (" : " (");
	add_bounds(out, t, CHAIN_MAX);
	buf_addc(out, ')');
}

static void add_function(struct buf *out, const struct type *t, size_t depth)
{
	type_add_inner_name(out, t->target, depth - 1);
	buf_adds(out, " (");
	for (size_t i = 0; i < t->nparameters; i++) {
		buf_adds(out, i ? ", " : "");
		type_add_inner_name(out, t->parameters[i], depth - 1);
	}
	buf_addc(out, ')');
}

static void add_around(struct buf *out, const char *before, const struct type *t, size_t depth)
{
	buf_adds(out, before);
	type_add_inner_name(out, t->target, depth - 1);
	buf_adds(out, " )");
}

void type_add_fortran_name(struct buf *out, const struct type *t, size_t depth)
{
	t = type_unqualified(t);
	if (t->kind == TYPE_POINTER)
		add_around(out, "PTR TO -> ( ", t, depth);
	else if (t->kind == TYPE_REFERENCE)
		add_around(out, "REF TO -> ( ", t, depth);
	else if (t->kind == TYPE_ARRAY && t->is_string && (t->dynamic || t->unbounded))
		buf_adds(out, "character*(*)");
	else if (t->kind == TYPE_ARRAY && t->is_string)
		buf_addf(out, "character*%" PRIu64, t->count);
	else if (t->kind == TYPE_ARRAY)
		add_array(out, t, depth);
	else if (t->kind == TYPE_FUNCTION && !t->name)
		add_function(out, t, depth);
	else
		buf_addf(out, "%s%s", t->kind == TYPE_STRUCT ? "Type " : "",
			 t->name ? t->name : "?");
}
