/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Worksharing: the loops and sections that threads are in: what the program's code and its runtime
 * tell (loop.h), with what the source says of them and what the loop's variable holds.
 *
 * Where the compiler reckons a static loop itself and nothing tells what a thread has got, that is
 * computed as all compilers do it, from the loop's bounds as the source has them; it counts only
 * if the variable's value agrees, or is not known, and is marked as computed.
 */
#ifndef DEBUGGER_WORKSHARING_H
#define DEBUGGER_WORKSHARING_H

#include "debugger/snapshot.h"
#include "debugger/values/scope.h"
#include "debugger/values/work.h"
#include "debugger/values/work_source.h"

struct worksharing {
	VEC(struct work) items;
	struct work_sources sources; /* owned */
};

/*
 * The target must be stopped, and the snapshot be one with loops, whose names need not have been
 * found. Errors only for lack of memory.
 */
MUST_CHECK struct error *worksharing_find(struct session *s, const struct snapshot *from,
					  struct worksharing *ret);
/* For a snapshot with which they are found, in place of what is in ret; few_names: as there. */
struct snapshot_options worksharing_options(struct worksharing *ret, bool few_names);
void worksharing_fini(struct worksharing *w);

#endif
