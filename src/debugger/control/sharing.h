/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sharing: which variables of the selected frame the threads of its team share, and which each has
 * for itself: as the directives of the source say it, held against where the variables are.
 */
#ifndef DEBUGGER_SHARING_H
#define DEBUGGER_SHARING_H

#include "debugger/control/control.h"
#include "debugger/control/sharing_rows.h"

/*
 * name: only that one, which may be a global variable; NULL: all of the frame, and those that
 * clauses name. ret: to be given to sharing_fini() in any case. USAGE: there is no construct, no
 * region, no such variable.
 */
MUST_CHECK struct error *sharing_find(struct control *c, const char *name, struct sharings *ret);
void sharing_fini(struct sharings *s);
#define AUTO_SHARINGS AUTO(sharing_fini) struct sharings

#endif
