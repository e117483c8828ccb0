/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Expr_fortran: expressions of Fortran, which become the same trees as those of C (expr.h).
 *
 *   a%b  a(i,j)  a(1:n:2)  text(2:3)   members, elements, sections
 *   mod::x  $1  $x  &x  *p  x@3         as in C
 *   1_8  1.5d0  'it''s'  .true.  (1,2)  constants
 *   ** * / + - // == /= < .lt. .not. .and. .or. .eqv. .neqv. =
 *
 * Nodes that follow Fortran's rules say so (is_fortran); names are in any case.
 */
#ifndef DEBUGGER_EXPR_FORTRAN_H
#define DEBUGGER_EXPR_FORTRAN_H

#include "debugger/values/expr_tree.h"
#include "debugger/values/parser.h"

/* All of what p is at the beginning of; of commas, what is above "power" of the table. */
MUST_CHECK struct error *expr_fortran_parse(struct parser *p, bool one, struct expr **ret);

#endif
