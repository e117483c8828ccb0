/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Omp_variables: what OpenMP is doing in a thread, as $omp_thread and its like.
 *
 * A thread's number, its level and the size of its team are what the runtime would say to it:
 * conditions ask for them where the program is traced.
 */
#ifndef DEBUGGER_OMP_VARIABLES_H
#define DEBUGGER_OMP_VARIABLES_H

#include "debugger/values/value.h"

struct omp_variable;

/* name: without the $. NULL: it is none of them. */
const struct omp_variable *omp_variable_find(const char *name);

/* In the scope's thread. USAGE: there is none. UNSUPPORTED, TOO_EARLY: it is not known. */
MUST_CHECK struct error *omp_variable_value(const struct scope *s, const struct omp_variable *v,
					    struct value *ret);

/*
 * Adds code that leaves it on the stack, of type int, to a condition. *ret_doubtful: it may go
 * wrong there, and yet be known here. UNSUPPORTED: it is known here alone; TOO_EARLY: so far.
 */
MUST_CHECK struct error *omp_variable_compile(struct session *s, const struct omp_variable *v,
					      struct buf *ret, bool *ret_doubtful);

/* A text as a value: an array of char. */
MUST_CHECK struct error *omp_variable_text(const struct scope *s, const char *text,
					   struct value *ret);

/* Of row n: "omp_thread", and what it is; NULL: there are fewer. */
const char *omp_variable_name(size_t n);

#endif
