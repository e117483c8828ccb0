/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Dataflow: what is known at each place of a function. Its control flow graph is gone through until
 * nothing changes any more; where ways come together, only what is true on each of them stays.
 */
#ifndef TARGET_DATAFLOW_H
#define TARGET_DATAFLOW_H

#include "target/flow/effect.h"
#include "target/flow/routine.h"

enum { DATAFLOW_LEVELS = 4 }; /* of calls that are followed into the program's functions      */

/* Instructions that may yet be gone through: for one question, and for all. */
struct dataflow_budget {
	unsigned long steps, all_steps;
};

struct dataflow {
	struct dataflow_budget *budget; /* borrowed */
	const struct routine *fn;       /* borrowed */
	struct machine machine;
	taddr outer; /* return address of the call in the outermost function; 0: this is it */
	unsigned int level;
	struct machine_state begin;
	struct machine_state *outs; /* owned; at the end of each block                      */
	unsigned int *turns;        /* owned; for each block: times it was gone through     */
	bool *again;                /* owned; for each block: it has to be                  */
	bool incomplete;
};

void dataflow_fini(struct dataflow *r);

/* From "begin". false: out of memory. */
bool dataflow_go(struct dataflow *r);

/* The state before the instruction at pc, or before that which ends there. false: none is known. */
bool dataflow_at(struct dataflow *r, taddr pc, bool ends, struct machine_state *ret);

/* The state at all ways out of it. false: none is known. */
bool dataflow_exits(struct dataflow *r, struct machine_state *ret);

/* What an instruction does, by its number, to the code behind it. */
void dataflow_step(struct dataflow *r, uint32_t n, struct machine_state *s);

#endif
