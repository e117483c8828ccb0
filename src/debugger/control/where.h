/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where: the place at which a plan's thread stands, with the blocks of the source around it.
 */
#ifndef DEBUGGER_WHERE_H
#define DEBUGGER_WHERE_H

#include "debugger/control/plan.h"

struct where {
	taddr pc, cfa;
	taddr function; /* entry; 0: unknown */
	struct code_block blocks[CODE_BLOCKS_MAX];
	size_t nblocks;
	size_t calls; /* of them, inlined ones that begin here */
	struct line_range range;
	bool has_line;
};

MUST_CHECK struct error *where_find(const struct plan_context *c, struct where *ret);
/* The same of a frame further out, which there must be: where it has called the next one. */
MUST_CHECK struct error *where_find_caller(const struct plan_context *c, size_t raw,
					   struct where *ret);

/* The block that so many are around, itself included; NULL: there are fewer. */
const struct code_block *where_block(const struct where *w, size_t depth);

/* The line that is shown where so many inlined calls have not begun. */
struct line_range where_line(const struct where *w, size_t hidden);

/* How many blocks are around what is shown: those that have been entered. */
size_t where_depth(const struct where *w);

#endif
