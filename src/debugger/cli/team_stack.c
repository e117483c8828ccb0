/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/team_stack.h"

#include "debugger/cli/running.h"
#include "debugger/look.h"
#include "debugger/output/format_picture.h"
#include "debugger/whereabouts.h"

/* Only of who is in a region the others are looked at. */
static struct error *is_in_region(struct cli *c, bool *ret)
{
	struct frames *f = &c->control->frames;
	const struct unwind_frame *raw;
	struct whereabouts w;
	struct error *err = frames_raw(f, UNWIND_FRAMES_DEFAULT - 1, &raw);

	if (!err)
		err = whereabouts_find(c->control->live, f->thread, &f->raw, &w);
	*ret = !err && w.level;
	return err;
}

static const struct stitched_stack *find_stack(const struct snapshot *s, pid_t lwp)
{
	for (size_t i = 0; i < s->stitched.stacks.len; i++) {
		const struct stitched_stack *stack = &s->stitched.stacks.items[i];
		if (s->stacks->threads.items[stack->thread].lwp == lwp)
			return stack;
	}
	return NULL;
}

struct writer {
	struct cli *c;
	const struct snapshot *snapshot; /* borrowed */
	struct frames other;             /* owned; of the thread whose frames come now */
	size_t next;                     /* number of the next frame of another thread */
};

/* The frames of who it belongs to: the selected thread, or one that made a region. */
static struct frames *frames_of(struct writer *w, const struct stitched_frame *f)
{
	struct control *control = w->c->control;
	struct thread *th;

	if (f->lwp == control->selected)
		return &control->frames;
	th = target_find_thread(control->live->target, f->lwp);
	if (w->other.thread != th)
		frames_select(&w->other, control->live, th, 0);
	return &w->other;
}

/*
 * Which of them it is. -1: of an inlined call that has not been made yet, or none of them. The
 * snapshot knows the same frames, and those calls.
 */
static ptrdiff_t level_of(const struct writer *w, const struct stitched_frame *f,
			  struct frames *frames)
{
	const struct stack_frame *first = NULL;
	const struct frame *found = NULL;

	vec_for_each (t, &w->snapshot->stacks->threads) {
		if (t->lwp == f->lwp)
			first = t->frames.items;
	}
	if (!first || !f->frame || !frames->thread || (size_t)(f->frame - first) < frames->hidden)
		return -1;
	size_t level = (size_t)(f->frame - first) - frames->hidden;
	error_ignore(frames_get(frames, level, &found));
	bool same = found && found->pc == f->frame->pc && found->cfa == f->frame->cfa;
	return same ? (ptrdiff_t)level : -1;
}

/* Where no more than a name is known. */
static void add_name(struct cli *c, const struct stitched_frame *f)
{
	style_add_inked(&c->out, INK_NAME, f->function ? f->function : "??", &c->style);
	buf_adds(&c->out, " ()");
	if (f->file) {
		buf_adds(&c->out, " at ");
		style_add_line(&c->out, f->file, f->line);
	}
	buf_addc(&c->out, '\n');
}

/* The thread's own frames have the numbers by which they are selected; others' come behind. */
static void add_frame(struct writer *w, const struct stitched_frame *f)
{
	struct cli *c = w->c;
	struct frames *frames = frames_of(w, f);
	ptrdiff_t level = level_of(w, f, frames);
	struct report_place place = { 0 };
	struct error *err = NULL;

	if (frames == &w->other)
		buf_addf(&c->out, "#%-3zu", w->next++);
	else if (level >= 0)
		buf_addf(&c->out, "#%-3td", level);
	else
		buf_adds(&c->out, "    ");
	if (level >= 0)
		err = running_add_frame(c, frames, (size_t)level, &place);
	if (level < 0 || err)
		add_name(c, f);
	error_ignore(err);
	report_place_fini(&place);
}

static void add_border(struct cli *c, const struct view *v, const struct border *b)
{
	style_begin(&c->out, INK_BORDER, &c->style);
	style_mark(&c->out, MARK_RULE, &c->style);
	buf_addc(&c->out, ' ');
	format_picture_border(&c->out, v, b);
	buf_addc(&c->out, ' ');
	style_mark(&c->out, MARK_RULE, &c->style);
	style_end(&c->out, &c->style);
	buf_addc(&c->out, '\n');
}

/* Has the program not come to the call yet that it is of? */
static bool is_to_come(const struct writer *w, const struct stitched_frame *f, size_t at)
{
	const struct frames *own = &w->c->control->frames;

	return at < own->hidden && f->lwp == w->c->control->selected && f->frame &&
	       f->frame->inlined;
}

static void add_stack(struct writer *w, const struct view *v, const struct stitched_stack *stack,
		      size_t most)
{
	struct cli *c = w->c;
	size_t shown = 0;

	for (size_t i = 0; i < stack->frames.len; i++) {
		const struct stitched_frame *f = &stack->frames.items[i];
		bool is_shown = !f->hidden && !is_to_come(w, f, i);
		if (is_shown && shown++ == most) {
			buf_adds(&c->out, "(More stack frames follow...)\n");
			return;
		}
		if (is_shown)
			add_frame(w, f);
		if (f->border.kind != BORDER_NONE)
			add_border(c, v, &f->border);
	}
	if (stack->end)
		style_add_between(&c->out, "Backtrace stopped: ", stack->end, "\n");
}

static struct error *count_own(struct frames *f, size_t *ret)
{
	const struct frame *frame;
	struct error *err = frames_get(f, SIZE_MAX, &frame);

	*ret = f->items.len;
	return err;
}

struct error *team_stack_add(struct cli *c, size_t most, bool *ret_is)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };
	AUTO_LOOK look = { 0 };
	struct writer w = { .c = c };
	struct error *err = is_in_region(c, ret_is);

	if (err || !*ret_is)
		return err;
	err = look_once(c->control->live, &options, &look);
	if (!err)
		err = snapshot_name(look.snapshot);
	if (!err)
		err = count_own(&c->control->frames, &w.next);
	if (err)
		return err;
	const struct snapshot *s = w.snapshot = look.snapshot;
	const struct stitched_stack *stack = find_stack(s, c->control->selected);
	const struct view v = { .stacks = s->stacks,
				.picture = &s->picture,
				.stitched = &s->stitched };
	*ret_is = stack;
	if (stack)
		add_stack(&w, &v, stack, most);
	frames_fini(&w.other);
	return NULL;
}
