/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Captured_array: arrays with bounds that are not constant, in code of constructs. gcc makes
 * pointers without bounds of what was passed to a function of Fortran, and arrays without bounds of
 * a function's variables; clang references to the first element, behind the lengths, which its
 * optimised code need not keep, and copies whose bounds are in another frame. The frame that has
 * begun the region knows the bounds, which a copy has, too; and that what is no array, but optional
 * or associated, is no pointer, either.
 */
#ifndef DEBUGGER_CAPTURED_ARRAY_H
#define DEBUGGER_CAPTURED_ARRAY_H

#include "debugger/values/value.h"

/* *value, that of a variable, becomes the array that it points to, if that is known. */
MUST_CHECK struct error *captured_array_find(const struct scope *s, const struct variable *variable,
					     struct value *value);

#endif
