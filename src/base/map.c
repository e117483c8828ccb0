/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/map.h"

void map_fini(struct hash_map *m)
{
	free(m->items);
	*m = (struct hash_map){ 0 };
}

/*
 * Where that key is or would be. Fibonacci hashing: keys are addresses, which differ in their lower
 * bits; the upper half of the product is the well mixed one.
 */
static struct map_item *place_of(const struct hash_map *m, uint64_t key)
{
	size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (i &= m->cap - 1; m->items[i].used && m->items[i].key != key;)
		i = (i + 1) & (m->cap - 1);
	return &m->items[i];
}

static bool grow(struct hash_map *m)
{
	struct hash_map larger = { .len = m->len, .cap = m->cap ? 2 * m->cap : 16 };

	larger.items = calloc(larger.cap, sizeof(*larger.items));
	if (!larger.items)
		return false;
	map_for_each (item, m)
		*place_of(&larger, item->key) = *item;
	free(m->items);
	*m = larger;
	return true;
}

struct map_item *map_find(const struct hash_map *m, uint64_t key)
{
	struct map_item *item = m->cap ? place_of(m, key) : NULL;

	return item && item->used ? item : NULL;
}

struct map_item *map_add(struct hash_map *m, uint64_t key)
{
	struct map_item *known = map_find(m, key);

	if (known)
		return known;
	if (2 * (m->len + 1) > m->cap && !grow(m))
		return NULL;
	struct map_item *item = place_of(m, key);
	*item = (struct map_item){ .key = key, .used = true };
	m->len++;
	return item;
}
