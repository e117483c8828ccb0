/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Source_around: the constructs around a line, and what is declared in it, where its source can be
 * read.
 */
#ifndef DEBUGGER_SOURCE_AROUND_H
#define DEBUGGER_SOURCE_AROUND_H

#include "debugger/session.h"
#include "ompd/enclosing.h"
#include "ompd/source_storage.h"

/*
 * file NULL, line 0: not known. *ret_known false: neither are the constructs. ret: the caller's.
 * Errors only for lack of memory.
 */
MUST_CHECK struct error *source_around(struct session *s, const char *file, int line,
				       struct constructs *ret, bool *ret_known);

/* Of a variable that is declared in a line; UNSAID too where the source is Fortran, or not known.
 */
enum source_storage source_storage_of(struct session *s, const char *file, int line,
				      const char *name);

#endif
