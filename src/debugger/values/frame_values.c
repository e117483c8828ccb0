/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/frame_values.h"

#include "base/sorted.h"
#include "debugger/values/raw_scope.h"

enum {
	FRAMES_MAX = 64,           /* of the user's, of one thread       */
	VARIABLES_TOTAL = 1 << 16, /* of all threads: each takes memory */
	ELEMENTS_MAX = 16,         /* of arrays and texts                */
	DEPTH_MAX = 2,             /* of structures within structures    */
};

struct finding {
	struct session *session;
	const struct snapshot *from;
	struct frame_values *ret;
	struct shown_limits limits;
	size_t variables; /* so far */
	uint64_t registers[SCOPE_REGISTERS_MAX];
};

static void item_fini(struct frame_values_item *item)
{
	shown_variables_fini(&item->arguments);
	shown_variables_fini(&item->locals);
}

void frame_values_fini(struct frame_values *v)
{
	vec_for_each (item, &v->items)
		item_fini(item);
	vec_fini(&v->items);
}

static struct error *add_level(struct finding *f, const struct scope *s, int thread, size_t place)
{
	struct frame_values_item item = {
		.thread = thread, .place = place, .pc = s->pc, .cfa = s->cfa
	};
	struct error *err = NULL;

	if (f->ret->arguments)
		err = shown_arguments(s, &f->limits, &item.arguments);
	if (!err && f->ret->locals)
		err = shown_locals(s, &f->limits, &item.locals);
	f->variables += item.arguments.len + item.locals.len;
	if (!err && vec_push(&f->ret->items, item))
		return NULL;
	item_fini(&item);
	return err ? err : &error_nomem;
}

/* Frames that are not read count for the places, too. */
static struct error *add_frame(struct finding *f, int thread, size_t frame, bool read,
			       size_t *place)
{
	struct scope scope =
		raw_scope(f->session, f->session->target->threads.items[thread],
			  &f->from->stacks->raw[thread], frame, read ? f->registers : NULL);
	const struct source_frame *levels;
	size_t len;

	struct error *err =
		symbol_locate(f->session->symbols, scope_lookup_pc(&scope), &levels, &len);
	if (!err && read && f->ret->know)
		err = f->ret->know(f->ret->known, f->from, thread, &scope);
	for (size_t i = 0; !err && i < len; i++, (*place)++) {
		scope.level = i;
		if (read && f->variables < VARIABLES_TOTAL)
			err = add_level(f, &scope, thread, *place);
	}
	return err;
}

/* A raw snapshot does not know whose a frame is. */
static bool is_users(const struct snapshot *from, int thread, size_t frame)
{
	const struct picture_thread *t = picture_thread(&from->picture, thread);

	return !t || (frame < t->spans.len && !t->spans.hidden[frame]);
}

static struct error *add_thread(struct finding *f, int thread)
{
	const struct unwind_stack *raw = &f->from->stacks->raw[thread];
	size_t place = 0, nframes = 0;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < raw->len && nframes < FRAMES_MAX; i++) {
		bool read = is_users(f->from, thread, i);
		nframes += read;
		err = add_frame(f, thread, i, read, &place);
	}
	return err;
}

struct error *frame_values_find(struct session *s, const struct snapshot *from,
				struct frame_values *ret)
{
	struct finding f = { .session = s, .from = from, .ret = ret, .limits = SHOWN_LIMITS };
	struct error *err = NULL;

	f.limits.elements = ELEMENTS_MAX;
	f.limits.depth = DEPTH_MAX;
	f.limits.statics = false;
	f.limits.meant = true;
	frame_values_fini(ret);
	for (int i = 0; !err && i < (int)from->stacks->threads.len; i++)
		err = add_thread(&f, i);
	return err;
}

/* -1: before that frame. */
static int compare(const struct frame_values_item *item, int thread, size_t place)
{
	return item->thread != thread ? sorted_order(item->thread, thread)
				      : sorted_order(item->place, place);
}

static const struct stack_thread *find_thread(const struct stacks *stacks, pid_t lwp)
{
	const uint32_t rank = lwp_rank(stacks->pid, lwp);
	const size_t at = sorted_count(t, stacks->threads.items, stacks->threads.len,
				       lwp_rank(stacks->pid, t->lwp) < rank);

	return at < stacks->threads.len && stacks->threads.items[at].lwp == lwp
		       ? &stacks->threads.items[at]
		       : NULL;
}

const struct frame_values_item *frame_values_of(const struct frame_values *v,
						const struct stacks *stacks,
						const struct stitched_frame *f)
{
	const struct stack_thread *t = f->frame ? find_thread(stacks, f->lwp) : NULL;
	size_t from = 0, to = v->items.len;

	if (!t || f->frame < t->frames.items || f->frame >= t->frames.items + t->frames.len)
		return NULL;
	size_t place = (size_t)(f->frame - t->frames.items);
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct frame_values_item *item = &v->items.items[middle];
		int order = compare(item, (int)(t - stacks->threads.items), place);
		/* Inlined calls beyond what stacks keep would put others in its place. */
		if (!order)
			return item->pc == f->frame->pc && item->cfa == f->frame->cfa ? item : NULL;
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}
