/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reduction: what the copies of a reduction variable and the original come to, combined now.
 *
 * Threads whose frame is not there have no copy yet, or have combined it, and the original has it.
 * Who stands in the line of the directive may be about to: compilers put that into it.
 */
#ifndef DEBUGGER_REDUCTION_H
#define DEBUGGER_REDUCTION_H

#include "debugger/control/control.h"

struct reduction {
	char *op;              /* owned; "+"; NULL: it is no reduction variable          */
	struct value original; /* of it; unless "why"                                  */
	struct value so_far;
	struct buf why; /* owned; a clause: why it is not known; empty: it is   */
};

/*
 * Of a variable of the selected frame, by its name; any other text is of none. Errors only for lack
 * of memory. ret: to be given to reduction_fini().
 */
MUST_CHECK struct error *reduction_find(struct control *c, const char *name, struct reduction *ret);
void reduction_fini(struct reduction *r);
#define AUTO_REDUCTION AUTO(reduction_fini) struct reduction

#endif
