/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * By_address: the numbers that we have given to things in the target, by their addresses.
 */
#ifndef OMPD_BY_ADDRESS_H
#define OMPD_BY_ADDRESS_H

#include "base/map.h"
#include "target/cpu/arch.h"

struct by_address {
	struct hash_map map; /* owned; number + 1, so that 0 is none */
};

static inline void by_address_fini(struct by_address *b)
{
	map_fini(&b->map);
}

/* The first number counts. false: out of memory. */
static inline bool by_address_add(struct by_address *b, taddr address, int number)
{
	struct map_item *item = map_add(&b->map, address);

	if (item && !item->number)
		item->number = (int64_t)number + 1;
	return item;
}

/* -1: none, or the address is 0. */
static inline int by_address_find(const struct by_address *b, taddr address)
{
	struct map_item *item = address ? map_find(&b->map, address) : NULL;

	return item ? (int)(item->number - 1) : -1;
}

#endif
