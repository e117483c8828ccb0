/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fortran_functions: what Fortran itself has: size(a,1), lbound(a), abs(x), mod(i,3), allocated(a).
 */
#ifndef DEBUGGER_FORTRAN_FUNCTIONS_H
#define DEBUGGER_FORTRAN_FUNCTIONS_H

#include "debugger/values/value.h"

enum { FORTRAN_ARGUMENTS_MAX = 8 };

/* name: in any case. */
bool fortran_functions_find(const char *name);

/* One that there is. USAGE: it takes other arguments. Arguments may be missing values. */
MUST_CHECK struct error *fortran_functions_call(const struct scope *s, const char *name,
						struct value *args, size_t n, struct value *ret);

#endif
