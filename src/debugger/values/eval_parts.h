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
struct value;

/* {1, 2}: an array, or what it is assigned or cast to: the rest of that is zero. */
struct error *eval_list(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_list_as(const struct eval_context *c, const struct expr *e,
			   const struct type *type, struct value *ret);

/* What a reference refers to, where that is what counts. */
struct error *eval_referred(const struct eval_context *c, const struct expr *e, struct value *ret);

/* Numbers, texts; $1, $rax, $name; names. */
struct error *eval_constant(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_string(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_dollar(const struct eval_context *c, const struct expr *e, struct value *ret);
struct error *eval_word(const struct eval_context *c, const struct expr *e, struct value *ret);

/* A member of the object that the function is called for, also where a construct has a copy of it.
 * false: it is none. */
bool eval_original_member(const struct eval_context *c, const struct expr *name, struct value *ret,
			  struct error **ret_err);

/* A type where a value is needed: USAGE. */
struct error *eval_type_value(const struct eval_context *c, const struct expr *e,
			      struct value *ret);
/* typeid(x): the run-time type information of C++. */
struct error *eval_typeid(const struct eval_context *c, const struct expr *e, struct value *ret);

/* noexcept(x): whether x can throw, as far as its operators tell. USAGE: functions decide it. */
struct error *eval_noexcept(const struct eval_context *c, const struct expr *e, struct value *ret);

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

/* A text or array that is nowhere in memory is put there, by the program's malloc(): where its
 * address is asked for. Other values stay as they are. */
struct error *eval_place(const struct eval_context *c, struct value *v);

/* ---- operators that the program defines: functions of C++ that are called ---------------- */

/* "+"; NULL: none is ever defined. */
const char *eval_operator_name(enum expr_op op);
/* The class of an object has such a function. */
bool eval_has_operator(const struct eval_context *c, const struct value *object, const char *op);
/* op: as its name has it: "+", "[]", "()"; NULL: none. b: NULL: unary. *ret_done: there is a
 * function for it, and it was called; else nothing is done. */
struct error *eval_operator(const struct eval_context *c, const char *op, const struct value *a,
			    const struct value *b, struct value *ret, bool *ret_done);
/* to += from; op: EXPR_PLUS. */
struct error *eval_operator_assign(const struct eval_context *c, enum expr_op op,
				   const struct value *to, const struct value *from,
				   struct value *ret, bool *ret_done);
/* An object becomes what operator->() returns, as long as it has no such member itself. */
struct error *eval_arrow(const struct eval_context *c, struct value *object, const char *member);
/* A std::atomic, or a reference to a bit, becomes what it holds, which it is wherever it is
 * computed with. */
struct error *eval_atomic(const struct eval_context *c, struct value *object);
/* An object becomes the number that its class says it can be, if there is one. */
struct error *eval_object_number(const struct eval_context *c, struct value *object);

/* ---- containers, answered from memory (container_ops.h) ----------------------------------- */

/* As eval_operator(); op may be "->", too. */
struct error *eval_of_container(const struct eval_context *c, const char *op, const struct value *a,
				const struct value *b, struct value *ret, bool *ret_done);
/* An INDEX, or a slice, of an object. */
struct error *eval_object_index(const struct eval_context *c, const struct expr *e,
				const struct value *object, struct value *ret, bool *ret_done);
/* A CALL of get<0>() or std::get<int>(). */
struct error *eval_get(const struct eval_context *c, const struct expr *e, struct value *ret,
		       bool *ret_done);

#endif
