/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Counted: the variable of a loop, reckoned from the number of the iteration, which clang describes
 * (".omp.iv") where optimised code has no place for the variable itself, and the first value and
 * the step, as the header of the loop in the source has them.
 */
#ifndef DEBUGGER_COUNTED_H
#define DEBUGGER_COUNTED_H

#include "debugger/values/value.h"

/*
 * For scope.h. false: it is no such variable, several loops are one, the source cannot be read, or
 * what its header says cannot be told here.
 */
bool counted_value(const struct scope *s, const struct variable *v, struct value *ret);

#endif
