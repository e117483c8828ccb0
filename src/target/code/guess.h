/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Guess: who has called code that has no unwind tables, as kernels that are written in assembly.
 *
 * Such code has a frame pointer or not, and has pushed what it likes. Its return address stands
 * behind a call, best behind one that leads to where the code may begin, and from the caller on
 * the stack can be followed. Of what the stack holds the nearest is taken that fits so.
 */
#ifndef TARGET_GUESS_H
#define TARGET_GUESS_H

#include "target/code/unwind_access.h"

/*
 * own: the registers of the thread in that code, by their numbers in DWARF. true: u->registers are
 * those of the caller, as far as they are known, with the return address as its pc. *ret_scanned:
 * it was not found by the frame pointer, so that of the caller may be another one.
 */
bool guess_caller(struct unwinder *u, const uint64_t own[UNW_TDEP_LAST_REG + 1], bool *ret_scanned);

#endif
