/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/modules/ranges.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/sorted.h"

enum { LOOKS_MAX = 1 << 16 }; /* back from the last candidate; few overlap in sound data */

void ranges_fini(struct ranges *r)
{
	free(r->items);
	*r = (struct ranges){ 0 };
}

bool ranges_add(struct ranges *r, taddr start, taddr end, uint64_t id)
{
	if (start >= end)
		return true;
	return vec_push(r, (struct range){ .start = start, .end = end, .id = id });
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start != y->start ? sorted_order(x->start, y->start) : sorted_order(x->id, y->id);
}

static void sort(struct ranges *r)
{
	taddr reach = 0;

	if (r->sorted == r->len)
		return;
	qsort(r->items, r->len, sizeof(*r->items), by_start);
	vec_for_each (range, r) {
		reach = range->end > reach ? range->end : reach;
		range->reach = reach;
	}
	r->sorted = r->len;
}

/* How many ranges start at addr or before. */
static size_t count_before(const struct ranges *r, taddr addr)
{
	return sorted_count(range, r->items, r->len, range->start <= addr);
}

const struct range *ranges_find(struct ranges *r, taddr addr, const struct range *after)
{
	sort(r);
	size_t i = after ? (size_t)(after - r->items) : count_before(r, addr);
	size_t looks = 0;

	while (i-- > 0 && r->items[i].reach > addr && looks++ < LOOKS_MAX) {
		if (r->items[i].end > addr)
			return &r->items[i];
	}
	return NULL;
}

const struct range *ranges_before(struct ranges *r, taddr addr)
{
	sort(r);
	size_t n = count_before(r, addr);

	return n ? &r->items[n - 1] : NULL;
}
