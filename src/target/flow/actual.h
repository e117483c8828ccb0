/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Actual: what registers and the stack really hold where a frame stands, to be compared with what
 * the code says of them.
 */
#ifndef TARGET_ACTUAL_H
#define TARGET_ACTUAL_H

#include "target/flow/cfg.h"
#include "target/flow/machine.h"

struct actual {
	taddr pc;
	bool ends; /* pc is behind the call that it stands at                              */
	uint64_t regs[MACHINE_REGS];
	uint32_t known; /* of them                                                         */
};

/* Frame "index" of what unwind_thread() has made, in a function with that graph. */
void actual_read(struct unwinder *u, struct thread *th, const struct unwind_stack *stack,
		 size_t index, const struct cfg *cfg, struct actual *ret);

/* Tells the numbers of symbols that are there. Whether any of them is news. */
bool actual_pin(const struct actual *a, const struct machine *m, const struct machine_state *s);

/* Whether nothing contradicts what is known of them. */
bool actual_fits(const struct actual *a, const struct machine *m, const struct machine_state *s);

/* The number of a term, "bytes" of it at least; known, or found there by its symbol. */
bool actual_number(const struct actual *a, const struct machine *m, const struct machine_state *s,
		   struct term term, unsigned int bytes, uint64_t *ret);

#endif
