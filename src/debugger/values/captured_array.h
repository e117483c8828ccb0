/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Captured_array: arrays that were passed to a function of Fortran, in code of its constructs,
 * where gcc makes pointers without bounds of them, or are variables of it with bounds that are not
 * constant. The frame that has begun the region knows the bounds, which a copy has, too.
 */
#ifndef DEBUGGER_CAPTURED_ARRAY_H
#define DEBUGGER_CAPTURED_ARRAY_H

#include "debugger/values/value.h"

/* *value, that of a variable, becomes the array that it points to, if that is known. */
MUST_CHECK struct error *captured_array_find(const struct scope *s, const struct variable *variable,
					     struct value *value);

#endif
