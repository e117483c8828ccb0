/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Eval: what an expression comes to in a scope.
 *
 * Numbers are those of C: small ones become int, then the larger type, of two equal ones that
 * without a sign. Pointers count in what they point to. Functions of the program are called by whom
 * the context names; nothing of that is known here.
 */
#ifndef DEBUGGER_EVAL_H
#define DEBUGGER_EVAL_H

#include "debugger/values/convenience.h"
#include "debugger/values/expr.h"

enum { EVAL_ARGUMENTS_MAX = 32 };

/* A call of a function of the program. */
struct eval_call {
	const char *name;           /* borrowed: of the function, for messages           */
	struct value function;      /* or a pointer to it                                */
	const struct type *returns; /* what the user says that it returns; NULL: nothing */
	const struct value *args;   /* borrowed                                          */
	size_t n;
};

struct eval_context {
	const struct scope *scope;
	struct convenience *values; /* may be changed by assignments */
	/* Calls a function, after which the scope is as before; NULL: none is called. */
	struct error *(*call)(void *caller, const struct scope *s, const struct eval_call *call,
			      struct value *ret);
	void *caller;
	bool objects; /* members are those of the class that an object itself tells (objects.h) */
};

/* The same where something else is asked (scope.h); it borrows what c does. */
struct eval_aside {
	struct scope scope;
	struct eval_context context;
};
void eval_set_aside(const struct eval_context *c, enum scope_asks asks, struct eval_aside *ret);

/* Parses with the types of the scope's program. *ret_end: as expr_parse(). */
MUST_CHECK struct error *eval_parse(const struct eval_context *c, const char *text, bool one,
				    struct expr **ret, const char **ret_end);

MUST_CHECK struct error *eval(const struct eval_context *c, const struct expr *e,
			      struct value *ret);

/* What type it is of: nothing is called or changed, and of the value nothing else means anything.
 */
MUST_CHECK struct error *eval_type(const struct eval_context *c, const struct expr *e,
				   struct value *ret);

/* A type as it was typed. UNSUPPORTED: the types of expressions within it are not told. */
MUST_CHECK struct error *eval_named_type(const struct eval_context *c, const struct expr_type *t,
					 const struct type **ret);

/* Both. A reference is what it refers to; or it is left as it is, to be shown. */
MUST_CHECK struct error *eval_text(const struct eval_context *c, const char *text,
				   struct value *ret);
MUST_CHECK struct error *eval_shown(const struct eval_context *c, const char *text,
				    struct value *ret);
MUST_CHECK struct error *eval_address(const struct eval_context *c, const char *text, taddr *ret);
MUST_CHECK struct error *eval_integer(const struct eval_context *c, const char *text, int64_t *ret);

/* Whether a condition holds. */
MUST_CHECK struct error *eval_condition(const struct eval_context *c, const char *text, bool *ret);

#endif
