/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Place_parts: what finding places by line and by name have in common.
 */
#ifndef TARGET_PLACE_PARTS_H
#define TARGET_PLACE_PARTS_H

#include "target/symbols/places.h"
#include "target/symbols/symbol_parts.h"

/* Code that is meant by a name or a line. */
struct meant_code {
	taddr addr;           /* where it begins                                              */
	const char *function; /* which of those that begin there; NULL: the innermost one; none of
				 that name: the outermost one                           */
	const char *file;     /* NULL: a function is meant, else this line of that file       */
	int line;
	bool exact; /* stopped at where it begins, even in the prologue of the function around it */
};

/*
 * Adds where that is to be stopped at. Where a prologue ends in an inlined call, the line is the
 * one that calls.
 */
MUST_CHECK struct error *place_add(struct symbol_table *s, const struct meant_code *meant,
				   struct code_places *ret);

/* By address, each once. */
void places_sort(struct code_places *p);

/* Whether a path is what a user writes: the same, or its end at a slash. */
bool place_is_file(const char *path, const char *file);

#endif
