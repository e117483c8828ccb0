/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Eval_parts: what the files that make up eval.h share: a kind of expression each.
 */
#ifndef DEBUGGER_EVAL_PARTS_H
#define DEBUGGER_EVAL_PARTS_H

#include "debugger/values/expr_tree.h"

struct eval_context;
struct value;

/* Operators by the rules of Fortran; (re,im). */
struct error *eval_fortran(const struct eval_context *c, const struct expr *e, struct value *ret);
/* a(i), a(1:n), text(2:3), size(a) */
struct error *eval_element(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_section(const struct eval_context *c, const struct expr *e, struct value *ret);

/* $_strlen(x), and functions of the program. */
struct error *eval_own_call(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_call(const struct eval_context *c, const struct expr *e, struct value *ret);

#endif
