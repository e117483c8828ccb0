/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/by_address.h"

#include <search.h>
#include <stdlib.h>

struct item {
	taddr address;
	int number;
};

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

void by_address_fini(struct by_address *b)
{
	tdestroy(b->tree, free);
	b->tree = NULL;
}

bool by_address_add(struct by_address *b, taddr address, int number)
{
	struct item *item = malloc(sizeof(*item));

	if (!item)
		return false;
	*item = (struct item){ address, number };
	struct item *const *found = tsearch(item, &b->tree, compare);
	if (!found || *found != item)
		free(item);
	return found;
}

int by_address_find(const struct by_address *b, taddr address)
{
	const struct item key = { .address = address };
	struct item *const *found = address ? tfind(&key, &b->tree, compare) : NULL;

	return found ? (*found)->number : -1;
}
