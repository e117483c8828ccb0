/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/drawing.h"

void drawing_enter(struct drawing *d, int depth, bool more)
{
	d->depth = depth;
	d->last = !more;
	if (depth <= DRAWING_DEPTH_MAX)
		d->more[depth] = more;
}

static void add_passing(struct buf *out, const struct drawing *d, int depth,
			const struct style *style)
{
	buf_adds(out, "  ");
	for (int i = 1; i <= depth && i <= DRAWING_DEPTH_MAX; i++)
		style_mark(out, d->more[i] ? MARK_PASS : MARK_GAP, style);
}

void drawing_add_title(struct buf *out, const struct drawing *d, const struct style *style)
{
	int depth = d->depth < DRAWING_DEPTH_MAX ? d->depth : DRAWING_DEPTH_MAX;

	add_passing(out, d, depth - 1, style);
	if (depth)
		style_mark(out, d->last ? MARK_LAST : MARK_BRANCH, style);
}

void drawing_add_prefix(struct buf *out, const struct drawing *d, const struct style *style)
{
	add_passing(out, d, d->depth, style);
}

void drawing_add_quoted(struct buf *out, const char *lines)
{
	for (; *lines; lines++) {
		if (*lines == '"' || *lines == '\\')
			buf_addc(out, '\\');
		if (*lines == '\n')
			buf_adds(out, "\\n");
		else
			buf_addc(out, *lines);
		if (*lines == '&')
			buf_adds(out, "amp;");
	}
}
