/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/region_end.h"

#include <stdio.h>

#include "debugger/look.h"

int region_end_thread(const struct picture *p, pid_t lwp)
{
	for (size_t i = 0; i < p->threads.len; i++) {
		if (p->threads.items[i].lwp == lwp)
			return (int)i;
	}
	return -1;
}

void region_end_name(const struct picture *p, int thread, char ret[THREAD_NAME_MAX])
{
	AUTO_BUF text = { 0 };

	if (picture_is_numbered(picture_thread(p, thread)))
		picture_add_thread_name(&text, p, thread);
	else if (picture_thread(p, thread))
		buf_addf(&text, "of LWP %d", picture_thread(p, thread)->lwp);
	snprintf(ret, THREAD_NAME_MAX, "%s", buf_text(&text));
}

/*
 * The call that has made the region: the span of the primary thread that ends it; or, where that
 * thread has met the end itself, in which no code of the region is left, the one it waits in.
 */
static const struct span *find_fork(const struct picture_thread *primary, int region)
{
	for (size_t i = 0; primary->borders && i < primary->spans.list.len; i++) {
		const struct span *s = &primary->spans.list.items[i];
		if (primary->borders[i].region == region && !s->root)
			return s;
	}
	return NULL;
}

static void fill(const struct snapshot *s, int thread, struct region_end *ret)
{
	const struct picture *p = &s->picture;
	const struct picture_region *r = picture_region(p, picture_thread(p, thread)->region);
	const struct picture_thread *primary = r ? picture_thread(p, r->primary) : NULL;
	const struct span *fork = primary ? find_fork(primary, (int)(r - p->regions.items)) : NULL;

	region_end_name(p, thread, ret->own);
	if (!fork)
		return;
	const struct unwind_stack *raw = &s->stacks->raw[r->primary];
	if (!fork->outer || fork->outer >= raw->len)
		return;
	region_end_name(p, r->primary, ret->primary);
	ret->lwp = primary->lwp;
	ret->pc = raw->items[fork->outer].pc;
	ret->sp_above = raw->items[fork->outer - 1].cfa - 1;
}

struct error *region_end_find(struct session *s, pid_t lwp, struct region_end *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true };
	AUTO_LOOK l = { 0 };
	struct error *err = look_once(s, &options, &l);

	*ret = (struct region_end){ 0 };
	int thread = err ? -1 : region_end_thread(&l.snapshot->picture, lwp);
	if (thread >= 0)
		fill(l.snapshot, thread, ret);
	return err;
}

struct error *region_end_watch(struct plan *p, const struct plan_context *c,
			       const struct region_end *end, enum point_role role)
{
	const struct plan_wish wish = {
		.role = role, .addr = end->pc, .sp_above = end->sp_above, .lwp = end->lwp
	};

	return end->lwp ? plan_set_point(p, c, &wish) : NULL;
}
