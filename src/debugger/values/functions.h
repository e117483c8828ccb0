/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions: those of the debugger itself, as gdb has them: $_strlen("text"), $_isvoid($x).
 */
#ifndef DEBUGGER_FUNCTIONS_H
#define DEBUGGER_FUNCTIONS_H

#include "debugger/values/value.h"

enum { FUNCTIONS_ARGUMENTS_MAX = 3 };

/* name: without the $. */
bool functions_find(const char *name);

/* One that there is. USAGE: it takes other arguments. */
MUST_CHECK struct error *functions_call(const struct scope *s, const char *name,
					const struct value *args, size_t n, struct value *ret);

#endif
