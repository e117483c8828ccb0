/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Precedence: expressions with operators between operands, by how tightly these bind: what the
 * grammars of C (expr.c) and of Fortran (expr_fortran.c) have in common.
 */
#ifndef DEBUGGER_PRECEDENCE_H
#define DEBUGGER_PRECEDENCE_H

#include "debugger/values/expr_tree.h"
#include "debugger/values/parser.h"

/* An operator that stands between two operands. */
struct precedence_row {
	const char *sign;
	int power; /* how tightly it binds; from 1 on */
	enum expr_kind kind;
	enum expr_op op;
	bool right; /* it groups from the right */
};

struct precedence {
	const struct precedence_row *rows;
	size_t len;
	bool is_fortran;
	bool (*at_sign)(const struct parser *p, const char *sign);
	/* What stands by itself; *ret_inner instead of e: it was in parentheses. */
	MUST_CHECK struct error *(*operand)(struct parser *p, struct expr *e,
					    struct expr **ret_inner);
	/* What stands behind an operand: *e becomes the whole. */
	MUST_CHECK struct error *(*behind)(struct parser *p, struct expr **e);
	/* The rest of "a ? b : c", whose a is outer->kids[0]. NULL: there is none. */
	MUST_CHECK struct error *(*choose)(struct parser *p, struct expr *outer);
};

/* *ret, which the caller owns, may be set on failure, too. USAGE: it makes no sense; NOMEM. */
MUST_CHECK struct error *precedence_parse(const struct precedence *by, struct parser *p, int power,
					  struct expr **ret);

/* A new expression, of what is at hand. NULL: out of memory. */
struct expr *precedence_new(const struct precedence *by, const struct parser *p,
			    enum expr_kind kind);

/* Puts e into a new expression of that kind, which takes its place. NULL: out of memory. */
struct expr *precedence_wrap(const struct precedence *by, const struct parser *p, struct expr **e,
			     enum expr_kind kind, enum expr_op op);

/* Another operator in a row. USAGE: there are too many. */
MUST_CHECK struct error *precedence_count(struct parser *p);

#endif
