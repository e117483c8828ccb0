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
 * Borrows all; file: with the DWARF; directory: of the file with the DWARF, with a slash at the
 * end. What split DWARF costs is added to spending. NULL: out of memory.
 */
struct cu_index *cu_index_new(struct Dwarf *dwarf, const struct elf_file *file,
			      const char *directory, struct file_root *root,
			      struct spending *spending);
void cu_index_free(struct cu_index *x);

/* The unit around an address of the DWARF; owned by x. NULL: none. */
struct cu *cu_index_find(struct cu_index *x, taddr addr);

/*
 * Calls "found" for units in order until it returns false, which is returned then: each that has
 * code; those that may have an entry with that name, or that and template arguments; those that
 * may refer to entries of other units, by their offsets, which rise. Of split DWARF every one may.
 */
typedef bool cu_found(void *context, struct cu *cu, bool has_code);
bool cu_index_for_each(struct cu_index *x, cu_found *found, void *context);
bool cu_index_with_name(struct cu_index *x, const char *name, size_t len, cu_found *found,
			void *context);
bool cu_index_with_references(struct cu_index *x, const uint32_t *offsets, size_t n,
			      cu_found *found, void *context);

#endif
