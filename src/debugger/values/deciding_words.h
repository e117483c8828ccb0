/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Deciding_words: the parts of a text of the source that stand for values and can be asked for
 * without anything happening: "i", "rows", "p->n" and "rows[i]" of "p->n > rows[i] + f()".
 */
#ifndef DEBUGGER_DECIDING_WORDS_H
#define DEBUGGER_DECIDING_WORDS_H

#include "base/error.h"

enum { DECIDING_WORDS_MAX = 8 };
#define DECIDING_THREAD_NUMBER "omp_get_thread_num()" /* the one call that has a value */

struct deciding_words {
	char **items; /* owned, and each of them */
	size_t len, cap;
};
void deciding_words_fini(struct deciding_words *l);

/*
 * Adds those of a text that it does not have yet. subscripts: only those that stand in brackets of
 * others. Calls are left out, but for that one. Errors only for lack of memory.
 */
MUST_CHECK struct error *deciding_words_add(struct deciding_words *l, const char *text,
					    bool fortran, bool subscripts);

#endif
