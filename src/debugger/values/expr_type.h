/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Expr_type: a type in an expression, and who knows which names are types.
 */
#ifndef DEBUGGER_EXPR_TYPE_H
#define DEBUGGER_EXPR_TYPE_H

#include "target/symbols/type.h"

struct expr;
struct expr_type;

/* What is made of a type: "*" a pointer to it, "[3]" an array of it. */
struct expr_step {
	enum expr_step_kind {
		STEP_CONST,
		STEP_VOLATILE,
		STEP_POINTER,
		STEP_REFERENCE,
		STEP_RVALUE, /* && */
		STEP_ARRAY,
		STEP_FUNCTION, /* that returns it                                */
		STEP_MEMBER,   /* a pointer to such members of "holder"          */
	} kind;
	uint64_t count;               /* of an ARRAY; 0: not said                   */
	char *holder;                 /* owned                                      */
	struct expr_type *parameters; /* owned, of a FUNCTION                       */
	size_t nparameters;
	bool prototyped, varargs;
};

/* A type as it was typed: "unsigned char (*)[3]": from the inside out. */
struct expr_type {
	char *name;              /* owned, words with one blank; NULL: it is that of */
	struct expr *of;         /* owned, an expression: "decltype(x)"; NULL: it has a name */
	struct expr_step *steps; /* owned                                           */
	size_t nsteps;
};

void expr_type_fini(struct expr_type *t);

struct expr_options {
	bool (*is_type)(void *context, const char *name); /* NULL: none is */
	/* A name with arguments of a template: it is known. NULL: none is. */
	bool (*is_known)(void *context, const char *name);
	void *context;
	bool words;   /* "and", "not" and so on are operators */
	bool fortran; /* it is one of Fortran                     */
	bool one;     /* a comma ends it: arguments of printf     */
};

#endif
