/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Passed_variable: what clang passes to code that it has made of a construct: variables of the
 * function around, under their names, as parameters of their values, or of references to them.
 *
 * A reference is told from a variable that the program itself declares as one by where it is
 * declared: in the same line as the function's own.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_PASSED_VARIABLE_H
#define TARGET_PASSED_VARIABLE_H

#include "target/symbols/die.h"
#include "target/symbols/variable.h"

/* unit: the root of the parameter's. */
enum variable_passing passed_variable_how(Dwarf_Die *parameter, const Dwarf_Die *unit,
					  const struct dwarf_spans *spans);

#endif
