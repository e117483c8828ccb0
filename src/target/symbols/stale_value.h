/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stale_value: descriptions of the private variables of OpenMP's constructs, in code that clang (14
 * to 19, measured) has optimised, that tell of an earlier value, as instructions show.
 *
 * - The variable of a loop, where it is said to be what nothing in the loop changes: its first
 *   value. So are iterators, whose own copy clang does not describe.
 * - The variable of a loop, as computed from its first value and the number of the iteration, where
 *   the register that had the first value is changed in the loop: it holds something else by then.
 * - The copy of a variable of a reduction, as the constant it begins with: what has been stored to
 *   it since is not described.
 * - What the code of a loop is passed by value and changes, as computed from a register that the
 *   loop changes (clang 19): that counts other things, too.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_STALE_VALUE_H
#define TARGET_STALE_VALUE_H

#include "target/symbols/function_code.h"
#include "target/symbols/location.h"

/* Where the code is; all borrowed. */
struct stale_value_code {
	struct target *target;
	const struct dwarf_spans *spans;
	taddr bias, pc; /* as in the target */
	Dwarf_Die *function;
};

/* Has code, the description of a variable at pc, say why its value is not known, if it is stale. */
void stale_value_find(const struct stale_value_code *c, Dwarf_Die *variable,
		      struct location_code *code);

#endif
