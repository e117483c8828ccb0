/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Operate: operators with values that are there: those of pointers, too, and assignments.
 */
#ifndef DEBUGGER_OPERATE_H
#define DEBUGGER_OPERATE_H

#include "debugger/values/convenience.h"
#include "debugger/values/expr_tree.h"

/* Comparisons come to 0 or 1, an int. USAGE: that operator has no meaning for them. */
MUST_CHECK struct error *operate_binary(enum expr_op op, const struct value *a,
					const struct value *b, struct value *ret);

/* As an assignment converts it, by the rules of the type's language. */
MUST_CHECK struct error *operate_convert(const struct scope *s, const struct value *from,
					 const struct type *type, struct value *ret);

/* to = from; *to becomes what is there then. */
MUST_CHECK struct error *operate_store(const struct scope *s, struct convenience *values,
				       struct value *to, const struct value *from);

#endif
