/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Eval_parts: what the files that make up eval.h share: a kind of expression each.
 */
#ifndef DEBUGGER_EVAL_PARTS_H
#define DEBUGGER_EVAL_PARTS_H

#include <stdbool.h>

#include "debugger/values/expr_tree.h"

struct eval_context;
struct type;
struct value;

/* Operators by the rules of Fortran; (re,im). */
struct error *eval_fortran(const struct eval_context *c, const struct expr *e, struct value *ret);
/* a(i), a(1:n), text(2:3), size(a) */
struct error *eval_element(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_section(const struct eval_context *c, const struct expr *e, struct value *ret);

/* $_strlen(x), and functions of the program. */
struct error *eval_own_call(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_call(const struct eval_context *c, const struct expr *e, struct value *ret);
/* returns: what the user says that it returns, where nothing else tells; NULL: nothing. */
struct error *eval_call_as(const struct eval_context *c, const struct expr *e,
			   const struct type *returns, struct value *ret);

/* object[arg], *object, object-> of a class; arg NULL: it has none. *ret_known false: the class has
 * no such operator. */
struct error *eval_operator(const struct eval_context *c, const struct value *object,
			    const char *sign, const struct value *arg, struct value *ret,
			    bool *ret_known);
/* What stands in front of "." or "->", a class's own operator applied. */
struct error *eval_whole(const struct eval_context *c, const struct expr *e, struct value *ret);
/* Of an INDEX whose kids[0] has come to the object. */
struct error *eval_container_index(const struct eval_context *c, const struct expr *e,
				   const struct value *object, struct value *ret, bool *ret_known);
/* A CALL of get<0>() or std::get<int>(). */
struct error *eval_get(const struct eval_context *c, const struct expr *e, struct value *ret,
		       bool *ret_known);

#endif
