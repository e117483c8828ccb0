/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Code: a copy of a piece of the target's code, and the instructions in it.
 */
#ifndef TARGET_CODE_H
#define TARGET_CODE_H

#include "target/process/target.h"

enum { CODE_INSN_MAX = 16 }; /* bytes of one instruction of any processor                  */

struct code {
	const struct arch *arch; /* borrowed */
	taddr start, end;
	uint8_t *bytes; /* owned */
};

/* false: it cannot be read, or this processor's instructions are not known; ret is empty then. */
bool code_read(struct target *t, taddr start, taddr end, struct code *ret);
void code_fini(struct code *c);

/* The instruction at an address. false: it is not known, or not within the code. */
bool code_decode(const struct code *c, taddr at, struct insn *ret);

/* The instruction at an address in the target, which may be the last one of its mapping. */
bool code_insn_at(struct target *t, taddr at, struct insn *ret);

/* It calls; a call to nowhere is none. */
bool code_is_call(struct target *t, const struct insn *insn);

/*
 * The only call that bytes before an address can be read as: with a prefix or without it is the
 * same. false: there is none, or there are several.
 */
bool code_call_before(struct target *t, taddr end, struct insn *ret);

/* It jumps, always or under a condition, to a fixed place. */
bool code_jumps(const struct insn *insn);

/* Nothing gets from it to the instruction behind it. */
bool code_ends(const struct insn *insn);

#endif
