/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/view.h"

const struct stitched_frame *view_innermost(const struct view *v, int thread)
{
	const struct stitched *s = v->stitched;

	if (!s || thread < 0 || (size_t)thread >= s->stacks.len)
		return NULL;
	vec_for_each (f, &s->stacks.items[thread].frames) {
		if (!f->hidden && f->kind == CODE_USER)
			return f;
	}
	return NULL;
}

bool view_starter(const struct view *v, int region, int *ret_team, size_t *ret_number)
{
	const struct picture_region *r = view_region(v, region);
	const struct picture_region *parent = r ? view_region(v, r->parent) : NULL;

	if (!parent || r->primary < 0)
		return false;
	for (size_t i = 0; i < parent->members.len; i++) {
		if (parent->members.items[i] != r->primary)
			continue;
		*ret_team = r->parent;
		*ret_number = i;
		return true;
	}
	return false;
}
