/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop_values: the worksharing loop that a thread is in, as variables of the debugger: the value of
 * the loop's variable in the iteration that it executes, its chunk, the schedule: as "omp loop"
 * shows them (values/worksharing.h).
 */
#ifndef DEBUGGER_LOOP_VALUES_H
#define DEBUGGER_LOOP_VALUES_H

#include "debugger/values/value.h"

/* For scope.h; name: without the $. false: it is none of them, or not known here. */
bool loop_values_get(const struct scope *s, const char *name, struct value *ret);

#endif
