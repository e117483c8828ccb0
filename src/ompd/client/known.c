/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/known.h"

#include <search.h>
#include <stdlib.h>

struct handle_entry {
	struct openmp *openmp;
	enum openmp_handle_kind kind;
	void *handle;
	int index;
};

static int compare(const void *a, const void *b)
{
	const struct handle_entry *x = a, *y = b;

	return openmp_compare(x->openmp, x->kind, x->handle, y->handle);
}

void known_fini(struct known *k)
{
	tdestroy(k->regions, free);
	tdestroy(k->tasks, free);
	k->regions = k->tasks = NULL;
}

int known_find(const struct known *k, enum openmp_handle_kind kind, void *handle)
{
	const struct handle_entry key = { k->openmp, kind, handle, -1 };
	struct handle_entry *const *found =
		tfind(&key, kind == HANDLE_TASK ? &k->tasks : &k->regions, compare);

	return found ? (*found)->index : -1;
}

bool known_add(struct known *k, enum openmp_handle_kind kind, void *handle, int index)
{
	struct handle_entry *entry = malloc(sizeof(*entry));

	if (!entry)
		return false;
	*entry = (struct handle_entry){ k->openmp, kind, handle, index };
	struct handle_entry *const *found =
		tsearch(entry, kind == HANDLE_TASK ? &k->tasks : &k->regions, compare);
	if (!found || *found != entry)
		free(entry);
	return found;
}
