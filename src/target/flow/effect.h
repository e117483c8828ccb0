/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Effect: how instructions change what is known at a place in code (machine.h).
 *
 * A function that is called counts as changing the registers that functions may change, and what
 * its arguments point to on the caller's stack.
 */
#ifndef TARGET_EFFECT_H
#define TARGET_EFFECT_H

#include "target/flow/machine.h"

void effect_apply(const struct machine *m, taddr addr, const struct insn *insn,
		  struct machine_state *s);

/* Whether it is known that a branch is taken, or that it is not. */
bool effect_decides(const struct machine *m, const struct insn *branch,
		    const struct machine_state *s, bool *ret_taken);

/* What is known after a branch that was taken, or that was not. */
void effect_branch(const struct machine *m, const struct insn *branch, bool taken,
		   struct machine_state *s);

/* What is known where a called function begins. */
void effect_enter(const struct machine *m, struct machine_state *s);

/* The way through a function that is called, or jumped to. */
struct effect_call {
	const struct machine *callee;       /* borrowed: in what it executes                */
	const struct machine_state *before; /* borrowed: what was known before              */
	taddr addr;                         /* of the call                                  */
	const struct insn *insn;            /* borrowed                                     */
};

/* Back from it: s has what is known when it returns. */
void effect_leave(const struct machine *m, const struct effect_call *call, struct machine_state *s);

#endif
