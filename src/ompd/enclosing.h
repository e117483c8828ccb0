/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Enclosing: the OpenMP constructs around a line of a source text, as far as the text tells: it is
 * not compiled, so of "#if" only "#if 0" is understood, and of macros those of the same file. What
 * hangs on another "#if" is there, conditions are marked.
 */
#ifndef OMPD_ENCLOSING_H
#define OMPD_ENCLOSING_H

#include "ompd/enclosing_parts.h"

enum source_form { SOURCE_C, SOURCE_FREE, SOURCE_FIXED }; /* of Fortran: the latter two */

/* By the end of the file's name. */
enum source_form enclosing_form(const char *file);

/*
 * Those of which "line" is a line, the directive's own ones included. Text that makes no sense has
 * none. Errors only for lack of memory.
 */
MUST_CHECK struct error *enclosing_find(const char *text, size_t len, enum source_form form,
					int line, struct constructs *ret);

#endif
