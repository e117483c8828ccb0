/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Deciding: values that decide whether threads come to the places where they are: of the loops and
 * branches around the call that a thread waits in, as the source has them, and of subscripts in
 * that line; where the source cannot be read, of the function's arguments.
 *
 * Scalars and short texts. What is optimized out is left away, and so is what a function would have
 * to be called for.
 */
#ifndef DEBUGGER_DECIDING_H
#define DEBUGGER_DECIDING_H

#include "debugger/snapshot.h"
#include "debugger/values/shown.h"

struct deciding_value {
	int thread;       /* of the picture                                              */
	const char *file; /* of the condition, with its line; borrowed of the symbols     */
	int line;
	bool further;       /* out: it is of a function that has called the one of the place     */
	char *text;         /* owned: as it stands in the source, "rows[i]"                      */
	taddr at;           /* where it lies in memory; 0: it does not, or an argument */
	struct shown value; /* owned */
};

struct deciding {
	VEC(struct deciding_value) items; /* by thread; of one thread from the outside in */
};

/*
 * Of the threads of a snapshot that wait or compute, a fixed number of them at most. The target
 * must be stopped. ret loses what it had. Errors only for lack of memory.
 */
MUST_CHECK struct error *deciding_find(struct session *s, const struct snapshot *from,
				       struct deciding *ret);
void deciding_fini(struct deciding *d);

#endif
