/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/expr.h"

#include <limits.h>
#include <string.h>

#include "debugger/values/token.h"

enum { DEPTH_MAX = 200, LENGTH_MAX = 1000, STARS_MAX = 8 };

struct parser {
	const char *text;
	const struct expr_options *options;
	struct token token;   /* the one at hand */
	size_t depth, length; /* of nested expressions; operators in a row */
};

void expr_free(struct expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < 3; i++)
		expr_free(e->kids[i]);
	free(e->cast.name);
	free(e->text);
	free(e->file);
	free(e);
}

/* ---- tokens ----------------------------------------------------------------------------- */

static struct error *advance(struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	token_fini(&p->token);
	return token_read(behind, &p->token);
}

static bool at_sign(const struct parser *p, const char *sign)
{
	return p->token.kind == TOKEN_SIGN && p->token.len == strlen(sign) &&
	       !strncmp(p->token.start, sign, p->token.len);
}

static bool at_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_NAME && p->token.len == strlen(word) &&
	       !strncmp(p->token.start, word, p->token.len);
}

static struct error *syntax_error(const struct parser *p)
{
	return error_new(ERROR_USAGE, "a syntax error in expression, near `%.*s'",
			 (int)strnlen(p->token.start, 60), p->token.start);
}

static struct error *expect(struct parser *p, const char *sign)
{
	return at_sign(p, sign) ? advance(p) : syntax_error(p);
}

static struct expr *new_expr(const struct parser *p, enum expr_kind kind)
{
	struct expr *e = calloc(1, sizeof(*e));

	if (e) {
		e->kind = kind;
		e->at = (size_t)(p->token.start - p->text);
	}
	return e;
}

/* ---- types ------------------------------------------------------------------------------ */

static const char *const type_words[] = {
	"unsigned", "signed", "char", "short", "long",   "int",   "__int128", "float",
	"double",   "_Bool",  "bool", "void",  "struct", "union", "enum",     "class",
};

static bool is_tag(const char *word, size_t len)
{
	return (len == 6 && !strncmp(word, "struct", 6)) ||
	       (len == 5 && (!strncmp(word, "union", 5) || !strncmp(word, "class", 5))) ||
	       (len == 4 && !strncmp(word, "enum", 4));
}

static bool is_qualifier(const struct parser *p)
{
	return at_word(p, "const") || at_word(p, "volatile") || at_word(p, "restrict");
}

static bool at_type_word(const struct parser *p)
{
	for (size_t i = 0; i < sizeof(type_words) / sizeof(*type_words); i++) {
		if (at_word(p, type_words[i]))
			return true;
	}
	return is_qualifier(p);
}

static bool is_named_type(const struct parser *p, const struct token *name)
{
	if (!p->options || !p->options->is_type || name->kind != TOKEN_NAME)
		return false;
	AUTO_FREE char *text = strndup(name->start, name->len);
	return text && p->options->is_type(p->options->context, text);
}

static bool at_type(const struct parser *p)
{
	return at_type_word(p) || is_named_type(p, &p->token);
}

/* The words of its name: those of C, or one other, or a tag and one other. */
static struct error *parse_type_words(struct parser *p, struct buf *name)
{
	bool tagged = false, any = false, named = false;

	while (p->token.kind == TOKEN_NAME) {
		bool qualifier = is_qualifier(p);
		if (!qualifier && !tagged && !at_type_word(p) && (any || named))
			break;
		if (!qualifier && named)
			break;
		if (!qualifier) {
			buf_adds(name, name->len ? " " : "");
			buf_add(name, p->token.start, p->token.len);
			named = tagged || !at_type_word(p);
			any = true;
			tagged = !tagged && is_tag(p->token.start, p->token.len);
		}
		struct error *err = advance(p);
		if (err)
			return err;
	}
	return any && !tagged ? NULL : syntax_error(p);
}

static struct error *parse_stars(struct parser *p, struct expr_type *ret)
{
	struct error *err = NULL;

	while (!err && (at_sign(p, "*") || is_qualifier(p))) {
		ret->pointers += at_sign(p, "*");
		if (ret->pointers > STARS_MAX)
			return error_new(ERROR_USAGE, "too many `*' in a type");
		err = advance(p);
	}
	return err;
}

/* "(*)(int, char)": of the parameters nothing is kept. */
static struct error *parse_function(struct parser *p, struct expr_type *ret)
{
	struct error *err = advance(p);

	if (!err)
		err = parse_stars(p, ret);
	if (!err)
		err = expect(p, ")");
	if (!err)
		err = expect(p, "(");
	while (!err && !at_sign(p, ")")) {
		if (p->token.kind != TOKEN_NAME && !at_sign(p, ",") && !at_sign(p, "*"))
			return syntax_error(p);
		err = advance(p);
	}
	ret->function = true;
	return err ? err : advance(p);
}

