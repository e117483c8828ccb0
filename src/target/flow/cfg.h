/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cfg: the control flow graph of a function, from the instructions in the target's memory.
 *
 * Code is followed from the function's entry along all branches and jumps; what lies between and is
 * never reached (padding, tables) is not looked at. Compilers move unlikely code to another place,
 * where it has unwind tables of its own. Such a part belongs to the function if, by its tables,
 * more than a return address is on the stack where it begins, or if it jumps back into the middle
 * of the function. Every other jump to the outside is an exit, as a return is. Jumps through tables
 * are followed where the code shows the table and its size (lea, a comparison, ja).
 */
#ifndef TARGET_CFG_H
#define TARGET_CFG_H

#include "target/code/unwind.h"

enum { CFG_BLOCKS_MAX = 4096, CFG_NONE = UINT32_MAX };

struct cfg_insn {
	taddr addr;
	struct insn insn;
	uint32_t call; /* 1 + what routine.h knows of it; 0: nothing */
};

/* Instructions that follow one another; only the last jumps. */
struct cfg_block {
	uint32_t first, len;           /* of insns                                         */
	uint32_t first_edge, nedges;   /* of edges: where it goes                          */
	uint32_t first_entry, entries; /* of entries: where it comes from                  */
	bool exits;                    /* by a return or a jump to another function        */
	bool ends; /* nothing gets behind it: what it calls never returns, by routine.h     */
};

struct cfg_edge {
	uint32_t from, to; /* of blocks                                                    */
	bool taken;        /* the branch at the end of "from", else it has not been        */
};

struct cfg {
	struct {
		struct cfg_insn *items; /* owned; block by block                           */
		size_t len, cap;
	} insns;
	struct {
		struct cfg_block *items; /* owned; the first is the function's entry       */
		size_t len, cap;
	} blocks;
	struct {
		struct cfg_edge *items; /* owned; by "from"                                */
		size_t len, cap;
	} edges;
	uint32_t *entries; /* owned; indices of edges, by "to"                            */
	taddr start;
	bool complete; /* all code has been found and decoded                              */
};

/* The function around pc. NULL: it has no unwind tables, or out of memory. */
struct cfg *cfg_new(struct target *t, struct unwinder *u, taddr pc);
void cfg_free(struct cfg *c);

/* The last instruction of a block. */
static inline const struct cfg_insn *cfg_last(const struct cfg *c, const struct cfg_block *b)
{
	return &c->insns.items[b->first + b->len - 1];
}

/* The instruction that ends at addr; NULL: there is none. */
static inline const struct cfg_insn *cfg_before(const struct cfg *c, taddr addr)
{
	vec_for_each (insn, &c->insns) {
		if (insn->addr + insn->insn.size == addr)
			return insn;
	}
	return NULL;
}

/* The block whose instruction begins at addr, or ends there. CFG_NONE: there is none. */
uint32_t cfg_find(const struct cfg *c, taddr addr, bool ends);

#endif
