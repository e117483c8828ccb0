/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callee: which function of a runtime a call in the program leads to, also where the dynamic linker
 * has not bound it yet, as nobody has come there: the omp_unset_lock() that a thread never reached.
 * And whether it leads to what never returns.
 */
#ifndef OMPD_CALLEE_H
#define OMPD_CALLEE_H

#include "ompd/client/walk_state.h"
#include "target/flow/flow_call.h"

struct callee {
	const struct runtime *runtime; /* borrowed; NULL: it is no function of a runtime        */
	const char *name;              /* borrowed from the runtime                           */
	enum flow_effect effect;       /* if it is none: END, as of abort(), or THROW          */
};

/* A call that leads through that slot. */
struct slot_call {
	taddr slot;
	struct callee called;
};

struct callee_search {
	struct walk *w; /* borrowed */
	VEC(struct slot_call) slots;
	VEC(const struct module *) modules; /* whose slots those are */
};

void callee_fini(struct callee_search *s);

/*
 * target: as flow_classify() gets it: the function, or the slot that a call leads through. Reads
 * the relocations of a module when it is first asked about it. Without memory: w->failed.
 */
struct callee callee_find(struct callee_search *s, taddr target);

#endif
