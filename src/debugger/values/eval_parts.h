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
/* The same; returns: what the user says that it returns, where nothing else tells; or NULL. */
struct error *eval_call_of(const struct eval_context *c, const struct expr *e,
			   const struct type *returns, struct value *ret);

/* ---- what containers of the standard library are asked for: answered from memory ---------- */

/* What stands in front of "." or "->", a container's operator applied. */
struct error *eval_whole(const struct eval_context *c, const struct expr *e, struct value *ret);
/* Of an INDEX whose kids[0] has come to the object. */
struct error *eval_container_index(const struct eval_context *c, const struct expr *e,
				   const struct value *object, struct value *ret, bool *ret_known);
/* A CALL of get<0>() or std::get<int>(). */
struct error *eval_get(const struct eval_context *c, const struct expr *e, struct value *ret,
		       bool *ret_known);
/* *object and !object. */
struct error *eval_container_unary(const struct eval_context *c, enum expr_op op,
				   const struct value *object, struct value *ret, bool *ret_known);

/* ---- operators that the program defines: functions of C++ that are called ---------------- */

/* "+"; NULL: none is ever defined. */
const char *eval_operator_name(enum expr_op op);
/* The class of an object has such a function. */
bool eval_has_operator(const struct eval_context *c, const struct value *object, const char *op);
/* op: as its name has it: "+", "[]", "()"; NULL: none. b: NULL: unary. *ret_done: there is a
 * function for it, and it was called; else nothing is done. */
struct error *eval_operator(const struct eval_context *c, const char *op, const struct value *a,
			    const struct value *b, struct value *ret, bool *ret_done);
/* An object becomes what operator->() returns, as long as it has no such member itself. */
struct error *eval_arrow(const struct eval_context *c, struct value *object, const char *member);
/* An object becomes the number that its class says it can be, if there is one. */
struct error *eval_object_number(const struct eval_context *c, struct value *object);

#endif
