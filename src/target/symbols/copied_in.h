/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copied_in: what clang (measured with 14) passes to a construct's code for "copyin": the
 * primary thread's variable, by reference, and under the name of the variable of which each thread
 * has its own. To the source that name is the thread's.
 *
 * And where clang keeps what "scan" has come to in each iteration: in an array which has the name
 * of the variable, and is declared in no line.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_COPIED_IN_H
#define TARGET_COPIED_IN_H

#include "target/symbols/die.h"

/*
 * An argument of code that clang has made of a construct: it is declared where a thread-local
 * variable of its unit is, which has the same name.
 */
bool copied_in_is_one(Dwarf_Die *argument, Dwarf_Die *function, const struct dwarf_spans *spans);

/* That array: beside the variable, or further in, lies one of such elements. */
bool copied_in_is_of_scan(Dwarf_Die *die, const struct dwarf_spans *spans);

#endif
