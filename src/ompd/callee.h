/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callee: which function of a runtime a call in the program leads to, also where the dynamic linker
 * has not bound it yet, as nobody has come there: the omp_unset_lock() that a thread never reached.
 */
#ifndef OMPD_CALLEE_H
#define OMPD_CALLEE_H

#include "ompd/client/walk_state.h"

struct callee {
	const struct runtime *runtime; /* borrowed; NULL: it is no function of a runtime        */
	const char *name;              /* borrowed from the runtime                           */
};

/* A call that is not bound leads through that slot. */
struct unbound_call {
	taddr slot;
	struct callee called;
};

struct callee_search {
	struct walk *w; /* borrowed */
	VEC(struct unbound_call) unbound;
	VEC(const struct module *) modules; /* whose slots those are */
};

void callee_fini(struct callee_search *s);

/*
 * target: as flow_classify() gets it: the function, or the slot of a call that is not bound. Reads
 * the relocations of a module when it is first asked about it. Without memory: w->failed.
 */
struct callee callee_find(struct callee_search *s, taddr target);

#endif
