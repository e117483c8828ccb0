/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Examine: what is in memory, as x, display and disassemble show it: numbers, texts, instructions.
 */
#ifndef DEBUGGER_CLI_EXAMINE_H
#define DEBUGGER_CLI_EXAMINE_H

#include "debugger/cli/data.h"

/*
 * What x shows; leaves $_ and $__. j: an object that is open, which gets an array of it; NULL: text
 * is added to c->out. NO_ADDRESS: there is no memory; what lies before that is shown.
 */
MUST_CHECK struct error *examine_add(struct cli *c, struct json *j, const struct data_scope *s,
				     taddr from, const struct data_format *f);

/* The same as an answer of its own, with --json as an object. */
MUST_CHECK struct error *examine(struct cli *c, const struct data_scope *s, taddr from,
				 const struct data_format *f);

/* A text of characters of that many bytes, up to its NUL, or most of them: *ret_more. NO_ADDRESS:
 * not even one can be read. */
MUST_CHECK struct error *examine_read_text(const struct scope *s, taddr at, size_t width,
					   size_t most, struct buf *ret, bool *ret_more);

enum examine_label {
	EXAMINE_ADDRESS, /* 0x401136 <main+4>                       */
	EXAMINE_NAMES,   /* 0x0000000000401136 <main+4>             */
	EXAMINE_OFFSETS, /* 0x0000000000401136 <+4>                 */
};
/*
 * One instruction in a line of its own, with the mark of pc; or, with j, as an object without its
 * end. Returns its size; 0: no memory.
 */
size_t examine_instruction(struct cli *c, struct json *j, const struct scope *s, taddr at,
			   enum examine_label label, bool bytes);

#endif
