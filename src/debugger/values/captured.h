/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Captured: which variable the name of one in a common block of Fortran means in code of a
 * construct: the block's, or a copy that the construct has. gcc describes both alike
 * (gcc_faults.h), so the directives in the source decide.
 */
#ifndef DEBUGGER_CAPTURED_H
#define DEBUGGER_CAPTURED_H

#include "debugger/values/scope.h"

/*
 * variable, of the scope's code, becomes that of the common block, unless the construct has a copy.
 * Returns why that cannot be told; NULL: it could.
 */
const char *captured_settle(const struct scope *s, struct variable *variable);

#endif
