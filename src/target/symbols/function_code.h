/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Function_code: the instructions of a function, from its first one to its last.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_FUNCTION_CODE_H
#define TARGET_FUNCTION_CODE_H

#include "target/process/target.h"
#include "target/symbols/die.h"

/*
 * Calls look for each instruction of the function that the entry describes, until that is false;
 * bias: of its module. false: not all of them could be read, or there are too many of them.
 */
typedef bool function_code_visit(void *context, taddr at, const struct insn *insn);
bool function_code_read(struct target *t, Dwarf_Die *function, taddr bias,
			function_code_visit *look, void *context);

#endif
