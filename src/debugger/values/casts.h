/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Casts: what a value is as another type; nothing is evaluated here.
 */
#ifndef DEBUGGER_CASTS_H
#define DEBUGGER_CASTS_H

#include "debugger/values/expr_tree.h"
#include "debugger/values/value.h"

/* As an assignment converts it. USAGE: it cannot be. */
MUST_CHECK struct error *casts_convert(const struct value *from, const struct type *type,
				       struct value *ret);

/* (type) v, and op<type>(v): EXPR_CAST's ops. */
MUST_CHECK struct error *casts_apply(const struct scope *s, enum expr_op op, struct value v,
				     const struct type *type, struct value *ret);

/* What alignof says. */
uint64_t casts_alignment(const struct type *type);

#endif
