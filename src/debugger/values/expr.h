/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Expr: expressions as users type them: those of C, with what gdb adds. Text becomes a tree; what
 * names mean is asked later (eval.h, compile.h).
 *
 *   x  ns::x  'file.c'::x  function::x    names
 *   $rip  $1  $  $$  $$3  $name           registers, history, variables of the debugger
 *   12  0x1f  017  1.5e3f  'a'  "text"    constants
 *   *p@3  p[2]  {long} &x  (char *) p     what is in memory
 *
 * Names of types that are no words of C are known by a function of the caller.
 */
#ifndef DEBUGGER_EXPR_H
#define DEBUGGER_EXPR_H

#include "debugger/values/expr_type.h"

enum expr_kind {
	EXPR_NUMBER,
	EXPR_FLOAT,
	EXPR_STRING,
	EXPR_NAME,
	EXPR_DOLLAR,
	EXPR_TYPE,
	EXPR_UNARY,
	EXPR_BINARY,
	EXPR_CHOOSE, /* kids[0] ? kids[1] : kids[2]                                   */
	EXPR_ASSIGN, /* op says with what it is combined first; EXPR_NONE: nothing     */
	EXPR_CAST,
	EXPR_SIZEOF,
	EXPR_MEMORY, /* {type} kids[0]                                                */
	EXPR_INDEX,
	EXPR_MEMBER, /* kids[0].text, or ->text with op EXPR_DEREFERENCE              */
	EXPR_CALL,
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
	EXPR_REPEAT, /* @ */
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
	size_t at;               /* where in the text it stands                   */
	char *text;              /* owned: of NAME, DOLLAR, MEMBER, STRING         */
	size_t text_len;         /* a STRING may hold NULs                         */
	char *file;              /* owned: of a NAME; NULL: none                   */
	const struct type *type; /* of NUMBER and FLOAT                            */
	uint64_t number;
	long double real;
	struct expr_type cast; /* of TYPE, CAST, SIZEOF, MEMORY                    */
	struct expr *kids[3];  /* owned                                           */
};

/*
 * USAGE: what is wrong, and where. *ret_end, if not NULL: where it ends, behind blanks: at the end
 * of the text, or at a comma. options may be NULL.
 */
MUST_CHECK struct error *expr_parse(const char *text, const struct expr_options *options,
				    struct expr **ret, const char **ret_end);
void expr_free(struct expr *e);
CLEANUP(expr, struct expr)
#define AUTO_EXPR AUTO(expr_cleanup) struct expr

#endif
