/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Source_unit: what debug information says of itself: who has made it, of which language.
 */
#ifndef TARGET_SOURCE_UNIT_H
#define TARGET_SOURCE_UNIT_H

#include "target/symbols/symbol.h"

/* Strings are borrowed, as those of symbols are. */
struct source_unit {
	const char *directory, *producer; /* NULL: unknown                       */
	const char *language;             /* as debuggers call it; NULL: unknown */
	int version;                      /* of DWARF                            */
};

/* That of the code at pc; false: there is none. */
bool source_unit_at(struct symbol_table *s, taddr pc, struct source_unit *ret);

#endif
