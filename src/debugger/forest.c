/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/forest.h"

#include <stdlib.h>

bool forest_init(struct forest *f, size_t len)
{
	*f = (struct forest){ .len = len };
	f->nodes = calloc(len + 1, sizeof(*f->nodes));
	if (!f->nodes)
		return false;
	f->nodes[len] = (struct forest_node){ -1, -1, -1, -1, -1 };
	return true;
}

void forest_fini(struct forest *f)
{
	free(f->nodes);
	*f = (struct forest){ 0 };
}

void forest_add(struct forest *f, int i, int parent)
{
	struct forest_node *above = &f->nodes[parent >= 0 && parent < i ? (size_t)parent : f->len];

	f->nodes[i] = (struct forest_node){
		.parent = (int)(above - f->nodes),
		.child = -1,
		.last_child = -1,
		.next = -1,
		.depth = above->depth + 1,
	};
	if (above->last_child >= 0)
		f->nodes[above->last_child].next = i;
	else
		above->child = i;
	above->last_child = i;
}

int forest_first(const struct forest *f)
{
	return f->nodes[f->len].child;
}

int forest_after(const struct forest *f, int i)
{
	if (f->nodes[i].child >= 0)
		return f->nodes[i].child;
	while (i >= 0 && f->nodes[i].next < 0)
		i = f->nodes[i].parent;
	return i < 0 ? -1 : f->nodes[i].next;
}
