/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loop_counter: where clang keeps the variable of a loop of OpenMP's, without optimisation.
 *
 * Where the bounds are no constants, clang tests before the loop whether it has any iteration, and
 * makes a variable for that which has the same name and keeps the first value. Of the two it
 * describes only that one. The loop's own is where code stores what it computes from ".omp.iv", the
 * number of the iteration.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_LOOP_COUNTER_H
#define TARGET_LOOP_COUNTER_H

#include "target/process/target.h"
#include "target/symbols/die.h"
#include "target/symbols/location.h"

/* Where the code is; all borrowed. */
struct loop_counter_unit {
	struct target *target;
	const struct dwarf_spans *spans;
	taddr bias;
	taddr pc;
};

/*
 * Has code, the description of a variable in a function, say where the loop's own is, or why that
 * is not known. Others, and what is described well, stay. size: bytes of its type.
 *
 * Where a reduction has "inscan", clang makes two loops of one: what comes before "scan", then what
 * comes behind it, with variables of its own, which it does not describe.
 */
void loop_counter_find(const struct loop_counter_unit *u, Dwarf_Die *variable, Dwarf_Die *function,
		       uint64_t size, struct location_code *code);

#endif