static bool at_function(const struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	return at_sign(p, "(") && behind[strspn(behind, " ")] == '*';
}

static struct error *parse_type(struct parser *p, struct expr_type *ret)
{
	AUTO_BUF name = { 0 };
	struct error *err = parse_type_words(p, &name);

	if (!err)
		err = parse_stars(p, ret);
	if (!err && !ret->pointers && at_function(p))
		err = parse_function(p, ret);
	if (!err && at_sign(p, "[")) {
		err = advance(p);
		if (!err && p->token.kind != TOKEN_NUMBER)
			err = syntax_error(p);
		ret->count = p->token.number;
		if (!err)
			err = advance(p);
		if (!err)
			err = expect(p, "]");
	}
	if (err)
		return err;
	free(ret->name);
	ret->name = strdup(buf_text(&name));
	return ret->name ? NULL : &error_nomem;
}

/* ---- expressions ------------------------------------------------------------------------ */

static struct error *parse_above(struct parser *p, int power, struct expr **ret);

enum { POWER_COMMA = 1, POWER_ASSIGN, POWER_CHOOSE, POWER_UNARY = 15 };

/* How tightly what stands on both sides of it is bound. */
static const struct {
	const char *sign;
	int power;
	enum expr_kind kind;
	enum expr_op op;
} binaries[] = {
	{ ",", POWER_COMMA, EXPR_BINARY, EXPR_COMMA },
	{ "=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_NONE },
	{ "+=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_PLUS },
	{ "-=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_MINUS },
	{ "*=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_TIMES },
	{ "/=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_DIVIDE },
	{ "%=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_REST },
	{ "&=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_AND },
	{ "|=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_OR },
	{ "^=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_XOR },
	{ "<<=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_SHIFT_LEFT },
	{ ">>=", POWER_ASSIGN, EXPR_ASSIGN, EXPR_SHIFT_RIGHT },
	{ "?", POWER_CHOOSE, EXPR_CHOOSE, EXPR_NONE },
	{ "||", 4, EXPR_BINARY, EXPR_OR_ELSE },
	{ "&&", 5, EXPR_BINARY, EXPR_AND_THEN },
	{ "|", 6, EXPR_BINARY, EXPR_OR },
	{ "^", 7, EXPR_BINARY, EXPR_XOR },
	{ "&", 8, EXPR_BINARY, EXPR_AND },
	{ "==", 9, EXPR_BINARY, EXPR_EQUAL },
	{ "!=", 9, EXPR_BINARY, EXPR_NOT_EQUAL },
	{ "<", 10, EXPR_BINARY, EXPR_LESS },
	{ ">", 10, EXPR_BINARY, EXPR_GREATER },
	{ "<=", 10, EXPR_BINARY, EXPR_LESS_OR_EQUAL },
	{ ">=", 10, EXPR_BINARY, EXPR_GREATER_OR_EQUAL },
	{ "<<", 11, EXPR_BINARY, EXPR_SHIFT_LEFT },
	{ ">>", 11, EXPR_BINARY, EXPR_SHIFT_RIGHT },
	{ "@", 12, EXPR_BINARY, EXPR_REPEAT },
	{ "+", 13, EXPR_BINARY, EXPR_PLUS },
	{ "-", 13, EXPR_BINARY, EXPR_MINUS },
	{ "*", 14, EXPR_BINARY, EXPR_TIMES },
	{ "/", 14, EXPR_BINARY, EXPR_DIVIDE },
	{ "%", 14, EXPR_BINARY, EXPR_REST },
};

static const struct {
	const char *sign;
	enum expr_op op;
} unaries[] = {
	{ "-", EXPR_NEGATE },     { "+", EXPR_SAME },        { "!", EXPR_NOT },
	{ "~", EXPR_INVERT },     { "*", EXPR_DEREFERENCE }, { "&", EXPR_ADDRESS },
	{ "++", EXPR_INCREMENT }, { "--", EXPR_DECREMENT },
};

static struct error *keep_text(struct expr *e, const char *text, size_t len)
{
	e->text = malloc(len + 1);
	if (!e->text)
		return &error_nomem;
	if (len)
		memcpy(e->text, text, len);
	e->text[len] = '\0';
	e->text_len = len;
	return NULL;
}

/* 'file.c'::name, or a name that is quoted because of what is in it: 'work(int)'. */
static struct error *parse_quoted(struct parser *p, struct expr *e)
{
	struct error *err = keep_text(e, p->token.value.data, p->token.value.len);

	if (!err)
		err = advance(p);
	bool file = !err && p->token.kind == TOKEN_NAME && !strncmp(p->token.start, "::", 2);
	if (!file)
		return err;
	e->file = TAKE(e->text);
	err = keep_text(e, p->token.start + 2, p->token.len - 2);
	return err ? err : advance(p);
}

static struct error *parse_word(struct parser *p, struct expr *e)
{
	const char *start = p->token.start;
	size_t len = p->token.len;

	/* "::x" is x of the outermost scope. */
	if (!strncmp(start, "::", 2)) {
		start += 2;
		len -= 2;
	}
	struct error *err = keep_text(e, start, len);
	return err ? err : advance(p);
}

/* "(" has been read: a type in parentheses, with or without something that is cast to it. */
static struct error *parse_cast(struct parser *p, struct expr *e)
{
	struct error *err = parse_type(p, &e->cast);

	if (!err)
		err = expect(p, ")");
	bool ends =
		p->token.kind == TOKEN_END || at_sign(p, ")") || at_sign(p, ",") || at_sign(p, "]");
	e->kind = ends ? EXPR_TYPE : EXPR_CAST;
	if (err || ends)
		return err;
	return parse_above(p, POWER_UNARY, &e->kids[0]);
}

static struct error *parse_parentheses(struct parser *p, struct expr *e, struct expr **ret_inner)
{
	struct error *err = advance(p);

	if (!err && at_type(p))
		return parse_cast(p, e);
	if (!err)
		err = parse_above(p, 0, ret_inner);
	return err ? err : expect(p, ")");
}

static struct error *parse_sizeof(struct parser *p, struct expr *e)
{
	struct error *err = advance(p);

	e->kind = EXPR_SIZEOF;
	return err ? err : parse_above(p, POWER_UNARY, &e->kids[0]);
}

/* {type} address */
static struct error *parse_memory(struct parser *p, struct expr *e)
{
	struct error *err = advance(p);

	e->kind = EXPR_MEMORY;
	if (!err)
		err = parse_type(p, &e->cast);
	if (!err)
		err = expect(p, "}");
	return err ? err : parse_above(p, POWER_UNARY, &e->kids[0]);
}

static struct error *parse_unary(struct parser *p, struct expr *e)
{
	for (size_t i = 0; i < sizeof(unaries) / sizeof(*unaries); i++) {
		if (!at_sign(p, unaries[i].sign))
			continue;
		e->kind = EXPR_UNARY;
		e->op = unaries[i].op;
		struct error *err = advance(p);
		return err ? err : parse_above(p, POWER_UNARY, &e->kids[0]);
	}
	return syntax_error(p);
}

static struct error *parse_constant(struct parser *p, struct expr *e)
{
	e->kind = p->token.kind == TOKEN_FLOAT ? EXPR_FLOAT : EXPR_NUMBER;
	e->type = p->token.type;
	e->number = p->token.number;
	e->real = p->token.real;
	return advance(p);
}

static struct error *parse_string(struct parser *p, struct expr *e)
{
	e->kind = EXPR_STRING;
	struct error *err = keep_text(e, p->token.value.data, p->token.value.len);
	return err ? err : advance(p);
}

static struct error *parse_name(struct parser *p, struct expr *e)
{
	if (at_word(p, "sizeof"))
		return parse_sizeof(p, e);
	if (at_type_word(p)) {
		e->kind = EXPR_TYPE;
		return parse_type(p, &e->cast);
	}
	return parse_word(p, e);
}

/* What stands by itself; *ret_inner instead of e: it was in parentheses. */
static struct error *parse_operand(struct parser *p, struct expr *e, struct expr **ret_inner)
{
	switch (p->token.kind) {
	case TOKEN_NUMBER:
	case TOKEN_FLOAT:
		return parse_constant(p, e);
	case TOKEN_STRING:
		return parse_string(p, e);
	case TOKEN_QUOTED:
		return parse_quoted(p, e);
	case TOKEN_DOLLAR:
		e->kind = EXPR_DOLLAR;
		return parse_word(p, e);
	case TOKEN_NAME:
		return parse_name(p, e);
	case TOKEN_SIGN:
		if (at_sign(p, "("))
			return parse_parentheses(p, e, ret_inner);
		return at_sign(p, "{") ? parse_memory(p, e) : parse_unary(p, e);
	case TOKEN_END:
		break;
	}
	return syntax_error(p);
}

/* Puts e into a new expression of that kind, which takes its place. NULL: out of memory. */
static struct expr *wrap(const struct parser *p, struct expr **e, enum expr_kind kind,
			 enum expr_op op)
{
	struct expr *outer = new_expr(p, kind);

	if (!outer)
		return NULL;
	outer->op = op;
	outer->kids[0] = *e;
	*e = outer;
	return outer;
}

static struct error *parse_member(struct parser *p, struct expr **e, enum expr_op op)
{
	struct expr *outer = wrap(p, e, EXPR_MEMBER, op);
	struct error *err = outer ? advance(p) : &error_nomem;

	if (!err && p->token.kind != TOKEN_NAME)
		err = syntax_error(p);
	return err ? err : parse_word(p, outer);
}

static struct error *parse_index(struct parser *p, struct expr **e)
{
	struct expr *outer = wrap(p, e, EXPR_INDEX, EXPR_NONE);
	struct error *err = outer ? advance(p) : &error_nomem;

	if (!err)
		err = parse_above(p, 0, &outer->kids[1]);
	return err ? err : expect(p, "]");
}

static struct error *parse_call(struct parser *p, struct expr **e)
{
	struct expr *outer = wrap(p, e, EXPR_CALL, EXPR_NONE);
	struct error *err = outer ? advance(p) : &error_nomem;

	if (!err && !at_sign(p, ")"))
		err = parse_above(p, 0, &outer->kids[1]);
	return err ? err : expect(p, ")");
}

static struct error *parse_later(struct parser *p, struct expr **e, enum expr_op op)
{
	return wrap(p, e, EXPR_UNARY, op) ? advance(p) : &error_nomem;
}

/* What stands behind an operand. */
static struct error *parse_behind(struct parser *p, struct expr **e)
{
	struct error *err = NULL;

	while (!err) {
		if (p->length++ == LENGTH_MAX)
			return error_new(ERROR_USAGE, "the expression is too long");
		if (at_sign(p, "["))
			err = parse_index(p, e);
		else if (at_sign(p, "("))
			err = parse_call(p, e);
		else if (at_sign(p, "."))
			err = parse_member(p, e, EXPR_NONE);
		else if (at_sign(p, "->"))
			err = parse_member(p, e, EXPR_DEREFERENCE);
		else if (at_sign(p, "++"))
			err = parse_later(p, e, EXPR_INCREMENT_LATER);
		else if (at_sign(p, "--"))
			err = parse_later(p, e, EXPR_DECREMENT_LATER);
		else
			return NULL;
	}
	return err;
}

static struct error *parse_binary(struct parser *p, size_t row, struct expr **left)
{
	struct expr *outer = wrap(p, left, binaries[row].kind, binaries[row].op);
	int power = binaries[row].power;
	struct error *err = outer ? advance(p) : &error_nomem;

	if (!err && outer->kind == EXPR_CHOOSE) {
		err = parse_above(p, POWER_COMMA, &outer->kids[1]);
		if (!err)
			err = expect(p, ":");
		return err ? err : parse_above(p, POWER_CHOOSE - 1, &outer->kids[2]);
	}
	/* Assignments group from the right. */
	return err ? err
		   : parse_above(p, outer->kind == EXPR_ASSIGN ? power - 1 : power,
				 &outer->kids[1]);
}

static int find_binary(const struct parser *p)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++) {
		if (at_sign(p, binaries[i].sign))
			return (int)i;
	}
	return -1;
}

/* An expression of what is bound tighter than "power". *ret may be set on failure, too. */
static struct error *parse_above(struct parser *p, int power, struct expr **ret)
{
	struct expr *inner = NULL, *e = new_expr(p, EXPR_NAME);

	if (!e)
		return &error_nomem;
	if (p->depth++ == DEPTH_MAX) {
		expr_free(e);
		return error_new(ERROR_USAGE, "the expression is nested too deeply");
	}
	struct error *err = parse_operand(p, e, &inner);
	if (inner) {
		expr_free(e);
		e = inner;
	}
	*ret = e;
	if (!err)
		err = parse_behind(p, ret);
	for (int row; !err && (row = find_binary(p)) >= 0 && binaries[row].power > power;)
		err = p->length++ == LENGTH_MAX
			      ? error_new(ERROR_USAGE, "the expression is too long")
			      : parse_binary(p, (size_t)row, ret);
	p->depth--;
	return err;
}

struct error *expr_parse(const char *text, const struct expr_options *options, struct expr **ret,
			 const char **ret_end)
{
	struct parser p = { .text = text, .options = options };
	AUTO_EXPR *e = NULL;

	struct error *err = token_read(text, &p.token);
	if (!err)
		err = parse_above(&p, options && options->one ? POWER_COMMA : 0, &e);
	bool at_comma = options && options->one && at_sign(&p, ",");
	if (!err && p.token.kind != TOKEN_END && !at_comma)
		err = syntax_error(&p);
	if (ret_end)
		*ret_end = p.token.start;
	token_fini(&p.token);
	if (!err)
		*ret = TAKE(e);
	return err;
}
