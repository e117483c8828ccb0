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
 * What a condition has become. What is not the whole of it is a sieve, maybe an empty one: only
 * where it holds, or goes wrong, has the condition to be evaluated (eval_condition()), for it needs
 * more than a condition can: variables of the debugger, what lies in several places.
 */
struct compiled {
	bool whole;
	bool early; /* more of it can be compiled when a runtime of OpenMP has begun */
};

/*
 * Adds to ret what conditions, all of which have to hold, come to at pc, the first instruction that
 * is not executed yet. texts: ends with NULL. USAGE, NOT_FOUND: one is wrong, and where.
 */
MUST_CHECK struct error *compile_conditions(struct session *s, taddr pc, const char *const *texts,
					    struct buf *ret, struct compiled *ret_how);

#endif
