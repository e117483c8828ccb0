/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/precedence.h"

enum { DEPTH_MAX = 200, LENGTH_MAX = 1000 };

struct error *precedence_count(struct parser *p)
{
	return p->length++ == LENGTH_MAX ? error_new(ERROR_USAGE, "the expression is too long")
					 : NULL;
}

struct expr *precedence_new(const struct precedence *by, const struct parser *p,
			    enum expr_kind kind)
{
	struct expr *e = calloc(1, sizeof(*e));

	if (e) {
		e->kind = kind;
		e->at = p->token.start;
		e->is_fortran = by->is_fortran;
	}
	return e;
}

struct expr *precedence_wrap(const struct precedence *by, const struct parser *p, struct expr **e,
			     enum expr_kind kind, enum expr_op op)
{
	struct expr *outer = precedence_new(by, p, kind);

	if (!outer)
		return NULL;
	outer->op = op;
	outer->kids[0] = *e;
	*e = outer;
	return outer;
}

static const struct precedence_row *row_at(const struct precedence *by, const struct parser *p)
{
	for (size_t i = 0; i < by->len; i++) {
		if (by->at_sign(p, by->rows[i].sign))
			return &by->rows[i];
	}
	return NULL;
}

static struct error *parse_right(const struct precedence *by, struct parser *p,
				 const struct precedence_row *row, struct expr **left)
{
	struct error *err = precedence_count(p);
	struct expr *outer = err ? NULL : precedence_wrap(by, p, left, row->kind, row->op);

	if (!err)
		err = outer ? parser_advance(p) : &error_nomem;
	if (!err && row->kind == EXPR_CHOOSE)
		return by->choose(p, outer);
	return err ? err : precedence_parse(by, p, row->power - row->right, &outer->kids[1]);
}

struct error *precedence_parse(const struct precedence *by, struct parser *p, int power,
			       struct expr **ret)
{
	struct expr *inner = NULL, *e = precedence_new(by, p, EXPR_NAME);
	const struct precedence_row *row;

	if (!e)
		return &error_nomem;
	if (p->depth++ == DEPTH_MAX) {
		expr_free(e);
		return error_new(ERROR_USAGE, "the expression is nested too deeply");
	}
	struct error *err = by->operand(p, e, &inner);
	if (inner)
		expr_free(e);
	*ret = inner ? inner : e;
	if (!err)
		err = by->behind(p, ret);
	while (!err && (row = row_at(by, p)) && row->power > power)
		err = parse_right(by, p, row, ret);
	p->depth--;
	return err;
}
