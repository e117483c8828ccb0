/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arithmetic: what operators of C come to for numbers that are there. No program is needed.
 */
#ifndef DEBUGGER_ARITHMETIC_H
#define DEBUGGER_ARITHMETIC_H

#include "debugger/values/expr.h"
#include "debugger/values/value.h"

/* An operator with two numbers; no pointers. USAGE: division by zero, bits of a float. */
MUST_CHECK struct error *arithmetic_binary(enum expr_op op, const struct number *a,
					   const struct number *b, struct value *ret);
/* NEGATE, SAME, NOT, INVERT. */
MUST_CHECK struct error *arithmetic_unary(enum expr_op op, const struct number *a,
					  struct value *ret);

/* The type in which two numbers are combined. */
const struct type *arithmetic_type(const struct type *a, const struct type *b);
/* What "x ? a : b" is, whichever of two numbers or pointers it comes to. */
const struct type *arithmetic_common_type(const struct type *a, const struct type *b);

#endif
