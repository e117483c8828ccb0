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

/*
 * A frame of the thread's own has arguments. *level: of the thread's frames those before it are
 * shown or left out; the runtime's are between them.
 */
static bool add_own(struct cli *c, const struct stitched_frame *f, size_t *level)
{
	struct frames *frames = &c->control->frames;
	const struct frame *own = NULL;
	struct report_place place = { 0 };
	struct error *err = NULL;
	bool same = false;

	if (f->lwp != c->control->selected || !f->frame)
		return false;
	for (size_t i = *level; !same && !(err = frames_get(frames, i, &own)) && own; i++) {
		same = own->pc == f->frame->pc && own->line == f->line;
		if (same)
			*level = i + 1;
	}
	if (same)
		err = running_add_frame(c, frames, *level - 1, &place);
	report_place_fini(&place);
	error_ignore(err);
	return same;
}

static void add_frame(struct cli *c, const struct stitched_frame *f, size_t number, size_t *level)
{
	buf_addf(&c->out, "#%-3zu", number);
	if (add_own(c, f, level))
		return;
	style_add_inked(&c->out, INK_NAME, f->function ? f->function : "??", &c->style);
	buf_adds(&c->out, " ()");
	if (f->file) {
		buf_adds(&c->out, " at ");
		style_add_line(&c->out, f->file, f->line);
	}
	buf_addc(&c->out, '\n');
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

static void add_stack(struct cli *c, const struct view *v, const struct stitched_stack *stack,
		      size_t most)
{
	size_t number = 0, level = 0;

	vec_for_each (f, &stack->frames) {
		if (number == most) {
			buf_adds(&c->out, "(More stack frames follow...)\n");
			return;
		}
		if (!f->hidden)
			add_frame(c, f, number++, &level);
		if (f->border.kind != BORDER_NONE)
			add_border(c, v, &f->border);
	}
	if (stack->end)
		style_add_between(&c->out, "Backtrace stopped: ", stack->end, "\n");
}

struct error *team_stack_add(struct cli *c, size_t most, bool *ret_is)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };
	AUTO_LOOK look = { 0 };
	struct error *err = is_in_region(c, ret_is);

	if (err || !*ret_is)
		return err;
	err = look_once(c->control->live, &options, &look);
	if (!err)
		err = snapshot_name(look.snapshot);
	if (err)
		return err;
	const struct snapshot *s = look.snapshot;
	const struct stitched_stack *stack = find_stack(s, c->control->selected);
	const struct view v = { .stacks = s->stacks,
				.picture = &s->picture,
				.stitched = &s->stitched };
	*ret_is = stack;
	if (stack)
		add_stack(c, &v, stack, most);
	return NULL;
}
