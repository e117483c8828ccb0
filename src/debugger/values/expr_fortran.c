/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/expr_fortran.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "debugger/values/precedence.h"
#include "debugger/values/token_fortran.h"

enum { POWER_COMMA = 1, POWER_ASSIGN, POWER_NOT = 7, POWER_SUM = 10, POWER_TIGHT = 13 };

/* How tightly what stands on both sides of it is bound (Fortran 2018, table 10.1). */
static const struct precedence_row binaries[] = {
	{ ",", POWER_COMMA, EXPR_BINARY, EXPR_COMMA, false },
	{ "=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_NONE, true },
	{ ".eqv.", 4, EXPR_BINARY, EXPR_EQUIVALENT, false },
	{ ".neqv.", 4, EXPR_BINARY, EXPR_UNLIKE, false },
	{ ".xor.", 4, EXPR_BINARY, EXPR_UNLIKE, false },
	{ ".or.", 5, EXPR_BINARY, EXPR_OR_ELSE, false },
	{ ".and.", 6, EXPR_BINARY, EXPR_AND_THEN, false },
	{ "==", 8, EXPR_BINARY, EXPR_EQUAL, false },
	{ ".eq.", 8, EXPR_BINARY, EXPR_EQUAL, false },
	{ "/=", 8, EXPR_BINARY, EXPR_NOT_EQUAL, false },
	{ ".ne.", 8, EXPR_BINARY, EXPR_NOT_EQUAL, false },
	{ "<", 8, EXPR_BINARY, EXPR_LESS, false },
	{ ".lt.", 8, EXPR_BINARY, EXPR_LESS, false },
	{ "<=", 8, EXPR_BINARY, EXPR_LESS_OR_EQUAL, false },
	{ ".le.", 8, EXPR_BINARY, EXPR_LESS_OR_EQUAL, false },
	{ ">", 8, EXPR_BINARY, EXPR_GREATER, false },
	{ ".gt.", 8, EXPR_BINARY, EXPR_GREATER, false },
	{ ">=", 8, EXPR_BINARY, EXPR_GREATER_OR_EQUAL, false },
	{ ".ge.", 8, EXPR_BINARY, EXPR_GREATER_OR_EQUAL, false },
	{ "//", 9, EXPR_BINARY, EXPR_JOIN, false },
	{ "@", 9, EXPR_BINARY, EXPR_REPEAT, false },
	{ "+", POWER_SUM, EXPR_BINARY, EXPR_PLUS, false },
	{ "-", POWER_SUM, EXPR_BINARY, EXPR_MINUS, false },
	{ "*", 11, EXPR_BINARY, EXPR_TIMES, false },
	{ "/", 11, EXPR_BINARY, EXPR_DIVIDE, false },
	{ "**", 12, EXPR_BINARY, EXPR_POWER, true },
};

/* And how tightly what stands behind one. */
static const struct {
	const char *sign;
	enum expr_op op;
	int power;
} unaries[] = {
	{ "-", EXPR_NEGATE, POWER_SUM },    { "+", EXPR_SAME, POWER_SUM },
	{ ".not.", EXPR_NOT, POWER_NOT },   { "*", EXPR_DEREFERENCE, POWER_TIGHT },
	{ "&", EXPR_ADDRESS, POWER_TIGHT },
};

static const struct precedence grammar;

static struct error *parse_above(struct parser *p, int power, struct expr **ret)
{
	return precedence_parse(&grammar, p, power, ret);
}

static struct expr *wrap(const struct parser *p, struct expr **e, enum expr_kind kind,
			 enum expr_op op)
{
	return precedence_wrap(&grammar, p, e, kind, op);
}

static bool at_sign(const struct parser *p, const char *sign)
{
	return p->token.kind == TOKEN_SIGN && p->token.len == strlen(sign) &&
	       !strncasecmp(p->token.start, sign, p->token.len);
}

static struct error *expect(struct parser *p, const char *sign)
{
	return at_sign(p, sign) ? parser_advance(p) : parser_error();
}

/* ---- operands ---------------------------------------------------------------------------- */

static struct error *take_text(struct parser *p, struct expr *e, const char *text, size_t len)
{
	e->text = calloc(1, len + 1);
	if (!e->text)
		return &error_nomem;
	if (len)
		memcpy(e->text, text, len);
	e->text_len = len;
	return parser_advance(p);
}

static struct error *take_constant(struct parser *p, struct expr *e, enum expr_kind kind)
{
	e->kind = kind;
	e->type = p->token.type;
	e->number = p->token.number;
	e->real = p->token.real;
	return parser_advance(p);
}

static struct expr *new_name(const struct parser *p, const char *name)
{
	struct expr *e = precedence_new(&grammar, p, EXPR_NAME);

	if (e)
		e->text = strdup(name);
	return e;
}

/* "1.5_dp" is real(1.5, dp). */
static struct error *take_named_kind(struct parser *p, struct expr *e, enum expr_kind kind)
{
	struct expr *both = precedence_new(&grammar, p, EXPR_BINARY);

	e->kind = EXPR_ELEMENT;
	e->kids[0] = new_name(p, kind == EXPR_FLOAT ? "real" : "int");
	e->kids[1] = both;
	if (!both)
		return &error_nomem;
	both->op = EXPR_COMMA;
	both->kids[0] = precedence_new(&grammar, p, kind);
	both->kids[1] = new_name(p, buf_text(&p->token.value));
	bool made = e->kids[0] && e->kids[0]->text && both->kids[0] && both->kids[1] &&
		    both->kids[1]->text;
	return made ? take_constant(p, both->kids[0], kind) : &error_nomem;
}

static struct error *parse_number(struct parser *p, struct expr *e, enum expr_kind kind)
{
	return p->token.value.len ? take_named_kind(p, e, kind) : take_constant(p, e, kind);
}

static struct error *parse_sign(struct parser *p, struct expr *e)
{
	if (at_sign(p, ".true.") || at_sign(p, ".false.")) {
		e->kind = EXPR_NUMBER;
		e->type = token_fortran_type(TYPE_BOOL, 4);
		e->number = at_sign(p, ".true.");
		return parser_advance(p);
	}
	for (size_t i = 0; i < sizeof(unaries) / sizeof(*unaries); i++) {
		if (!at_sign(p, unaries[i].sign))
			continue;
		e->kind = EXPR_UNARY;
		e->op = unaries[i].op;
		struct error *err = parser_advance(p);
		return err ? err : parse_above(p, unaries[i].power, &e->kids[0]);
	}
	return parser_error();
}

/* (x), or (x,y): a complex number. */
static struct error *parse_parentheses(struct parser *p, struct expr *e, struct expr **ret_inner)
{
	struct expr *second = NULL;
	struct error *err = parser_advance(p);

	if (!err)
		err = parse_above(p, POWER_COMMA, ret_inner);
	if (err || !at_sign(p, ","))
		return err ? err : expect(p, ")");
	err = parser_advance(p);
	if (!err)
		err = parse_above(p, POWER_COMMA, &second);
	e->kind = EXPR_COMPLEX;
	e->kids[0] = *ret_inner;
	e->kids[1] = second;
	*ret_inner = NULL;
	return err ? err : expect(p, ")");
}

static struct error *parse_sizeof(struct parser *p, struct expr *e)
{
	struct error *err = parser_advance(p);

	e->kind = EXPR_SIZEOF;
	return err ? err : parse_above(p, POWER_TIGHT, &e->kids[0]);
}

static struct error *parse_operand(struct parser *p, struct expr *e, struct expr **ret_inner)
{
	const struct token *t = &p->token;

	switch (t->kind) {
	case TOKEN_NUMBER:
		return parse_number(p, e, EXPR_NUMBER);
	case TOKEN_FLOAT:
		return parse_number(p, e, EXPR_FLOAT);
	case TOKEN_IMAGINARY:
		break;
	case TOKEN_STRING:
		e->kind = EXPR_STRING;
		e->type = t->type;
		return take_text(p, e, t->value.data, t->value.len);
	case TOKEN_DOLLAR:
		e->kind = EXPR_DOLLAR;
		return take_text(p, e, t->start, t->len);
	case TOKEN_NAME:
		if (t->len == 6 && !strncasecmp(t->start, "sizeof", t->len))
			return parse_sizeof(p, e);
		return take_text(p, e, t->start, t->len);
	case TOKEN_SIGN:
		return at_sign(p, "(") ? parse_parentheses(p, e, ret_inner) : parse_sign(p, e);
	case TOKEN_QUOTED:
	case TOKEN_END:
		break;
	}
	return parser_error();
}

/* ---- behind operands --------------------------------------------------------------------- */

static bool ends_subscript(const struct parser *p)
{
	return at_sign(p, ":") || at_sign(p, ",") || at_sign(p, ")");
}

/* "i", "1:n", ":", "::2" */
static struct error *parse_subscript(struct parser *p, struct expr **ret)
{
	struct error *err = ends_subscript(p) && !at_sign(p, ":") ? parser_error() : NULL;

	if (!err && !at_sign(p, ":"))
		err = parse_above(p, POWER_COMMA, ret);
	if (err || !at_sign(p, ":"))
		return err;
	struct expr *section = wrap(p, ret, EXPR_SECTION, EXPR_NONE);
	if (!section)
		return &error_nomem;
	for (size_t i = 1; !err && i < 3 && at_sign(p, ":"); i++) {
		err = parser_advance(p);
		if (!err && !ends_subscript(p))
			err = parse_above(p, POWER_COMMA, &section->kids[i]);
	}
	return err;
}

/* Subscripts, or arguments, are one expression, with commas between them. */
static struct error *parse_element(struct parser *p, struct expr **e)
{
	struct expr *outer = wrap(p, e, EXPR_ELEMENT, EXPR_NONE);
	struct error *err = outer ? parser_advance(p) : &error_nomem;

	if (err || at_sign(p, ")"))
		return err ? err : parser_advance(p);
	err = parse_subscript(p, &outer->kids[1]);
	while (!err && at_sign(p, ",")) {
		struct expr *both = wrap(p, &outer->kids[1], EXPR_BINARY, EXPR_COMMA);
		err = both ? precedence_count(p) : &error_nomem;
		if (!err)
			err = parser_advance(p);
		if (!err)
			err = parse_subscript(p, &both->kids[1]);
	}
	return err ? err : expect(p, ")");
}

static struct error *parse_member(struct parser *p, struct expr **e)
{
	struct expr *outer = wrap(p, e, EXPR_MEMBER, EXPR_NONE);
	struct error *err = outer ? parser_advance(p) : &error_nomem;

	if (!err && p->token.kind != TOKEN_NAME)
		err = parser_error();
	if (!err)
		err = take_text(p, outer, p->token.start, p->token.len);
	/* Compilers write members in small letters. */
	for (char *c = outer ? outer->text : NULL; c && *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return err;
}

static struct error *parse_behind(struct parser *p, struct expr **e)
{
	struct error *err = NULL;

	while (!err && (at_sign(p, "(") || at_sign(p, "%"))) {
		err = precedence_count(p);
		if (!err)
			err = at_sign(p, "(") ? parse_element(p, e) : parse_member(p, e);
	}
	return err;
}

static const struct precedence grammar = {
	.rows = binaries,
	.len = sizeof(binaries) / sizeof(*binaries),
	.is_fortran = true,
	.at_sign = at_sign,
	.operand = parse_operand,
	.behind = parse_behind,
};

struct error *expr_fortran_parse(struct parser *p, bool one, struct expr **ret)
{
	return parse_above(p, one ? POWER_COMMA : 0, ret);
}
