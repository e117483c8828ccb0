/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/creator_wait.h"

#include <stdio.h>

#include "debugger/control/region_end.h"
#include "debugger/look.h"
#include "ompd/runtimes.h"

static int find_task(const struct picture *p, taddr handle)
{
	for (size_t i = 0; i < p->tasks.len; i++) {
		if (p->tasks.items[i].handle == handle)
			return (int)i;
	}
	return -1;
}

/* The frames of the task end at that border: its own, or, of an implicit task, its region's. */
static bool ends_at(const struct picture *p, const struct picture_border *b, int task)
{
	const struct picture_task *t = picture_task(p, task);

	return b->task == task || (t->kind == TASK_IMPLICIT && b->task < 0 && b->region >= 0 &&
				   b->region == t->region);
}

/* The span with which the task has left its own code; NULL: its thread executes that. */
static const struct span *find_wait(const struct picture *p, const struct picture_thread *th,
				    int task)
{
	size_t i = 0;

	while (i < th->spans.list.len && !ends_at(p, &th->borders[i], task))
		i++;
	return i && i <= th->spans.list.len ? &th->spans.list.items[i - 1] : NULL;
}

/* Where a task's code has gone by a tail call there is nothing behind the wait but what called it.
 */
static const struct span *find_behind(const struct picture_thread *th, const struct span *wait)
{
	const struct span *end = th->spans.list.items + th->spans.list.len;

	while (wait + 1 < end && wait[1].elided)
		wait++;
	return wait;
}

static bool is_wait(const struct span *s)
{
	return s->entry && (s->entry->point != POINT_CREATION) && s->entry->calls != SPAN_TARGET;
}

static void fill(const struct snapshot *s, int task, struct creator_wait *ret)
{
	const struct picture *p = &s->picture;
	const struct picture_task *t = picture_task(p, task);
	const struct picture_thread *th = picture_thread(p, t->thread);
	const struct span *wait = th->borders ? find_wait(p, th, task) : NULL;
	const struct unwind_stack *raw = &s->stacks->raw[t->thread];

	ret->task = t->handle;
	ret->lwp = th->lwp;
	region_end_name(p, t->thread, ret->creator);
	ret->waits = wait && is_wait(wait) && wait->outer && wait->outer < raw->len;
	if (!ret->waits)
		return;
	const struct span *behind = find_behind(th, wait);
	if (behind->root || !behind->outer || behind->outer >= raw->len)
		return;
	ret->pc = raw->items[behind->outer].pc;
	ret->sp_above = raw->items[behind->outer - 1].cfa - 1;
}

/* The creator of what the thread executes; -1: it is none that could be waited at. */
static struct error *find_creator(const struct picture *p, int thread, int *ret)
{
	const struct picture_thread *th = picture_thread(p, thread);
	const struct picture_task *t = th ? picture_task(p, th->task) : NULL;

	if (!t || t->kind == TASK_IMPLICIT)
		return error_new(ERROR_USAGE, "this thread executes no task that another one has "
					      "created: \"finish\" leaves its region");
	*ret = t->creator;
	return NULL;
}

struct error *creator_wait_find(struct session *s, pid_t lwp, taddr task, struct creator_wait *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true };
	AUTO_LOOK l = { 0 };
	int creator = -1;
	struct error *err = look_once(s, &options, &l);

	*ret = (struct creator_wait){ 0 };
	if (err)
		return err;
	const struct picture *p = &l.snapshot->picture;
	const int thread = region_end_thread(p, lwp);
	if (task)
		creator = find_task(p, task);
	else
		err = find_creator(p, thread, &creator);
	const struct picture_task *t = err ? NULL : picture_task(p, creator);
	if (!err && (!t || !picture_thread(p, t->thread)))
		err = error_new(ERROR_NOT_FOUND, "the task that has created this one has ended, or "
						 "its thread is not known: \"finish\" goes on as "
						 "the thread that executes this one");
	if (err)
		return err;
	region_end_name(p, thread, ret->own);
	fill(l.snapshot, creator, ret);
	return NULL;
}

struct error *creator_wait_entries(struct session *s,
				   struct error *(*found)(void *context, taddr entry),
				   void *context)
{
	struct runtime_list runtimes;
	struct error *err = runtime_list_read(runtimes_known, s->modules, s->symbols, &runtimes);

	if (err)
		return err;
	for (size_t i = 0; i < runtimes.len && !err; i++) {
		const struct runtime *r = &runtimes.items[i];
		const char *const *name = r->ops->task_waits;
		for (taddr entry; name && *name && !err; name++) {
			if (runtime_find(&runtimes, r, *name, &entry))
				err = found(context, entry);
		}
	}
	runtime_list_fini(&runtimes);
	return err;
}
