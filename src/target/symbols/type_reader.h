/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Type_reader: makes types of what DWARF says of them.
 *
 * For the files here that read DWARF, as die.h. Whatever DWARF says, chains of types end.
 */
#ifndef TARGET_TYPE_READER_H
#define TARGET_TYPE_READER_H

#include "base/map.h"
#include "target/symbols/array_reader.h"
#include "target/symbols/die_lists.h"

struct type_reader {
	struct type_store *store;        /* borrowed                                       */
	struct hash_map known;           /* owned: types by the place of their entries     */
	struct die_lists lists;          /* owned; of the same files                       */
	const struct dwarf_spans *spans; /* borrowed; of the unit that is read             */
	size_t depth;                    /* private                                        */
	unsigned long generation;        /* of the files that entries are in               */
	uint64_t bias;                   /* of the module that is read                     */
	enum die_language language;      /* of entries in units that do not say it         */
	struct module *module;           /* that is read; for find_signed                  */
	/* Finds the type of a signature that is not in the file that refers to it; or NULL. */
	bool (*find_signed)(void *context, struct module *m, uint64_t signature, Dwarf_Die *ret);
	void *context; /* of find_signed */
};

/* Forgets what was read of files: they are closed, or the reader is done with. */
void type_reader_forget(struct type_reader *r);

/* The type at an entry; NULL: out of memory, or it is none. */
const struct type *type_reader_get(struct type_reader *r, Dwarf_Die *die);

/* The type that an entry, or what it is an instance of, has (DW_AT_type); NULL: void. */
const struct type *type_reader_of(struct type_reader *r, Dwarf_Die *die);

/* The type of a function; NULL: out of memory. */
const struct type *type_reader_function(struct type_reader *r, Dwarf_Die *die);

#endif
