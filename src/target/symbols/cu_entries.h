/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cu_entries: a compile unit as entries of DWARF, for the files here that read those.
 */
#ifndef TARGET_CU_ENTRIES_H
#define TARGET_CU_ENTRIES_H

#include "target/symbols/die.h"

struct cu;
struct cu_index;

/* The entry whose children are the functions: in a .dwo file, for split DWARF. */
const Dwarf_Die *cu_root(const struct cu *cu);
const struct dwarf_spans *cu_spans(const struct cu *cu);

/* The function with code at addr, not inlined. */
bool cu_function_at(struct cu *cu, taddr addr, Dwarf_Die *ret);

/* The entries of the function around addr and of what is inlined in it, from the outside in.
 * Returns how many, at most "most". */
size_t cu_chain(struct cu *cu, taddr addr, Dwarf_Die *ret, size_t most);

/* A type that has come into the package of the program's split units; false: none. */
bool cu_index_find_type(struct cu_index *x, uint64_t signature, Dwarf_Die *ret);

#endif
