/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Complex: complex numbers in expressions of C, by the rules of gdb: what is combined with them
 * becomes one.
 */
#ifndef DEBUGGER_COMPLEX_H
#define DEBUGGER_COMPLEX_H

#include "debugger/values/expr.h"
#include "debugger/values/value.h"

bool complex_is(const struct value *v);

/* "2.0i", of a type of floats. USAGE: there are no complex numbers of it. */
MUST_CHECK struct error *complex_imaginary(const struct type *part, __float128 n,
					   struct value *ret);

/* + - * / == !=, where one of both at least is complex. USAGE: there is no such operator. */
MUST_CHECK struct error *complex_binary(const struct scope *s, enum expr_op op,
					const struct value *a, const struct value *b,
					struct value *ret);
/* NEGATE, SAME, NOT; INVERT is the conjugate. */
MUST_CHECK struct error *complex_unary(const struct scope *s, enum expr_op op,
				       const struct value *v, struct value *ret);

/* The same number as one of that complex type. */
MUST_CHECK struct error *complex_convert(const struct scope *s, const struct value *v,
					 const struct type *to, struct value *ret);

/* The real part of a number, or the other one. USAGE: it is none. */
MUST_CHECK struct error *complex_part(const struct scope *s, const struct value *v, bool imaginary,
				      struct value *ret);

#endif
