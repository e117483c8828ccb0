/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/whereabouts.h"

#include <stdlib.h>

#include "debugger/look.h"
#include "ompd/walk.h"

static struct whereabouts read_picture(const struct session *s, const struct picture *p, int thread)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_region *r = picture_region(p, th->region);
	const struct picture_task *task = picture_task(p, th->task);
	struct whereabouts ret = {
		.role = th->role,
		.region = picture_region_id(p, th->region),
		.parent = r ? picture_region_id(p, r->parent) : -1,
		.task = picture_task_id(p, th->task),
		.creator = task ? picture_task_id(p, task->creator) : -1,
		.task_kind = task ? task->kind : TASK_IMPLICIT,
		.number = r ? th->number : -1,
		.size = r ? r->size : 0,
		.level = r ? r->level : 0,
		.lasts = true,
	};

	for (int i = th->region; s->ids && picture_region(p, i); i = picture_region(p, i)->parent)
		ret.lasts &= omp_ids_lasts(s->ids, picture_region_id(p, i));
	return ret;
}

static int index_of(const struct target *t, const struct thread *th)
{
	for (size_t i = 0; i < t->threads.len; i++) {
		if (t->threads.items[i] == th)
			return (int)i;
	}
	return -1;
}

static struct error *find(struct session *s, const struct thread *th,
			  const struct unwind_stack *raw, struct whereabouts *ret)
{
	AUTO_FREE struct unwind_stack *all = calloc(s->target->threads.len + 1, sizeof(*all));
	int thread = index_of(s->target, th);
	struct picture picture = { 0 };

	if (!all)
		return &error_nomem;
	*ret = (struct whereabouts){
		.region = -1, .parent = -1, .task = -1, .creator = -1, .number = -1, .lasts = true
	};
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
	if (!err && s->ids)
		err = omp_ids_assign(s->ids, s->target, &picture, NULL);
	if (!err)
		*ret = read_picture(s, &picture, thread);
	picture_fini(&picture);
	return err;
}

struct error *whereabouts_find(struct session *s, const struct thread *th,
			       const struct unwind_stack *raw, struct whereabouts *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true };
	AUTO_LOOK look = { 0 };
	struct error *err = find(s, th, raw, ret);

	if (err || ret->lasts)
		return err;
	err = look_once(s, &options, &look);
	return err ? err : find(s, th, raw, ret);
}
