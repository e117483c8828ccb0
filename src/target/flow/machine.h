/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Machine: what is known at a place in code: of the general registers, of what has been stored on
 * the stack, of the last comparison, of what is held.
 *
 * A number of stores to the stack are kept. Anything else that is loaded counts as what memory
 * holds now, at the time of looking, which is right if it has not changed since. When code stores
 * to a place, what it loaded from there before is no longer known. Stores to unknown places go
 * unnoticed.
 */
#ifndef TARGET_MACHINE_H
#define TARGET_MACHINE_H

#include "target/flow/held.h"
#include "target/process/target.h"

enum { MACHINE_REGS = 32, MACHINE_SLOTS = 32, MACHINE_WORD = 8 };

/* What has been stored at a place of the stack. */
struct machine_slot {
	uint64_t at; /* distance from where the stack pointer was when all began             */
	uint8_t bytes;
	struct term term;
};

struct machine_state {
	struct term regs[MACHINE_REGS]; /* by their numbers in struct insn                   */
	struct machine_slot slots[MACHINE_SLOTS]; /* by "at"; they do not overlap            */
	size_t nslots;
	bool compared; /* the last comparison: left with right                              */
	struct term left;
	uint64_t right;
	uint8_t width; /* bytes of them                                                    */
	struct held held;
	struct held given; /* back, without having been taken here: by those calls       */
};

/* In what the code executes. */
struct machine {
	struct target *target; /* borrowed */
	struct terms *terms;   /* borrowed */
	uint64_t context;      /* by which calls code was got to; 0: none                   */
	struct term stack;     /* the stack pointer when all began                          */
	uint64_t dead_below;   /* distance from it; below that, memory does not tell what has been
				  stored: it was the stack of functions that have returned  */
};

/* Nothing is known where code begins at "start" but the stack pointer. */
void machine_begin(const struct machine *m, taddr start, struct machine_state *ret);

/* An instruction, and what is known where it stands: before it, then behind it. */
struct operation {
	const struct machine *m;
	taddr addr;
	const struct insn *insn; /* NULL: none                                              */
	struct machine_state *s;
};

/* ---- numbers -------------------------------------------------------------------------------- */

/* A number that nothing is known of, and that is another one each time: "part" as in term.h. */
struct term machine_born(const struct operation *o, unsigned int part);

/* One that is computed from two others. number: NULL: it cannot be told. */
struct term machine_derived(const struct operation *o, unsigned int part, const struct term from[2],
			    const uint64_t *number);

/* ---- memory --------------------------------------------------------------------------------- */

struct term machine_load(const struct operation *o, unsigned int part, struct term address,
			 unsigned int bytes);
void machine_store(const struct operation *o, struct term address, unsigned int bytes,
		   struct term term);

/* So many bytes of the stack from an address on may have been changed by others. */
void machine_forget(const struct machine *m, struct term address, uint64_t bytes,
		    struct machine_state *s);
/* And all below the stack pointer. */
void machine_forget_below(const struct machine *m, struct machine_state *s);

/* ---- states -------------------------------------------------------------------------------- */

/* Where n ways come together, at the start of a block: states[0] becomes what is true on each. */
void machine_join(const struct machine *m, taddr block, struct machine_state *states, size_t n);
bool machine_same(const struct machine_state *a, const struct machine_state *b);

#endif
