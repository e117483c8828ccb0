/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/where.h"

static void find(const struct plan_context *c, const struct unwind_frame *raw, struct where *ret)
{
	struct symbol_table *symbols = c->session->symbols;
	const taddr pc = raw->exact || !raw->pc ? raw->pc : raw->pc - 1;

	*ret = (struct where){ .pc = raw->pc, .cfa = raw->cfa };
	ret->nblocks = places_blocks(symbols, pc, ret->blocks);
	if (ret->nblocks)
		ret->function = ret->blocks[ret->nblocks - 1].entry;
	ret->calls = pc == raw->pc ? places_calls(ret->blocks, ret->nblocks) : 0;
	ret->has_line = places_line_range(symbols, pc, &ret->range) && ret->range.line;
}

struct error *where_find(const struct plan_context *c, struct where *ret)
{
	return where_find_caller(c, 0, ret);
}

struct error *where_find_caller(const struct plan_context *c, size_t raw, struct where *ret)
{
	const struct unwind_frame *frame;
	struct error *err = frames_raw(c->frames, raw, &frame);

	if (!err && !frame)
		err = error_new(ERROR_NOT_FOUND, "there is no frame that far out on the stack");
	if (!err)
		find(c, frame, ret);
	return err;
}

const struct code_block *where_block(const struct where *w, size_t depth)
{
	return depth && depth <= w->nblocks ? &w->blocks[w->nblocks - depth] : NULL;
}

size_t where_depth(const struct where *w)
{
	return w->nblocks - w->calls;
}

struct line_range where_line(const struct where *w, size_t hidden)
{
	struct line_range ret = w->has_line ? w->range : (struct line_range){ 0 };

	if (hidden) {
		ret.file = w->blocks[hidden - 1].call_file;
		ret.line = w->blocks[hidden - 1].call_line;
	}
	return ret;
}
