/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Common_block: which variable the name of one in a common block of Fortran means in code of a
 * construct: the block's, or a copy that the construct has. gcc describes both alike
 * (gcc_faults.h), so the directives in the source decide.
 */
#ifndef DEBUGGER_COMMON_BLOCK_H
#define DEBUGGER_COMMON_BLOCK_H

#include "debugger/values/scope.h"

/*
 * variable, of the scope's code, becomes that of the common block, unless the construct has a copy.
 * Returns why that cannot be told; NULL: it could.
 */
const char *common_block_settle(const struct scope *s, struct variable *variable);

#endif
