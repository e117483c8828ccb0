/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Token_fortran: the words of an expression of Fortran, as token.h has those of C; operators like
 * .and. are signs, in any case.
 */
#ifndef DEBUGGER_TOKEN_FORTRAN_H
#define DEBUGGER_TOKEN_FORTRAN_H

#include "debugger/values/token.h"

MUST_CHECK struct error *token_fortran_read(const char *at, struct token *ret);

/* The type of that kind and so many bytes, as gfortran calls it; NULL: there is none. A real of 10
 * is x87's. */
const struct type *token_fortran_type(enum type_kind kind, uint64_t size);

/* What gfortran calls a type like that. */
const struct type *token_fortran_like(const struct type *t);

#endif
