/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/expr.h"

#include <string.h>

#include "debugger/values/expr_fortran.h"
#include "debugger/values/operand.h"
#include "debugger/values/precedence.h"

static const struct precedence grammar;

static struct error *parse_above(struct parser *p, int power, struct expr **ret)
{
	return precedence_parse(&grammar, p, power, ret);
}

static struct error *parse_whole(struct parser *p, struct expr **ret)
{
	return parse_above(p, 0, ret);
}

enum { POWER_COMMA = 1, POWER_ASSIGN, POWER_CHOOSE, POWER_UNARY = 16 };

/* How tightly what stands on both sides of it is bound. */
static const struct precedence_row binaries[] = {
	{ ",", POWER_COMMA, EXPR_BINARY, EXPR_COMMA, false },
	{ "=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_NONE, true },
	{ "+=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_PLUS, true },
	{ "-=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_MINUS, true },
	{ "*=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_TIMES, true },
	{ "/=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_DIVIDE, true },
	{ "%=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_REST, true },
	{ "&=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_AND, true },
	{ "|=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_OR, true },
	{ "^=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_XOR, true },
	{ "<<=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_SHIFT_LEFT, true },
	{ ">>=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_SHIFT_RIGHT, true },
	{ "?", POWER_CHOOSE, EXPR_CHOOSE, EXPR_NONE, false },
	{ "||", 4, EXPR_BINARY, EXPR_OR_ELSE, false },
	{ "&&", 5, EXPR_BINARY, EXPR_AND_THEN, false },
	{ "|", 6, EXPR_BINARY, EXPR_OR, false },
	{ "^", 7, EXPR_BINARY, EXPR_XOR, false },
	{ "&", 8, EXPR_BINARY, EXPR_AND, false },
	{ "==", 9, EXPR_BINARY, EXPR_EQUAL, false },
	{ "!=", 9, EXPR_BINARY, EXPR_NOT_EQUAL, false },
	{ "<", 10, EXPR_BINARY, EXPR_LESS, false },
	{ ">", 10, EXPR_BINARY, EXPR_GREATER, false },
	{ "<=", 10, EXPR_BINARY, EXPR_LESS_OR_EQUAL, false },
	{ ">=", 10, EXPR_BINARY, EXPR_GREATER_OR_EQUAL, false },
	{ "<<", 11, EXPR_BINARY, EXPR_SHIFT_LEFT, false },
	{ ">>", 11, EXPR_BINARY, EXPR_SHIFT_RIGHT, false },
	{ "@", 12, EXPR_BINARY, EXPR_REPEAT, false },
	{ "+", 13, EXPR_BINARY, EXPR_PLUS, false },
	{ "-", 13, EXPR_BINARY, EXPR_MINUS, false },
	{ "*", 14, EXPR_BINARY, EXPR_TIMES, false },
	{ "/", 14, EXPR_BINARY, EXPR_DIVIDE, false },
	{ "%", 14, EXPR_BINARY, EXPR_REST, false },
	{ ".*", 15, EXPR_BINARY, EXPR_OF_MEMBER, false },
	{ "->*", 15, EXPR_BINARY, EXPR_OF_ARROW, false },
};

static const struct {
	const char *sign;
	enum expr_op op;
} unaries[] = {
	{ "-", EXPR_NEGATE },     { "+", EXPR_SAME },        { "!", EXPR_NOT },
	{ "~", EXPR_INVERT },     { "*", EXPR_DEREFERENCE }, { "&", EXPR_ADDRESS },
	{ "++", EXPR_INCREMENT }, { "--", EXPR_DECREMENT },
};

/* "(" has been read: a type in parentheses, with or without something that is cast to it. */
static struct error *parse_cast(struct parser *p, struct expr *e)
{
	struct error *err = parser_type(p, &e->cast);

	if (!err)
		err = parser_expect(p, ")");
	bool ends = p->token.kind == TOKEN_END || parser_at_sign(p, ")") ||
		    parser_at_sign(p, ",") || parser_at_sign(p, "]");
	e->kind = ends ? EXPR_TYPE : EXPR_CAST;
	if (err || ends)
		return err;
	return parse_above(p, POWER_UNARY, &e->kids[0]);
}

static struct error *parse_parentheses(struct parser *p, struct expr *e, struct expr **ret_inner)
{
	struct error *err = parser_advance(p);

	if (!err && parser_at_type(p))
		return parse_cast(p, e);
	if (!err)
		err = parse_above(p, 0, ret_inner);
	return err ? err : parser_expect(p, ")");
}

/* Of a type in parentheses, behind which the expression goes on, or of an expression. */
static struct error *parse_sizeof(struct parser *p, struct expr *e, enum expr_kind kind)
{
	struct error *err = parser_advance(p);
	struct parser ahead = *p;

	e->kind = kind;
	if (err)
		return err;
	ahead.token.value = (struct buf){ 0 };
	bool bracket = parser_at_sign(p, "(");
	if (bracket)
		err = parser_advance(&ahead);
	bool type = bracket && !err && parser_at_type(&ahead);
	token_fini(&ahead.token);
	if (err || !type)
		return err ? err : parse_above(p, POWER_UNARY, &e->kids[0]);
	err = parser_advance(p);
	e->kids[0] = err ? NULL : precedence_new(&grammar, p, EXPR_TYPE);
	if (!err)
		err = e->kids[0] ? parser_type(p, &e->kids[0]->cast) : &error_nomem;
	return err ? err : parser_expect(p, ")");
}

/* Of C++: of an expression in parentheses, or of a type: what follows is applied to the result. */
static struct error *parse_operand_of(struct parser *p, struct expr *e, enum expr_kind kind)
{
	struct error *err = parser_advance(p);

	e->kind = kind;
	if (!err)
		err = parser_expect(p, "(");
	if (err || !parser_at_type(p)) {
		err = err ? err : parse_above(p, 0, &e->kids[0]);
	} else {
		e->kids[0] = precedence_new(&grammar, p, EXPR_TYPE);
		err = e->kids[0] ? parser_type(p, &e->kids[0]->cast) : &error_nomem;
	}
	return err ? err : parser_expect(p, ")");
}

/* "(x)" behind what it is cast to. */
static struct error *parse_casted(struct parser *p, struct expr *e)
{
	struct error *err = parser_expect(p, "(");

	e->kind = EXPR_CAST;
	if (!err)
		err = parse_above(p, 0, &e->kids[0]);
	return err ? err : parser_expect(p, ")");
}

static const struct {
	const char *word;
	enum expr_op op;
} casts[] = {
	{ "static_cast", EXPR_NONE },
	{ "const_cast", EXPR_NONE },
	{ "reinterpret_cast", EXPR_REINTERPRET },
	{ "dynamic_cast", EXPR_DYNAMIC },
};

/* static_cast<T>(x) */
static struct error *parse_named_cast(struct parser *p, struct expr *e, size_t row)
{
	struct error *err = parser_advance(p);

	e->op = casts[row].op;
	if (!err)
		err = parser_expect(p, "<");
	if (!err)
		err = parser_type(p, &e->cast);
	if (!err)
		err = parser_expect(p, ">");
	return err ? err : parse_casted(p, e);
}

/* A type, or T(x). */
static struct error *parse_type_or_cast(struct parser *p, struct expr *e)
{
	struct expr_type words = { 0 };
	struct parser before = *p;
	struct error *err = parser_type_words(p, &words);

	before.token.value = (struct buf){ 0 };
	e->kind = EXPR_TYPE;
	e->cast = words;
	if (err)
		return err;
	/* "int(x)", but not "int()", which is a type. */
	if (parser_at_sign(p, "(") && !parser_at_inner(p) &&
	    p->token.start[1 + strspn(p->token.start + 1, " ")] != ')')
		return parse_casted(p, e);
	token_fini(&p->token);
	p->token = before.token;
	return parser_type(p, &e->cast);
}

/* {type} address, or {1, 2} */
static struct error *parse_braces(struct parser *p, struct expr *e)
{
	struct error *err = parser_advance(p);

	if (!err && !parser_at_type(p)) {
		e->kind = EXPR_LIST;
		if (!parser_at_sign(p, "}"))
			err = parse_above(p, 0, &e->kids[0]);
		return err ? err : parser_expect(p, "}");
	}
	e->kind = EXPR_MEMORY;
	if (!err)
		err = parser_type(p, &e->cast);
	if (!err)
		err = parser_expect(p, "}");
	return err ? err : parse_above(p, POWER_UNARY, &e->kids[0]);
}

static struct error *parse_unary(struct parser *p, struct expr *e)
{
	for (size_t i = 0; i < sizeof(unaries) / sizeof(*unaries); i++) {
		if (!parser_at_sign(p, unaries[i].sign))
			continue;
		e->kind = EXPR_UNARY;
		e->op = unaries[i].op;
		struct error *err = parser_advance(p);
		return err ? err : parse_above(p, POWER_UNARY, &e->kids[0]);
	}
	return parser_error();
}

/* Whether what stands behind a name can be of a type: "word_t *", "word_t(x)". */
static bool may_be_type(const struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	behind += strspn(behind, " ");
	return (*behind && strchr("*&(", *behind) && *behind) || !strncmp(behind, "const", 5);
}

static struct error *parse_name(struct parser *p, struct expr *e)
{
	if (parser_at_word(p, "sizeof"))
		return parse_sizeof(p, e, EXPR_SIZEOF);
	if (parser_at_word(p, "alignof") || parser_at_word(p, "_Alignof"))
		return parse_sizeof(p, e, EXPR_ALIGNOF);
	if (p->options && p->options->words && parser_at_word(p, "typeid"))
		return parse_operand_of(p, e, EXPR_TYPEID);
	if (p->options && p->options->words && parser_at_word(p, "noexcept"))
		return parse_operand_of(p, e, EXPR_NOEXCEPT);
	for (size_t i = 0; i < sizeof(casts) / sizeof(*casts); i++) {
		if (parser_at_word(p, casts[i].word))
			return parse_named_cast(p, e, i);
	}
	if (parser_at_type_word(p) || (may_be_type(p) && parser_at_type(p)))
		return parse_type_or_cast(p, e);
	return operand_word(p, e);
}

/* What stands by itself; *ret_inner instead of e: it was in parentheses. */
static struct error *parse_operand(struct parser *p, struct expr *e, struct expr **ret_inner)
{
	switch (p->token.kind) {
	case TOKEN_NUMBER:
	case TOKEN_FLOAT:
	case TOKEN_IMAGINARY:
		return operand_constant(p, e);
	case TOKEN_STRING:
		return operand_string(p, e);
	case TOKEN_QUOTED:
		return operand_quoted(p, e);
	case TOKEN_DOLLAR:
		e->kind = EXPR_DOLLAR;
		return operand_word(p, e);
	case TOKEN_NAME:
		return parser_at_operator_word(p) ? parse_unary(p, e) : parse_name(p, e);
	case TOKEN_SIGN:
		if (parser_at_sign(p, "("))
			return parse_parentheses(p, e, ret_inner);
		return parser_at_sign(p, "{") ? parse_braces(p, e) : parse_unary(p, e);
	case TOKEN_END:
		break;
	}
	return parser_error();
}

static struct expr *wrap(const struct parser *p, struct expr **e, enum expr_kind kind,
			 enum expr_op op)
{
	return precedence_wrap(&grammar, p, e, kind, op);
}

static struct error *parse_member(struct parser *p, struct expr **e, enum expr_op op)
{
	struct expr *outer = wrap(p, e, EXPR_MEMBER, op);
	struct error *err = outer ? parser_advance(p) : &error_nomem;

	if (!err && p->token.kind != TOKEN_NAME)
		err = parser_error();
	if (!err)
		err = parser_take_member(p);
	return err ? err : operand_word(p, outer);
}

static struct error *parse_index(struct parser *p, struct expr **e)
{
	struct expr *outer = wrap(p, e, EXPR_INDEX, EXPR_NONE);
	struct error *err = outer ? parser_advance(p) : &error_nomem;

	if (!err)
		err = parse_above(p, 0, &outer->kids[1]);
	if (!err && parser_at_sign(p, "..")) {
		err = parser_advance(p);
		if (!err)
			err = parse_above(p, 0, &outer->kids[2]);
	}
	return err ? err : parser_expect(p, "]");
}

static struct error *parse_call(struct parser *p, struct expr **e)
{
	struct expr *outer = wrap(p, e, EXPR_CALL, EXPR_NONE);
	struct error *err = outer ? parser_advance(p) : &error_nomem;

	if (!err && !parser_at_sign(p, ")"))
		err = parse_above(p, 0, &outer->kids[1]);
	return err ? err : parser_expect(p, ")");
}

static struct error *parse_later(struct parser *p, struct expr **e, enum expr_op op)
{
	return wrap(p, e, EXPR_UNARY, op) ? parser_advance(p) : &error_nomem;
}

/* What stands behind an operand. */
static struct error *parse_behind(struct parser *p, struct expr **e)
{
	struct error *err;

	while (!(err = precedence_count(p))) {
		if (parser_at_sign(p, "["))
			err = parse_index(p, e);
		else if (parser_at_sign(p, "("))
			err = parse_call(p, e);
		else if (parser_at_sign(p, "."))
			err = parse_member(p, e, EXPR_NONE);
		else if (parser_at_sign(p, "->"))
			err = parse_member(p, e, EXPR_DEREFERENCE);
		else if (parser_at_sign(p, "++"))
			err = parse_later(p, e, EXPR_INCREMENT_LATER);
		else if (parser_at_sign(p, "--"))
			err = parse_later(p, e, EXPR_DECREMENT_LATER);
		else
			return NULL;
		if (err)
			break;
	}
	return err;
}

/* Behind the '?'. */
static struct error *parse_choice(struct parser *p, struct expr *outer)
{
	struct error *err = parse_above(p, POWER_COMMA, &outer->kids[1]);

	if (!err)
		err = parser_expect(p, ":");
	return err ? err : parse_above(p, POWER_CHOOSE - 1, &outer->kids[2]);
}

static const struct precedence grammar = {
	.rows = binaries,
	.len = sizeof(binaries) / sizeof(*binaries),
	.at_sign = parser_at_sign,
	.operand = parse_operand,
	.behind = parse_behind,
	.choose = parse_choice,
};

struct error *expr_parse(const char *text, const struct expr_options *options, struct expr **ret,
			 const char **ret_end)
{
	struct parser p = { .text = text, .options = options, .expression = parse_whole };
	AUTO_EXPR *e = NULL;

	struct error *err = parser_begin(&p);
	if (!err && options && options->fortran)
		err = expr_fortran_parse(&p, options->one, &e);
	else if (!err)
		err = parse_above(&p, options && options->one ? POWER_COMMA : 0, &e);
	bool at_comma = options && options->one && parser_at_sign(&p, ",");
	if (!err && p.token.kind != TOKEN_END && !at_comma)
		err = parser_error();
	if (ret_end)
		*ret_end = p.token.start;
	err = expr_near(err, p.token.start);
	token_fini(&p.token);
	if (!err)
		*ret = TAKE(e);
	return err;
}
