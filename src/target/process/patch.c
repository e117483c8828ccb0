/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

bool patch_list_add(struct patch_list *l, taddr addr, const uint8_t *original,
		    const uint8_t *planted, size_t len)
{
	for (size_t done = 0; done < len; done += PATCH_MAX) {
		size_t n = len - done < PATCH_MAX ? len - done : PATCH_MAX;
		struct patch patch = { .addr = addr + done, .len = (uint8_t)n, .lent = !planted };
		memcpy(patch.original, original + done, n);
		if (planted)
			memcpy(patch.planted, planted + done, n);
		if (!vec_push(l, patch))
			return false;
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	taddr one = ((const struct patch *)a)->addr, other = ((const struct patch *)b)->addr;

	return one < other ? -1 : one > other;
}

void patch_list_sort(struct patch_list *l)
{
	if (l->len)
		qsort(l->items, l->len, sizeof(*l->items), by_address);
}

/* Index of the first that does not end before addr. */
static size_t place_of(const struct patch_list *l, taddr addr)
{
	return sorted_count(patch, l->items, l->len, patch->addr + patch->len <= addr);
}

void patch_list_hide(const struct patch_list *l, taddr from, void *bytes, size_t len)
{
	taddr end = from + len;

	for (size_t i = place_of(l, from); i < l->len && l->items[i].addr < end; i++) {
		const struct patch *p = &l->items[i];
		taddr start = p->addr > from ? p->addr : from;
		taddr stop = p->addr + p->len < end ? p->addr + p->len : end;
		uint8_t *at = (uint8_t *)bytes + (start - from);
		if (p->lent || !memcmp(at, p->planted + (start - p->addr), stop - start))
			memcpy(at, p->original + (start - p->addr), stop - start);
	}
}
