/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lock_names: what the source calls the locks that threads wait for and hold, and the mutexes of
 * the C library and of C++ that they wait for: "m.lk", "locks[3]", "this->guard", "p->node.lock".
 *
 * A lock in a global variable is named by it. Any other is looked for from the variables of the
 * frames of a thread that waits for it, from the call outward, then from those of the units of that
 * code: in them, and in what they lead to over a few pointers. What says more than "*lock" wins,
 * then the innermost frame, the fewest pointers, the shortest name. A lock has one name for all
 * threads, and two locks never the same: then their addresses stand behind it. An index of a
 * pointer is believed only where the C library's heap says that the lock lies in the block which
 * the pointer leads to.
 */
#ifndef DEBUGGER_LOCK_NAMES_H
#define DEBUGGER_LOCK_NAMES_H

#include "debugger/snapshot.h"

/*
 * Sets names of waits and holds that have none; what is not found keeps none, and gets what symbols
 * tell. For snapshot_options.more; context is not used. Errors only for lack of memory.
 */
MUST_CHECK struct error *lock_names_find(void *context, struct session *s, struct snapshot *of);

/* Something in a global variable. */
struct lock_global {
	const struct type *type; /* of the variable; borrowed                           */
	uint64_t offset;
	bool fortran; /* the code that uses it */
};

/* Adds the name of the variable that code at pc calls so. false: what was added is of no use. */
bool lock_names_global(struct session *s, taddr object, taddr pc, struct buf *out,
		       struct lock_global *ret);

#endif
