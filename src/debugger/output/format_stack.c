/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_stack.h"

#include "debugger/output/format_frames.h"
#include "debugger/output/format_picture.h"

/* NULL: nothing worth saying. */
static const char *const roles[NUM_ROLES] = {
	[ROLE_INITIAL] = "initial thread, in no region",
	[ROLE_FOREIGN] = "made by the program, in no region",
	[ROLE_PRIMARY] = "primary thread",
	[ROLE_WORKER] = "worker",
	[ROLE_HELPER] = "hidden helper",
	[ROLE_IDLE] = "worker",
};

void format_stack_head(struct buf *out, const struct view *v, const struct style *style)
{
	format_picture_target(out, v->stacks, style);
	if (!v->raw && !v->picture->runtimes.len)
		buf_adds(out, "no OpenMP runtime\n");
	vec_for_each (r, &v->picture->runtimes) {
		format_picture_runtime(out, r, style);
		buf_addc(out, '\n');
	}
}

static void add_title(struct buf *out, const struct view *v, int thread, const struct style *style)
{
	const struct picture_thread *t = picture_thread(v->picture, thread);
	const char *name = view_name(v, thread);
	const char *role = t ? roles[t->role] : NULL;
	bool numbered = picture_is_numbered(t);

	buf_addc(out, '\n');
	style_begin(out, INK_TITLE, style);
	buf_adds(out, "thread ");
	if (numbered)
		buf_addf(out, "%ld.%ld (LWP ", picture_region_id(v->picture, t->region), t->number);
	buf_addf(out, "%d", v->stacks->threads.items[thread].lwp);
	if (*name)
		style_add_between(out, " \"", name, "\"");
	if (numbered)
		buf_addc(out, ')');
	style_end(out, style);
	if (role)
		buf_addf(out, ", %s", role);
	buf_addc(out, '\n');
}

static void add_frames(struct buf *out, const struct view *v, const struct stitched_stack *s,
		       const struct style *style)
{
	struct format_frames frames = { .prefix = "  " };
	VEC(const struct stitched_frame *) own = { 0 }; /* of each line, if there are values */
	int number = 0;
	bool whole = true;

	vec_for_each (f, &s->frames) {
		bool lines[] = { !f->hidden || v->all_frames, f->border.kind != BORDER_NONE };
		for (int border = 0; border < 2; border++) {
			struct format_frame line = { f, border, border ? -1 : number };
			if (!lines[border])
				continue;
			number += !border;
			whole &= vec_push(&frames.lines, line) && (!v->values || vec_push(&own, f));
		}
	}
	for (size_t i = 0; i < own.len; i++)
		whole &= vec_push(&frames.same,
				  (struct format_same_frames){ &own.items[i], &s->thread, 1 });
	format_frames(out, v, &frames, style);
	vec_fini(&frames.lines);
	vec_fini(&frames.same);
	vec_fini(&own);
	out->failed |= !whole;
}

static void add_end(struct buf *out, const struct view *v, const struct stitched_stack *s,
		    const struct style *style)
{
	buf_adds(out, "  ");
	style_begin(out, INK_NOTE, style);
	style_add_between(out, v->raw && !s->frames.len ? "(" : "(stack ends here: ", s->end, ")");
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_stacks(struct buf *out, const struct view *v, const struct style *style)
{
	struct stitched_stack scratch = { 0 };

	format_stack_head(out, v, style);
	for (int i = 0; i < (int)v->stacks->threads.len; i++) {
		const struct stitched_stack *s = view_stack(v, i, &scratch, out);
		const struct picture_thread *t = picture_thread(v->picture, i);
		/* The pool is where the stack of an idle thread ends. */
		bool pooled = t && t->role == ROLE_IDLE && !v->all_frames;
		add_title(out, v, i, style);
		if (t) {
			buf_adds(out, "  ");
			format_picture_wait_line(out, v, i, false, style);
		}
		add_frames(out, v, s, style);
		if (s->end && !pooled)
			add_end(out, v, s, style);
	}
	format_picture_notes(out, v, style);
	vec_fini(&scratch.frames);
}
