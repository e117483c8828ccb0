/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cu_blocks: the blocks of the source around an address: the function, what is inlined into it, and
 * the parts of both that have names of their own.
 */
#ifndef TARGET_CU_BLOCKS_H
#define TARGET_CU_BLOCKS_H

#include "target/symbols/cu.h"

enum cu_block_kind { CU_BLOCK_FUNCTION, CU_BLOCK_INLINED, CU_BLOCK_LEXICAL };

/* Strings live as long as the unit. */
struct cu_block {
	enum cu_block_kind kind;
	uint64_t id;           /* of the unit's blocks each has another one          */
	const char *function;  /* linkage name where known; NULL: unknown, or lexical */
	taddr start, end;      /* the range around the address                       */
	taddr entry;           /* where it is entered; 0: unknown                     */
	const char *call_file; /* of what is inlined: where it is called; NULL: unknown */
	int call_line;
};

enum { CU_BLOCKS_MAX = 256 };

/* From the inside out; the last one is the function. Returns how many: 0: there is no function. */
size_t cu_blocks(struct cu *cu, taddr addr, struct cu_block ret[CU_BLOCKS_MAX]);

#endif
