/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/members.h"

#include <string.h>

#include "debugger/control/task_values.h"
#include "ompd/outlined.h"
#include "target/symbols/prologue.h"

enum { DEPTH_MAX = 64 };

void members_fini(struct members *m)
{
	vec_for_each (member, &m->items)
		frames_fini(&member->frames);
	vec_fini(&m->items);
	free(m->function);
	look_fini(&m->look);
}

/* Whether the frame in which a thread stands is not made yet. */
static bool begins(struct control *c, struct members *all, const struct frame *frame)
{
	if (!frame->exact || frame->inlined || !frame->entry)
		return false;
	if (frame->entry != all->entry) {
		all->entry = frame->entry;
		all->body = prologue_end(c->live->symbols, frame->entry);
	}
	return frame->pc < all->body;
}

/* The innermost frame of that function, not further out than a stack usually is deep. */
static struct error *find_frame(struct control *c, struct members *all, struct member *m)
{
	const struct frame *frame;

	for (size_t i = 0; i < DEPTH_MAX; i++) {
		struct error *err = frames_get(&m->frames, i, &frame);
		if (err || !frame)
			return err;
		if (!frame->function || strcmp(frame->function, all->function))
			continue;
		m->level = i;
		m->begins = begins(c, all, frame);
		m->stands_there = !m->begins;
		return NULL;
	}
	return NULL;
}

static struct error *add(struct control *c, struct members *all, int thread)
{
	const struct picture_thread *in = &all->look.snapshot->picture.threads.items[thread];
	struct thread *th = target_find_thread(c->live->target, in->lwp);
	const struct picture_task *task = picture_task(&all->look.snapshot->picture, in->task);
	struct member made = { .thread = thread, .in_task = task && task->kind != TASK_IMPLICIT };

	if (!th)
		return NULL;
	if (!vec_push(&all->items, made))
		return &error_nomem;
	struct member *m = &all->items.items[all->items.len - 1];
	bool own = in->lwp == c->selected;
	frames_select(&m->frames, c->live, th, own ? c->frames.hidden : 0);
	if (!own)
		return all->function ? find_frame(c, all, m) : NULL;
	const struct frame *frame;
	struct error *err = frames_get(&m->frames, c->level, &frame);
	m->level = c->level;
	m->begins = !err && frame && begins(c, all, frame);
	m->stands_there = true;
	return err;
}

static struct error *add_team(struct control *c, struct members *all)
{
	const struct picture *p = &all->look.snapshot->picture;
	const struct picture_region *region = NULL;
	struct error *err = NULL;

	for (size_t i = 0; i < p->threads.len && !region; i++) {
		if (p->threads.items[i].lwp == c->selected)
			region = picture_region(p, p->threads.items[i].region);
	}
	if (!region)
		return error_new(ERROR_USAGE,
				 "the selected thread is in no parallel region: \"-all\" asks "
				 "all threads");
	for (size_t i = 0; !err && i < region->members.len; i++) {
		if (picture_thread(p, region->members.items[i]))
			err = add(c, all, region->members.items[i]);
	}
	return err;
}

struct error *members_find(struct control *c, bool everyone, struct members *ret)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = true };
	const struct frame *frame;

	*ret = (struct members){ 0 };
	if (!c->live || !c->frames.thread)
		return error_new(ERROR_USAGE, "No thread selected.");
	struct error *err = frames_get(&c->frames, c->level, &frame);
	if (!err && frame && frame->function) {
		ret->function = strdup(frame->function);
		err = ret->function ? NULL : &error_nomem;
	}
	if (!err)
		err = look_once(c->live, &options, &ret->look);
	if (!err && !everyone)
		return add_team(c, ret);
	for (size_t i = 0; !err && i < ret->look.snapshot->picture.threads.len; i++)
		err = add(c, ret, (int)i);
	return err;
}

void members_add_absence(const struct members *m, struct buf *out)
{
	const struct session *s = m->look.snapshot->stacks->session;
	const char *function = m->function ? symbol_shown_name(s->symbols, m->function) : NULL;
	struct outlined outlined;

	if (m->function && outlined_parse(m->function, &outlined))
		buf_adds(out, "not in the code of this construct");
	else
		buf_addf(out, "not in %s", function ? function : "the selected function");
}

struct error *member_scope(struct member *m, struct scope *ret)
{
	struct error *err = frames_scope(&m->frames, m->level, ret);

	if (!err && m->in_task)
		task_values_know(ret);
	return err;
}
