/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Passed: what gcc passes to the code of a construct: a structure, whose members have the names of
 * the variables, and are their values or their addresses.
 */
#ifndef DEBUGGER_PASSED_H
#define DEBUGGER_PASSED_H

#include "target/symbols/type.h"

/* NULL: it has none of that name, as DWARF has it. */
const struct type_member *passed_member(const struct type *t, const char *name);

/* Whether a member is the address of a variable of that type, and not its value. */
bool passed_is_address(const struct type *passed, const struct type *own);

#endif
