/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Die_lists: which entries lie around one, remembered list by list.
 *
 * DWARF says of no entry what it lies in: the lists from the unit down are walked to it. clang does
 * not say either where an entry ends (DW_AT_sibling): behind a namespace comes only who has walked
 * through all of it. Who asks often keeps what was walked.
 *
 * For the files here that read DWARF, as die.h. The lists start zeroed and hold until the file is
 * closed.
 */
#ifndef TARGET_DIE_LISTS_H
#define TARGET_DIE_LISTS_H

#include "base/map.h"
#include "target/symbols/die.h"

struct die_lists {
	struct hash_map of; /* owned, private: the list below an entry, by where that is */
};

void die_lists_fini(struct die_lists *l);

/*
 * The entries that one lies in, or was declared in, from the outside in, below that of the unit.
 * l may be NULL: nothing is remembered. Returns how many; fewer when memory is out.
 */
size_t die_around(struct die_lists *l, Dwarf_Die *die, Dwarf_Die ret[DIE_DEPTH_MAX]);

/*
 * The names of those, each with "::" behind it, in out: namespaces, classes, modules, and in
 * Fortran also functions; in C++ what is local to a function begins anew. Nothing in other
 * languages that are known.
 */
void die_add_scopes(struct die_lists *l, Dwarf_Die *die, const struct dwarf_spans *spans,
		    struct buf *out);

#endif
