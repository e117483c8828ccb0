/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Argument: what a function of the program is given: values as its parameters want them, by the
 * rules of C and C++; those of Fortran are in argument_fortran.h.
 */
#ifndef DEBUGGER_ARGUMENT_H
#define DEBUGGER_ARGUMENT_H

#include "debugger/values/passing.h"

/* to: the parameter's type; NULL: it has none. USAGE: the value cannot be converted to it. */
MUST_CHECK struct error *argument_pass(const struct passing *p, const struct value *from,
				       const struct type *to);

#endif
