/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Array_reader: what DWARF says of arrays and of CHARACTER: bounds, strides, and what of them is to
 * be reckoned where there is one (type_dynamic.h).
 *
 * For type_reader.c alone, which it is a part of.
 */
#ifndef TARGET_ARRAY_READER_H
#define TARGET_ARRAY_READER_H

#include "target/symbols/die.h"
#include "target/symbols/type.h"

/* Where an entry is that is read later, as long as its file is open: of struct type, its origin. */
struct type_origin {
	Dwarf_Die die;
	unsigned long generation; /* of the reader */
	uint64_t bias;
	enum die_language language; /* in which it is read                     */
	struct module *module;      /* of the reader                           */
};

/* What arrays are read with; borrows all. */
struct array_reader {
	struct type_store *store;
	unsigned long generation; /* of the files that entries are in */
	uint64_t bias;            /* of the module                     */
	/* The type that an entry has; NULL: void. */
	const struct type *(*type_of)(void *context, Dwarf_Die *die);
	void *context;
};

/* Of an array whose target is known: t becomes its outermost dimension. */
void array_reader_read(const struct array_reader *r, struct type *t, Dwarf_Die *die);

/* Of a DW_TAG_string_type. */
void array_reader_read_string(const struct array_reader *r, struct type *t, Dwarf_Die *die);

#endif
