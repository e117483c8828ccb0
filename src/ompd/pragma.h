/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pragma: which OpenMP directive stands in a line of a source file, where that can be read.
 */
#ifndef OMPD_PRAGMA_H
#define OMPD_PRAGMA_H

#include <stdbool.h>

#include "base/source.h"

enum pragma {
	PRAGMA_OTHER, /* none of these, no directive, or the file cannot be read  */
	PRAGMA_BARRIER,
	PRAGMA_WORKSHARE, /* for, do, sections, single, workshare, scope, loop        */
};

/* Adds the directive's name to ret, without clauses: "parallel for simd". */
enum pragma pragma_at(struct source_cache *sources, const char *file, int line, struct buf *ret);

/*
 * The last directive up to a line, of those that make regions, worksharing constructs and barriers,
 * makes a worksharing construct: who waits there waits at its end.
 */
bool pragma_in_worksharing(struct source_cache *sources, const char *file, int line);

#endif
