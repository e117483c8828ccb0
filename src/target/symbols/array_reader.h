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

#include "target/symbols/type_reader.h"

/* Of an array whose target is known: t becomes its outermost dimension. */
void array_reader_read(struct type_reader *r, struct type *t, Dwarf_Die *die);

/* Of a DW_TAG_string_type. */
void array_reader_read_string(struct type_reader *r, struct type *t, Dwarf_Die *die);

#endif
