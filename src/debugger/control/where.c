/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/where.h"

struct error *where_find(const struct plan_context *c, struct where *ret)
{
	struct symbol_table *symbols = c->session->symbols;
	const struct unwind_frame *raw;
	struct error *err = frames_raw(c->frames, 0, &raw);

	if (err)
		return err;
	*ret = (struct where){ .pc = raw->pc, .cfa = raw->cfa };
	ret->nblocks = places_blocks(symbols, raw->pc, ret->blocks);
	if (ret->nblocks)
		ret->function = ret->blocks[ret->nblocks - 1].entry;
	while (ret->calls < ret->nblocks && ret->blocks[ret->calls].inlined &&
	       ret->blocks[ret->calls].entry == ret->pc)
		ret->calls++;
	ret->has_line = places_line_range(symbols, raw->pc, &ret->range) && ret->range.line;
	return NULL;
}

const struct code_block *where_block(const struct where *w, size_t depth)
{
	return depth && depth <= w->nblocks ? &w->blocks[w->nblocks - depth] : NULL;
}
