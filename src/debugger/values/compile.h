/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Compile: expressions as conditions (condition.h), which are computed where the program is traced.
 *
 * What is there at an address of code: registers, arguments and variables of integer types and
 * pointers, in registers or memory, global ones, constants; all operators of C but assignments.
 */
#ifndef DEBUGGER_COMPILE_H
#define DEBUGGER_COMPILE_H

#include "debugger/session.h"

/*
 * Adds to ret what a condition comes to at pc, the first instruction that is not executed yet.
 * UNSUPPORTED: it has to be evaluated (eval_condition()), for it needs more than a condition can:
 * floating point, variables of the debugger, what lies in several places. USAGE, NOT_FOUND: it is
 * wrong, and where.
 */
MUST_CHECK struct error *compile_condition(struct session *s, taddr pc, const char *text,
					   struct buf *ret);

#endif
