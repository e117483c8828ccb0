/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Function_text: what a function is called where somebody reads it: as gdb 13 shows it.
 *
 * What DWARF says comes first: the linker's names of clones ("f.constprop.0") and of nested
 * functions ("add.3") are no names of the source. With a linkage name it is that, demangled,
 * without the type of the result; else its own name with the scopes around it up to a function,
 * which counts in Fortran ("program::add") and not in C++ (lambdas are "operator()"). A function
 * that only the symbol table knows has that name with all that is in it.
 */
#ifndef TARGET_FUNCTION_TEXT_H
#define TARGET_FUNCTION_TEXT_H

#include "target/symbols/symbol.h"

/*
 * The function of a level that symbol_locate() gives for pc; parameters: with their types, in C++.
 * It is the caller's. NULL: unknown, or out of memory.
 */
char *function_text(struct symbol_table *s, taddr pc, size_t level, bool parameters);

#endif
