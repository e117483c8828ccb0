/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/course.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "debugger/control/construct_code.h"

void course_through(struct plan *p, struct code_range way)
{
	p->way = way;
	p->move = way.start < way.end ? MOVE_RANGE : MOVE_STEP;
}

void course_through_row(struct plan *p, const struct where *w)
{
	p->range = w->has_line ? (struct code_range){ w->range.start, w->range.end }
			       : (struct code_range){ 0 };
	course_through(p, p->range);
}

void course_through_inlined(struct plan *p, const struct where *w, size_t depth)
{
	const struct code_block *call = where_block(w, depth);
	struct code_range way = { 0 };

	if (w->has_line && call) {
		way.start = w->range.start > call->start ? w->range.start : call->start;
		way.end = w->range.end < call->end ? w->range.end : call->end;
	}
	course_through(p, way);
}

void course_by_frame(struct plan *p, const struct where *w, size_t depth)
{
	const struct code_block *shown = where_block(w, depth);

	p->cfa = w->cfa;
	p->function = w->function;
	p->depth = depth;
	p->block = shown ? shown->entry : 0;
}

void course_set_line(struct plan *p, const char *file, int line)
{
	free(p->file);
	p->file = file ? strdup(file) : NULL;
	p->line = line;
}

void course_by_line(struct plan *p, const struct where *w)
{
	if (w->has_line)
		course_set_line(p, w->range.file, w->range.line);
	else
		course_set_line(p, NULL, 0);
}

void course_by(struct plan *p, const struct where *w)
{
	course_by_frame(p, w, w->nblocks - w->calls);
	course_by_line(p, w);
	course_through_row(p, w);
}

bool course_is_line(const struct plan *p, const char *file, int line)
{
	return p->line == line && text_same(p->file, file);
}

bool course_is_within(const struct plan *p, const struct where *w)
{
	const struct code_block *shown = where_block(w, p->depth);

	if (w->cfa != p->cfa || w->function != p->function || where_depth(w) < p->depth)
		return false;
	return !p->depth || (shown && shown->entry == p->block);
}

void course_stay_within(const struct plan *p, struct where *w)
{
	const struct code_block *shown = where_block(w, p->depth);

	if (where_depth(w) < p->depth && shown && shown->entry == p->block &&
	    shown->entry != w->pc && w->cfa == p->cfa && w->function == p->function)
		w->calls = w->nblocks - p->depth;
}

bool course_keeps(const struct plan *p, const struct plan_context *c, const struct where *w)
{
	struct code_block blocks[CODE_BLOCKS_MAX];
	const size_t depth = where_depth(w);
	const struct code_block *around = where_block(w, depth);

	if (w->range.begins || w->cfa != p->cfa || w->function != p->function || !around ||
	    p->depth != depth + 1)
		return false;
	const size_t len = places_blocks(c->session->symbols, p->block, blocks);
	return len >= p->depth &&
	       construct_code_is_one(blocks[len - p->depth].function, around->function);
}
