/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Expr_tree: what the text of an expression becomes: expr.h.
 */
#ifndef DEBUGGER_EXPR_TREE_H
#define DEBUGGER_EXPR_TREE_H

#include "debugger/values/expr_type.h"

enum expr_kind {
	EXPR_NUMBER,
	EXPR_FLOAT,
	EXPR_IMAGINARY, /* type: of its part                                          */
	EXPR_STRING,
	EXPR_NAME,
	EXPR_DOLLAR,
	EXPR_TYPE,
	EXPR_UNARY,
	EXPR_BINARY,
	EXPR_CHOOSE, /* kids[0] ? kids[1] : kids[2]                                   */
	EXPR_ASSIGN, /* op says with what it is combined first; EXPR_NONE: nothing     */
	EXPR_CAST,   /* op: REINTERPRET, DYNAMIC, or NONE for all else                   */
	EXPR_SIZEOF,
	EXPR_ALIGNOF,
	EXPR_TYPEID,
	EXPR_NOEXCEPT,
	EXPR_MEMORY, /* {type} kids[0]                                                */
	EXPR_INDEX,  /* kids[0][kids[1]], or [kids[1]..kids[2]]                        */
	EXPR_MEMBER, /* kids[0].text, or ->text with op EXPR_DEREFERENCE              */
	EXPR_CALL,
	EXPR_ELEMENT, /* of Fortran: kids[0](kids[1]): subscripts, or arguments            */
	EXPR_SECTION, /* in that: kids[0]:kids[1]:kids[2], each may be NULL                */
	EXPR_COMPLEX, /* (kids[0],kids[1])                                             */
	EXPR_LIST,    /* {kids[0]}, which is NULL, or has commas                        */
};

enum expr_op {
	EXPR_NONE,
	EXPR_PLUS,
	EXPR_MINUS,
	EXPR_TIMES,
	EXPR_DIVIDE,
	EXPR_REST,
	EXPR_SHIFT_LEFT,
	EXPR_SHIFT_RIGHT,
	EXPR_AND,
	EXPR_OR,
	EXPR_XOR,
	EXPR_EQUAL,
	EXPR_NOT_EQUAL,
	EXPR_LESS,
	EXPR_GREATER,
	EXPR_LESS_OR_EQUAL,
	EXPR_GREATER_OR_EQUAL,
	EXPR_AND_THEN,
	EXPR_OR_ELSE,
	EXPR_COMMA,
	EXPR_REPEAT,     /* @ */
	EXPR_OF_MEMBER,  /* .*  */
	EXPR_OF_ARROW,   /* ->* */
	EXPR_POWER,      /* of Fortran: **     */
	EXPR_JOIN,       /* //                 */
	EXPR_EQUIVALENT, /* .eqv.              */
	EXPR_UNLIKE,     /* .neqv.             */
	EXPR_REINTERPRET,
	EXPR_DYNAMIC,
	EXPR_NEGATE,
	EXPR_SAME, /* unary + */
	EXPR_NOT,
	EXPR_INVERT,
	EXPR_DEREFERENCE,
	EXPR_ADDRESS,
	EXPR_INCREMENT, /* in front */
	EXPR_DECREMENT,
	EXPR_INCREMENT_LATER,
	EXPR_DECREMENT_LATER,
};

struct expr {
	enum expr_kind kind;
	enum expr_op op;
	const char *at;          /* borrowed: where in the text it stands          */
	char *text;              /* owned: of NAME, DOLLAR, MEMBER, STRING         */
	size_t text_len;         /* a STRING may hold NULs                         */
	char *file;              /* owned: of a NAME; NULL: none                   */
	const struct type *type; /* of NUMBER and FLOAT; of a STRING's characters   */
	uint64_t number;
	__float128 real;
	bool is_fortran;       /* it follows the rules of Fortran                           */
	struct expr_type cast; /* of TYPE, CAST, SIZEOF, MEMORY                    */
	struct expr *kids[3];  /* owned                                           */
};

/* Takes err and returns it with the text at that place, unless it names one: "near `+ x'". */
struct error *expr_near(struct error *err, const char *at);

void expr_free(struct expr *e);
CLEANUP(expr, struct expr)
#define AUTO_EXPR AUTO(expr_cleanup) struct expr

#endif
