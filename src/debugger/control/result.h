/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Result: what a function that has just returned has returned, by its calling convention: in
 * registers, or in memory that it has told of.
 */
#ifndef DEBUGGER_RESULT_H
#define DEBUGGER_RESULT_H

#include "debugger/values/value.h"

/*
 * scope: the frame that it has returned to, innermost; pc: in the function. false: it returns
 * nothing, or its type is not known. Where the function keeps to no calling convention the value is
 * missing.
 */
bool result_find(const struct scope *s, taddr pc, struct value *ret);

/*
 * Where the function of a frame is to put what it returns in memory: its caller has told it so by
 * the first argument. false: the function has that nowhere any longer, or its code does not tell.
 */
bool result_place(const struct scope *s, const struct unwind_stack *raw, taddr *ret);

#endif
