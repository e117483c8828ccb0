/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Looked_at: what the source calls the memory that threads look at in loops of the program's, until
 * somebody changes it: of the variables that decide where they are those that lie there, else a
 * global variable, by the part of it; and which code writes there, as far as it is plain.
 */
#ifndef DEBUGGER_LOOKED_AT_H
#define DEBUGGER_LOOKED_AT_H

#include "debugger/values/deciding.h"

/* Sets names of waits that have none; what is not found keeps none. Errors only for lack of memory.
 */
MUST_CHECK struct error *looked_at_name(struct session *s, const struct deciding *deciding,
					struct snapshot *of);

/*
 * Adds a sentence about the code that writes to a global variable that a thread looks at, by its
 * name: "'flag' is written to by its name in setter() at app.c:14."; nothing, if there is
 * none. Reads code, which need not stand still. Errors only for lack of memory.
 */
MUST_CHECK struct error *looked_at_writers(struct session *s, const struct picture_wait *w,
					   struct buf *ret);

#endif
