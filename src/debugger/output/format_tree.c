/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_tree.h"

#include "debugger/output/drawing.h"
#include "debugger/output/format_frames.h"
#include "debugger/output/format_picture.h"
#include "debugger/output/format_stack.h"

enum { ENDS_SHOWN = 3 }; /* reasons why stacks end, of one branch */

/* What all lines have in common. */
struct page {
	const struct view *view;
	const struct branches *branches;
	const struct style *style;
	struct drawing drawing;
};

static const char *end_of(const struct view *v, int thread)
{
	return v->stitched->stacks.items[thread].end;
}

/* The pool is where the stack of an idle thread ends: nothing to tell. */
static void add_end(struct buf *out, const struct view *v, int thread)
{
	const char *end = end_of(v, thread);

	if (!end || v->picture->threads.items[thread].role == ROLE_IDLE)
		return;
	style_add_between(out, " (", end, ")");
}

void format_tree_say(struct buf *out, const void *view, int thread, bool frameless)
{
	format_picture_wait_below(out, view, thread, false);
	if (frameless)
		add_end(out, view, thread);
}

/* Threads without any frame: "5 threads idle in the pool: 4711-4715". */
static void add_frameless(struct buf *out, const struct page *page, const struct branch *b)
{
	const struct view *v = page->view;
	enum wait_kind kind = v->picture->threads.items[*b->threads.items].wait.kind;

	style_begin(out, format_picture_wait_ink(kind), page->style);
	if (b->threads.len == 1) {
		format_picture_thread(out, v, *b->threads.items);
		buf_adds(out, ": ");
		format_tree_say(out, v, *b->threads.items, true);
	} else {
		buf_addf(out, "%zu threads ", b->threads.len);
		format_picture_wait_below(out, v, *b->threads.items, true);
		add_end(out, v, *b->threads.items);
		buf_adds(out, ": ");
		format_picture_set(out, v, b->threads.items, b->threads.len);
	}
	style_end(out, page->style);
	buf_addc(out, '\n');
}

static void add_wait(struct buf *out, const struct page *page, const struct branch *b)
{
	format_picture_wait_line(out, page->view, *b->threads.items, b->threads.len > 1,
				 page->style);
}

static void add_title(struct buf *out, const struct page *page, const struct branch *b)
{
	if (b->depth)
		drawing_add_title(out, &page->drawing, page->style);
	if (b->depth > DRAWING_DEPTH_MAX)
		buf_addf(out, "(branch %d) ", b->depth);
	style_begin(out, INK_TITLE, page->style);
	format_picture_threads(out, page->view, b->threads.items, b->threads.len);
	style_end(out, page->style);
}

/* Why the stacks of some or all threads do not begin in main(). */
static void add_ends(struct buf *out, const struct page *page, const struct branch *b)
{
	for (size_t i = 0; i < b->ends && i < ENDS_SHOWN; i++) {
		const struct branch_threads *group = &page->branches->ends.items[b->first_end + i];
		buf_adds(out, "  ");
		style_begin(out, INK_NOTE, page->style);
		buf_adds(out, "(stack");
		if (group->len < b->threads.len) {
			buf_adds(out, " of ");
			format_picture_threads(out, page->view, group->items, group->len);
		}
		style_add_between(out, " ends here: ", end_of(page->view, *group->items), ")");
		style_end(out, page->style);
		buf_addc(out, '\n');
	}
	if (b->ends > ENDS_SHOWN)
		buf_adds(out, "  (more stacks end here for other reasons)\n");
}

static void add_frames(struct buf *out, const struct page *page, const struct branch *b,
		       const char *prefix)
{
	struct format_frames run = { .prefix = prefix };

	for (const struct merge_node *node = b->from;; node = node->callees.items[0]) {
		struct format_frame line = { node->frame, node->border, -1 };
		struct format_same_frames same = { node->frames.items, node->threads.items,
						   node->frames.len };
		out->failed |= !vec_push(&run.lines, line) ||
			       (page->view->values && !vec_push(&run.same, same));
		if (node == b->to)
			break;
	}
	format_frames(out, page->view, &run, page->style);
	vec_fini(&run.lines);
	vec_fini(&run.same);
}

static void add_branch(struct buf *out, const struct page *page, const struct branch *b)
{
	AUTO_BUF prefix = { 0 };

	add_title(out, page, b);
	if (!b->from) {
		buf_addc(out, ' ');
		add_wait(out, page, b);
		return;
	}
	buf_addc(out, '\n');
	add_ends(out, page, b);
	drawing_add_prefix(&prefix, &page->drawing, page->style);
	add_frames(out, page, b, buf_text(&prefix));
	if (b->together) {
		buf_adds(out, buf_text(&prefix));
		add_wait(out, page, b);
	}
	out->failed |= prefix.failed;
}

void format_tree(struct buf *out, const struct view *v, const struct branches *branches,
		 const struct style *style)
{
	struct page page = { .view = v, .branches = branches, .style = style };

	format_stack_head(out, v, style);
	vec_for_each (b, &branches->list) {
		if (!b->depth)
			buf_addc(out, '\n');
		drawing_enter(&page.drawing, b->depth, b->more);
		if (!b->depth && !b->from)
			add_frameless(out, &page, b);
		else
			add_branch(out, &page, b);
	}
	format_picture_notes(out, v, style);
}
