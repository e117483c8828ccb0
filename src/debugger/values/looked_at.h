/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Looked_at: what the source calls the memory that threads look at in loops of the program's, until
 * somebody changes it: of the variables that decide where they are those that lie there, else a
 * global variable, as a whole.
 */
#ifndef DEBUGGER_LOOKED_AT_H
#define DEBUGGER_LOOKED_AT_H

#include "debugger/values/deciding.h"

/* Sets names of waits that have none; what is not found keeps none. Errors only for lack of memory.
 */
MUST_CHECK struct error *looked_at_name(struct session *s, const struct deciding *deciding,
					struct snapshot *of);

#endif
