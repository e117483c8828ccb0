/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/type_resolve.h"

enum { RANK_MAX = 15, DEPTH_MAX = 32 };

struct resolving {
	struct type_store *store;
	const struct type_reckoner *with;
	taddr object, data; /* what describes the array, and its elements */
	size_t depth;
};

static bool is_there(const struct type_property *p)
{
	return p->kind != PROPERTY_NONE;
}

/* Without such a property *ret stays as it is. */
static const char *reckon(const struct resolving *r, const struct type_property *p,
			  const taddr *initial, int64_t *ret)
{
	if (!is_there(p))
		return NULL;
	if (p->kind == PROPERTY_NUMBER) {
		*ret = p->number;
		return NULL;
	}
	return r->with->reckon(r->with->context, p, r->object, initial, 0, ret);
}

/* ---- one dimension ----------------------------------------------------------------------- */

static const char *reckon_count(const struct resolving *r, const struct type_dynamic *d,
				const taddr *initial, struct type *t)
{
	int64_t upper = 0, count = 0;
	const char *why = NULL;

	if (is_there(&d->count)) {
		why = reckon(r, &d->count, initial, &count);
		t->count = count > 0 ? (uint64_t)count : 0;
		return why;
	}
	t->is_open = !is_there(&d->upper);
	if (t->is_open)
		return "it has no upper bound";
	why = reckon(r, &d->upper, initial, &upper);
	if (!why && upper >= t->lower)
		t->count = (uint64_t)upper - (uint64_t)t->lower + 1;
	return why;
}

static const char *reckon_stride(const struct resolving *r, const struct type_dynamic *d,
				 const taddr *initial, struct type *t)
{
	int64_t bits = 0;
	const char *why = reckon(r, &d->bit_stride, initial, &bits);

	if (bits % 8)
		return "its elements lie in parts of bytes";
	t->stride = bits / 8;
	return why ? why : reckon(r, &d->byte_stride, initial, &t->stride);
}

/* like: what is known of the dimension. NULL, and *why: it cannot be made. */
static const struct type *make_dimension(const struct resolving *r, const struct type_dynamic *d,
					 const struct type *like, const struct type *target,
					 const taddr *initial, const char **why)
{
	struct type t = *like;

	t.dynamic = NULL;
	t.target = target;
	*why = reckon_stride(r, d, initial, &t);
	/* Which index its first element has is needed to find any. */
	if (!*why)
		*why = reckon(r, &d->lower, initial, &t.lower);
	if (*why)
		return NULL;
	*why = reckon_count(r, d, initial, &t);
	/* Elements of an outermost dimension can be found without knowing how many there are. */
	if (*why && t.is_row)
		return NULL;
	t.unbounded = *why;
	t.count = *why ? 0 : t.count;
	const struct type *made = type_array_like(r->store, &t);
	*why = made ? NULL : "its bounds make no sense";
	return made;
}

static const struct type *resolve_within(const struct resolving *r, const struct type *t,
					 taddr addr, const char **why);

static const struct type *resolve_dimension(struct resolving r, const struct type *t,
					    const char **why)
{
	const struct type *target = t->target, *inner = type_strip(target);

	if (r.depth++ == DEPTH_MAX) {
		*why = "its type is nested too deeply";
		return NULL;
	}
	if (inner->is_row && inner->dynamic)
		target = resolve_dimension(r, inner, why);
	else if (type_is_dynamic(target))
		target = resolve_within(&r, target, r.data, why);
	return target ? make_dimension(&r, t->dynamic, t, target, NULL, why) : NULL;
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* As many dimensions as the array itself says, each by its number. */
static const struct type *resolve_rank(const struct resolving *r, const struct type *t,
				       const char **why)
{
	const struct type *made = t->target;
	struct type row = *t;
	int64_t rank = -1;

	*why = reckon(r, &t->dynamic->rank, NULL, &rank);
	if (!*why && (rank < 0 || rank > RANK_MAX))
		*why = "its rank makes no sense";
	for (int64_t i = 0; !*why && i < rank; i++) {
		const taddr index = (taddr)i;
		row.is_row = i + 1 < rank;
		made = make_dimension(r, t->dynamic, &row, made, &index, why);
	}
	return *why ? NULL : made;
}

static const struct type *resolve_string(const struct resolving *r, const struct type *t,
					 const char **why)
{
	const struct type_dynamic *d = t->dynamic;
	struct type made = *t;
	int64_t length = 0;

	if (d->length.kind == PROPERTY_EXPRESSION)
		*why = r->with->reckon(r->with->context, &d->length, r->object, NULL,
				       d->length_size ? d->length_size : 8, &length);
	else
		*why = reckon(r, &d->length, NULL, &length);
	made.dynamic = NULL;
	made.count = length > 0 ? (uint64_t)length : 0;
	made.unbounded = *why;
	const struct type *ret = type_array_like(r->store, &made);
	*why = ret ? NULL : "its length makes no sense";
	return ret;
}

static const char *not_there(const struct resolving *r, const struct type_dynamic *d)
{
	int64_t allocated = 1, associated = 1;
	const char *why = reckon(r, &d->allocated, NULL, &allocated);

	if (!why)
		why = reckon(r, &d->associated, NULL, &associated);
	return why ? why : !allocated ? "not allocated" : !associated ? "not associated" : NULL;
}

/* r->data becomes where the elements are. */
static const struct type *resolve_array(struct resolving *r, const struct type *t, const char **why)
{
	const struct type_dynamic *d = t->dynamic;

	if (t->is_string)
		return resolve_string(r, t, why);
	*why = not_there(r, d);
	if (*why)
		return NULL;
	if (is_there(&d->data)) {
		int64_t data = 0;
		*why = reckon(r, &d->data, NULL, &data);
		r->data = (taddr)data;
	}
	if (*why)
		return NULL;
	return d->is_generic ? resolve_rank(r, t, why) : resolve_dimension(*r, t, why);
}

static const struct type *resolve_within(const struct resolving *r, const struct type *t,
					 taddr addr, const char **why)
{
	struct resolving inner = *r;

	inner.object = inner.data = addr;
	const struct type *made = resolve_array(&inner, type_strip(t), why);
	return made ? type_requalify(r->store, t, made) : NULL;
}

void type_resolve(struct type_store *s, const struct type *t, taddr addr,
		  const struct type_reckoner *with, struct type_resolved *ret)
{
	struct resolving r = { .store = s, .with = with, .object = addr, .data = addr };
	const char *why = NULL;

	*ret = (struct type_resolved){ .type = t, .addr = addr };
	if (!type_is_dynamic(t))
		return;
	const struct type *made = resolve_array(&r, type_strip(t), &why);
	made = made ? type_requalify(s, t, made) : NULL;
	if (made)
		*ret = (struct type_resolved){ .type = made, .addr = r.data };
	else
		ret->missing = why ? why : "out of memory";
}
