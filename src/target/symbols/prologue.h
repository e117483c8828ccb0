/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Prologue: where the part of a function ends that makes its frame, and its variables can be read.
 *
 * As in gdb (its symtab.c, skip_prologue_sal(), and amd64-tdep.c): where the line table says so, in
 * the file in which the function begins; else past the first instructions (endbr64, push %rbp, mov
 * %rsp,%rbp), and on to the next row of the line table where those end in the midst of one; for
 * clang, where the second line begins. Code of gcc that says at each instruction where variables
 * are, as it does with optimisation, is not passed over. Unlike gdb it is past what clang puts
 * before the body for OpenMP (thread_number.h), and not past a construct that gcc begins in the
 * same row (first_construct.h).
 */
#ifndef TARGET_PROLOGUE_H
#define TARGET_PROLOGUE_H

#include "target/symbols/symbol.h"

/* The end of the prologue of the function that begins at entry; entry, if it is not known. */
taddr prologue_end(struct symbol_table *s, taddr entry);

/* A row of the line table begins at addr for what clang has put before the body of that function.
 */
bool prologue_has(struct symbol_table *s, taddr entry, taddr addr);

#endif
