/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/whereabouts.h"

#include <stdlib.h>

#include "ompd/walk.h"

/* Where the outermost region of the first thread stands among all is plain: it is the first. */
static bool is_first(const struct picture_region *r)
{
	return r->parent < 0 && r->primary == 0;
}

static struct whereabouts read_picture(const struct picture *p, int thread)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_region *r = picture_region(p, th->region);

	if (!r)
		return (struct whereabouts){ .role = th->role, .region = -1, .number = -1 };
	return (struct whereabouts){
		.role = th->role,
		.region = is_first(r) ? 0 : -1,
		.number = th->number,
		.size = r->size,
		.level = r->level,
		.whole = !is_first(r),
	};
}

static int index_of(const struct target *t, const struct thread *th)
{
	for (size_t i = 0; i < t->threads.len; i++) {
		if (t->threads.items[i] == th)
			return (int)i;
	}
	return -1;
}

struct error *whereabouts_find(const struct session *s, const struct thread *th,
			       const struct unwind_stack *raw, struct whereabouts *ret)
{
	AUTO_FREE struct unwind_stack *all = calloc(s->target->threads.len + 1, sizeof(*all));
	int thread = index_of(s->target, th);
	struct picture picture = { 0 };

	if (!all)
		return &error_nomem;
	*ret = (struct whereabouts){ .region = -1, .number = -1 };
	if (thread < 0)
		return NULL;
	all[thread] = *raw;
	const struct walk_source source = {
		.modules = s->modules,
		.unwinder = s->unwinder,
		.raw = all,
		.only = th,
		.symbols = s->symbols,
		.ompd_library = s->ompd_library,
	};
	struct error *err = walk_picture(&source, &picture);
	if (!err)
		*ret = read_picture(&picture, thread);
	picture_fini(&picture);
	return err;
}
