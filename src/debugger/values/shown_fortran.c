/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/shown.h"
#include "debugger/values/shown_parts.h"

enum { LEVELS_MAX = 16 };

/*
 * Arrays of Fortran as gdb shows them: by columns, and what repeats itself behind what it repeats.
 * A limit of elements holds for all dimensions together.
 */
struct walking {
	struct making m;
	const struct value *whole;
	size_t done;  /* elements so far */
	size_t level; /* of the dimension */
};

static bool is_row(const struct type *t)
{
	return t->kind == TYPE_ARRAY && !t->is_string;
}

/* Elements of all dimensions below. */
static uint64_t count_all(const struct type *t)
{
	uint64_t n = 1;

	for (; is_row(t); t = type_strip(t->target)) {
		if (__builtin_mul_overflow(n, t->count, &n))
			return UINT64_MAX;
	}
	return n;
}

static bool same_bytes(const struct walking *w, uint64_t a, uint64_t b, uint64_t size)
{
	uint8_t left[VALUE_BYTES_MAX], right[VALUE_BYTES_MAX];

	for (uint64_t at = 0; at < size; at += sizeof(left)) {
		size_t n = size - at < sizeof(left) ? size - at : sizeof(left);
		if (value_bytes(w->m.s, w->whole, a + at, left, n) ||
		    value_bytes(w->m.s, w->whole, b + at, right, n) || memcmp(left, right, n) != 0)
			return false;
	}
	return true;
}

static bool same(const struct walking *w, const struct type *t, uint64_t a, uint64_t b)
{
	t = type_strip(t);
	if (!is_row(t))
		return same_bytes(w, a, b, type_size(t));
	for (uint64_t i = 0; i < t->count; i++) {
		uint64_t at = i * (uint64_t)type_stride(t);
		if (!same(w, t->target, a + at, b + at))
			return false;
	}
	return true;
}

/* How many from one on are as that one, of those that may be shown yet. */
static uint64_t count_same(const struct walking *w, const struct type *t, uint64_t offset,
			   uint64_t from)
{
	uint64_t stride = (uint64_t)type_stride(t), n = 0, each = count_all(type_strip(t->target));
	size_t room = w->m.limits->elements - w->done;

	while (from + n < t->count && (n + 1) * each <= room &&
	       same(w, t->target, offset, offset + (from + n) * stride - (from - 1) * stride))
		n++;
	return n;
}

static struct error *walk(struct walking *w, const struct type *t, uint64_t offset,
			  struct shown *ret);

static struct error *make_item(struct walking *w, const struct type *t, uint64_t offset,
			       struct shown *ret)
{
	struct value element;

	if (is_row(type_strip(t)) && w->level < LEVELS_MAX) {
		*ret = (struct shown){ .type = t, .how = *w->m.limits };
		w->level++;
		struct error *err = walk(w, t, offset, ret);
		w->level--;
		return err;
	}
	w->done++;
	struct error *err = value_part(w->m.s, w->whole, t, offset, &element);
	return shown_make_part(&w->m, err, &element, t, ret);
}

static struct shown *add_item(struct shown *to, size_t *room)
{
	if (to->nitems == *room) {
		*room = *room ? 2 * *room : 16;
		struct shown *more = realloc(to->items, *room * sizeof(*more));
		if (!more)
			return NULL;
		to->items = more;
	}
	to->items[to->nitems] = (struct shown){ .type = to->type };
	return &to->items[to->nitems];
}

static struct error *walk(struct walking *w, const struct type *t, uint64_t offset,
			  struct shown *ret)
{
	const struct type *a = type_strip(t);
	const struct shown_limits *limits = w->m.limits;
	uint64_t stride = (uint64_t)type_stride(a), i = 0;
	size_t room = 0;

	while (i < a->count && w->done < limits->elements && *w->m.left) {
		struct shown *item = add_item(ret, &room);
		struct error *err =
			item ? make_item(w, a->target, offset + i * stride, item) : &error_nomem;
		if (err)
			return err;
		item->index = (uint64_t)(a->lower + (int64_t)i++);
		item->times = 1;
		ret->nitems++;
		uint64_t n = w->done < limits->elements
				     ? count_same(w, a, offset + (i - 1) * stride, i)
				     : 0;
		if (n < limits->repeats || !n)
			continue;
		item = add_item(ret, &room);
		if (!item)
			return &error_nomem;
		*item = (struct shown){ .type = a->target, .again = true, .times = n + 1 };
		ret->nitems++;
		w->done += n * count_all(type_strip(a->target));
		i += n;
	}
	ret->more = i < a->count;
	return NULL;
}

struct error *shown_fortran_array(const struct making *m, const struct value *v, struct shown *ret)
{
	struct walking w = { .m = shown_inside(m), .whole = v };

	return walk(&w, v->type, 0, ret);
}
