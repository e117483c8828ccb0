/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/walk_state.h"

int walk_add_region(struct walk *w, const struct picture_region *region,
		    ompd_parallel_handle_t *handle, long members, int member)
{
	struct picture_region r = *region;
	bool ok = vec_push(&w->region_handles, handle);

	for (long i = 0; ok && i < members; i++)
		ok = vec_push(&r.members, member);
	if (ok && vec_push(&w->picture->regions, r))
		return (int)w->picture->regions.len - 1;
	vec_fini(&r.members);
	w->failed = true;
	return -1;
}

void walk_add_predecessor(struct walk *w, int task)
{
	vec_for_each (known, &w->picture->predecessors) {
		if (*known == task)
			return;
	}
	w->failed |= !vec_push(&w->picture->predecessors, task);
}
