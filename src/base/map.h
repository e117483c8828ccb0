/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Map: from a number or an address to a pointer or a number; a hash table that grows.
 *
 * A map starts zeroed. It owns its table alone: what its pointers point to is the caller's, who
 * frees it with map_for_each before map_fini, if need be. An item that was found or made stays
 * where it is until the next map_add. Nothing is ever removed but all at once.
 *
 * What has more than one part for a key is found by a hash of the parts (hash.h): let the items of
 * equal hash be a list, and compare the parts.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct map_item {
	uint64_t key;
	union {
		void *pointer;
		int64_t number;
	};
	bool used; /* private */
};

struct hash_map {
	struct map_item *items; /* owned, private: a power of two of them, at most half used */
	size_t len, cap;        /* of the items in use, and of all                            */
};

void map_fini(struct hash_map *m);

/* The item with that key; NULL: none. */
struct map_item *map_find(const struct hash_map *m, uint64_t key);

/* The same; made if there is none, with a value of all zeroes. NULL: out of memory. */
struct map_item *map_add(struct hash_map *m, uint64_t key);

/* The pointer that is kept for a key; NULL: none. */
static inline void *map_get(const struct hash_map *m, uint64_t key)
{
	struct map_item *item = map_find(m, key);

	return item ? item->pointer : NULL;
}

/* A pointer of ours as a key. */
static inline uint64_t map_key(const void *p)
{
	return (uintptr_t)p;
}

/* In no particular order. */
#define map_for_each(item, m)                                                                      \
	for (struct map_item *item = (m)->items; item && item < (m)->items + (m)->cap; item++)     \
		if (!item->used)                                                                   \
			continue;                                                                  \
		else

#define AUTO_MAP AUTO(map_fini) struct hash_map

#endif
