/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Place_parts: what finding places by line and by name have in common.
 */
#ifndef TARGET_PLACE_PARTS_H
#define TARGET_PLACE_PARTS_H

#include "target/symbols/places.h"
#include "target/symbols/symbol_parts.h"

/*
 * Adds what is to be stopped at for code that begins at addr: there, or behind the prologue of the
 * function around it, if it lies in that and skip says so. function: which one of those that begin
 * there is meant: NULL: the innermost one; none of that name: the outermost one.
 */
MUST_CHECK struct error *place_add(struct symbol_table *s, taddr addr, bool skip,
				   const char *function, struct code_places *ret);

/* By address, each once. */
void places_sort(struct code_places *p);

/* Whether a path is what a user writes: the same, or its end at a slash. */
bool place_is_file(const char *path, const char *file);

#endif
