/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Effect: what instructions do to what is known at a place in code (machine.h).
 *
 * A function that is called counts as changing the registers that functions may change, and what
 * it is handed a pointer for on the caller's stack.
 */
#ifndef TARGET_EFFECT_H
#define TARGET_EFFECT_H

#include "target/flow/machine.h"

void effect_apply(const struct machine *m, taddr addr, const struct insn *insn,
		  struct machine_state *s);

/* It is known what a branch does. */
bool effect_decides(const struct machine *m, const struct insn *branch,
		    const struct machine_state *s, bool *ret_taken);

/* After a branch that was taken or not. */
void effect_branch(const struct machine *m, const struct insn *branch, bool taken,
		   struct machine_state *s);

/* Into the function that a call calls. */
void effect_enter(const struct machine *m, struct machine_state *s);

/* A function that a call, or a jump, goes through. */
struct effect_call {
	const struct machine *callee;       /* borrowed: in what it executes                */
	const struct machine_state *before; /* borrowed: what was known before              */
	taddr addr;                         /* of the call                                  */
	const struct insn *insn;            /* borrowed                                     */
};

/* Back from it: s is what is known when it returns. */
void effect_leave(const struct machine *m, const struct effect_call *call, struct machine_state *s);

#endif
