/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_stack.h"

#include "debugger/output/format.h"
#include "debugger/output/format_frames.h"
#include "debugger/output/format_picture.h"

void format_stack_begin(struct buf *out, const struct view *v, const struct style *style)
{
	format_stacks_begin(out, v->stacks, style);
	if (!v->picture->runtimes.len)
		buf_adds(out, "no OpenMP runtime\n");
	vec_for_each (r, &v->picture->runtimes) {
		format_picture_runtime(out, r, style);
		buf_addc(out, '\n');
	}
}

static void add_title(struct buf *out, const struct view *v, int thread, const struct style *style)
{
	const struct picture_thread *t = &v->picture->threads.items[thread];
	const char *name = view_name(v, thread);
	bool numbered = t->region >= 0 && t->number >= 0;
	const char *role = format_picture_role(t->role);

	buf_addc(out, '\n');
	style_begin(out, INK_TITLE, style);
	buf_adds(out, "thread ");
	if (numbered)
		buf_addf(out, "%d.%ld (LWP ", t->region, t->number);
	buf_addf(out, "%d", t->lwp);
	if (*name) {
		buf_adds(out, " \"");
		style_add_text(out, name);
		buf_addc(out, '"');
	}
	if (numbered)
		buf_addc(out, ')');
	style_end(out, style);
	if (*role)
		buf_addf(out, ", %s", role);
	buf_addc(out, '\n');
}

static bool is_shown(const struct view *v, const struct stitched_frame *f)
{
	return !f->hidden || v->all_frames;
}

static void add_wait(struct buf *out, const struct view *v, int thread, const struct style *style)
{
	enum wait_kind kind = v->picture->threads.items[thread].wait.kind;

	buf_adds(out, "  ");
	style_begin(out, format_picture_wait_ink(kind), style);
	style_mark(out, MARK_ARROW, style);
	format_picture_wait_below(out, v, thread, false);
	style_end(out, style);
	buf_addc(out, '\n');
}

static void add_frames(struct buf *out, const struct view *v, const struct stitched_stack *s,
		       const struct style *style)
{
	struct format_frames frames = { .prefix = "  " };
	int number = 0;
	bool whole = true;

	vec_for_each (f, &s->frames) {
		if (is_shown(v, f))
			whole &= vec_push(&frames.lines,
					  (struct format_frame){ f, false, number++ });
		if (f->border.kind != BORDER_NONE)
			whole &= vec_push(&frames.lines, (struct format_frame){ f, true, -1 });
	}
	format_frames_add(out, v, &frames, style);
	vec_fini(&frames.lines);
	out->failed |= !whole;
}

void format_stack_thread(struct buf *out, const struct view *v, size_t index,
			 const struct style *style)
{
	const struct stitched_stack *s = &v->stitched->stacks.items[index];
	const struct picture_thread *t = &v->picture->threads.items[s->thread];

	add_title(out, v, s->thread, style);
	add_wait(out, v, s->thread, style);
	add_frames(out, v, s, style);
	/* The pool is where the stack of an idle thread ends. */
	if (!s->end || (t->role == ROLE_IDLE && !v->all_frames))
		return;
	buf_adds(out, "  ");
	style_begin(out, INK_NOTE, style);
	buf_adds(out, "(stack ends here: ");
	style_add_text(out, s->end);
	buf_addc(out, ')');
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_stack_end(struct buf *out, const struct view *v, const struct style *style)
{
	format_picture_notes(out, v, style);
}
