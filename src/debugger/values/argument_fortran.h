/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Argument_fortran: what a function of Fortran is given, as gfortran passes it: addresses, of
 * variables themselves where their types fit, else of copies; descriptors of arrays; the lengths of
 * texts; room for results that are texts or arrays.
 */
#ifndef DEBUGGER_ARGUMENT_FORTRAN_H
#define DEBUGGER_ARGUMENT_FORTRAN_H

#include "debugger/values/argument.h"

/* A result that lies in memory that the function was given. */
struct argument_result {
	const struct type *type; /* NULL: it is returned as the ABI says */
	taddr at;
};

/* How many arguments are written for it. */
size_t argument_fortran_count(const struct type *function);

/* Exactly so many. USAGE, UNSUPPORTED: these cannot be passed. */
MUST_CHECK struct error *argument_fortran_pass(const struct passing *p, const struct type *function,
					       const struct value *args,
					       struct argument_result *ret);

#endif
