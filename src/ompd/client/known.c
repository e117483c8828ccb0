/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/known.h"

#include <search.h>
#include <stdlib.h>

struct handle_entry {
	struct openmp *openmp;
	void *handle;
	int index;
};

static int compare_regions(const void *a, const void *b)
{
	const struct handle_entry *x = a, *y = b;

	return openmp_compare_regions(x->openmp, x->handle, y->handle);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct handle_entry *x = a, *y = b;

	return openmp_compare_tasks(x->openmp, x->handle, y->handle);
}

void known_fini(struct known *k)
{
	tdestroy(k->regions, free);
	tdestroy(k->tasks, free);
	k->regions = k->tasks = NULL;
}

static int find(void *const *tree, const struct known *k, void *handle,
		int (*compare)(const void *, const void *))
{
	const struct handle_entry key = { k->openmp, handle, -1 };
	struct handle_entry *const *found = tfind(&key, tree, compare);

	return found ? (*found)->index : -1;
}

static bool add(void **tree, const struct handle_entry *entry,
		int (*compare)(const void *, const void *))
{
	struct handle_entry *copy = malloc(sizeof(*copy));

	if (!copy)
		return false;
	*copy = *entry;
	struct handle_entry *const *found = tsearch(copy, tree, compare);
	if (!found || *found != copy)
		free(copy);
	return found;
}

int known_region(const struct known *k, ompd_parallel_handle_t *region)
{
	return find(&k->regions, k, region, compare_regions);
}

int known_task(const struct known *k, ompd_task_handle_t *task)
{
	return find(&k->tasks, k, task, compare_tasks);
}

bool known_add_region(struct known *k, ompd_parallel_handle_t *region, int index)
{
	return add(&k->regions, &(struct handle_entry){ k->openmp, region, index },
		   compare_regions);
}

bool known_add_task(struct known *k, ompd_task_handle_t *task, int index)
{
	return add(&k->tasks, &(struct handle_entry){ k->openmp, task, index }, compare_tasks);
}
