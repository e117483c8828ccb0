/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Vector: operators on values of GNU's vector types: on their elements, one by one.
 */
#ifndef DEBUGGER_VECTOR_H
#define DEBUGGER_VECTOR_H

#include "debugger/values/expr.h"
#include "debugger/values/value.h"

bool vector_is(const struct value *v);

/* One of both is a vector at least: a number is combined with each element of it. Comparisons come
 * to a vector of 0 and -1, as in C. USAGE: they do not fit together, or there is no such operator.
 */
MUST_CHECK struct error *vector_binary(const struct scope *s, enum expr_op op,
				       const struct value *a, const struct value *b,
				       struct value *ret);
/* NEGATE, SAME, INVERT. */
MUST_CHECK struct error *vector_unary(const struct scope *s, enum expr_op op, const struct value *v,
				      struct value *ret);

#endif
