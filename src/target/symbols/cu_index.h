/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cu_index: the compile unit that an address belongs to.
 *
 * Made from the address ranges of the units themselves: .debug_aranges, which elfutils 0.188
 * relies on, is written by gcc only. Units are read as far as is needed to find an address.
 */
#ifndef TARGET_CU_INDEX_H
#define TARGET_CU_INDEX_H

#include "target/symbols/cu.h"

struct cu_index;

/*
 * Borrows all; directory: of the file with the DWARF, with a slash at the end. What split DWARF
 * costs is added to spending. NULL: out of memory.
 */
struct cu_index *cu_index_new(struct Dwarf *dwarf, const char *directory, struct file_root *root,
			      struct spending *spending);
void cu_index_free(struct cu_index *x);

/* The unit around an address of the DWARF; owned by x. NULL: none. */
struct cu *cu_index_find(struct cu_index *x, taddr addr);

#endif
