/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/order.h"

#include <stdlib.h>

/* What decides about a region's place. */
struct key {
	int index;   /* as it was */
	int depth;   /* regions around it */
	int primary; /* threads are in the order of lwp_rank() */
};

static int depth_of(const struct picture *p, int region)
{
	int depth = 0;

	for (int i = picture_region(p, region)->parent; i >= 0 && depth < (int)p->regions.len;
	     i = picture_region(p, i)->parent)
		depth++;
	return depth;
}

/* Outer regions first: the simplest order in which no region comes before one around it. */
static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->primary != y->primary)
		return x->primary < y->primary ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static void renumber(const int *number, int *slot)
{
	if (*slot >= 0)
		*slot = number[*slot];
}

static void renumber_all(struct picture *p, const int *number)
{
	vec_for_each (region, &p->regions)
		renumber(number, &region->parent);
	vec_for_each (task, &p->tasks)
		renumber(number, &task->region);
	vec_for_each (loop, &p->loops)
		renumber(number, &loop->region);
	vec_for_each (icv, &p->icvs) {
		if (icv->scope == ICV_REGION)
			renumber(number, &icv->of);
	}
	vec_for_each (th, &p->threads) {
		renumber(number, &th->region);
		for (size_t i = 0; th->borders && i < th->spans.list.len; i++)
			renumber(number, &th->borders[i].region);
	}
}

struct error *order_regions(struct picture *p)
{
	size_t n = p->regions.len;
	AUTO_FREE struct key *keys = calloc(n + 1, sizeof(*keys));
	AUTO_FREE int *number = calloc(n + 1, sizeof(*number));
	struct picture_region *sorted = calloc(n + 1, sizeof(*sorted));

	if (!keys || !number || !sorted) {
		free(sorted);
		return &error_nomem;
	}
	for (size_t i = 0; i < n; i++)
		keys[i] =
			(struct key){ (int)i, depth_of(p, (int)i), picture_region(p, i)->primary };
	qsort(keys, n, sizeof(*keys), compare);
	for (size_t i = 0; i < n; i++) {
		number[keys[i].index] = (int)i;
		sorted[i] = p->regions.items[keys[i].index];
	}
	free(p->regions.items);
	p->regions.items = sorted;
	p->regions.cap = n + 1;
	renumber_all(p, number);
	return NULL;
}
