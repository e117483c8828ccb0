/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/parser.h"

#include <string.h>

enum { STARS_MAX = 8 };

struct error *parser_advance(struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	token_fini(&p->token);
	return token_read(behind, &p->token);
}

bool parser_at_sign(const struct parser *p, const char *sign)
{
	return p->token.kind == TOKEN_SIGN && p->token.len == strlen(sign) &&
	       !strncmp(p->token.start, sign, p->token.len);
}

bool parser_at_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_NAME && p->token.len == strlen(word) &&
	       !strncmp(p->token.start, word, p->token.len);
}

struct error *parser_error(const struct parser *p)
{
	return error_new(ERROR_USAGE, "a syntax error in expression, near `%.*s'",
			 (int)strnlen(p->token.start, 60), p->token.start);
}

struct error *parser_expect(struct parser *p, const char *sign)
{
	return parser_at_sign(p, sign) ? parser_advance(p) : parser_error(p);
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
	return parser_at_word(p, "const") || parser_at_word(p, "volatile") ||
	       parser_at_word(p, "restrict");
}

bool parser_at_type_word(const struct parser *p)
{
	for (size_t i = 0; i < sizeof(type_words) / sizeof(*type_words); i++) {
		if (parser_at_word(p, type_words[i]))
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

bool parser_at_type(const struct parser *p)
{
	return parser_at_type_word(p) || is_named_type(p, &p->token);
}

/* The words of its name: those of C, or one other, or a tag and one other. */
static struct error *parse_type_words(struct parser *p, struct buf *name)
{
	bool tagged = false, any = false, named = false;

	while (p->token.kind == TOKEN_NAME) {
		bool qualifier = is_qualifier(p);
		if (!qualifier && !tagged && !parser_at_type_word(p) && (any || named))
			break;
		if (!qualifier && named)
			break;
		if (!qualifier) {
			buf_adds(name, name->len ? " " : "");
			buf_add(name, p->token.start, p->token.len);
			named = tagged || !parser_at_type_word(p);
			any = true;
			tagged = !tagged && is_tag(p->token.start, p->token.len);
		}
		struct error *err = parser_advance(p);
		if (err)
			return err;
	}
	return any && !tagged ? NULL : parser_error(p);
}

static struct error *parse_stars(struct parser *p, struct expr_type *ret)
{
	struct error *err = NULL;

	while (!err && (parser_at_sign(p, "*") || is_qualifier(p))) {
		ret->pointers += parser_at_sign(p, "*");
		if (ret->pointers > STARS_MAX)
			return error_new(ERROR_USAGE, "too many `*' in a type");
		err = parser_advance(p);
	}
	return err;
}

/* "(*)(int, char)": of the parameters nothing is kept. */
static struct error *parse_function(struct parser *p, struct expr_type *ret)
{
	struct error *err = parser_advance(p);

	if (!err)
		err = parse_stars(p, ret);
	if (!err)
		err = parser_expect(p, ")");
	if (!err)
		err = parser_expect(p, "(");
	while (!err && !parser_at_sign(p, ")")) {
		if (p->token.kind != TOKEN_NAME && !parser_at_sign(p, ",") &&
		    !parser_at_sign(p, "*"))
			return parser_error(p);
		err = parser_advance(p);
	}
	ret->function = true;
	return err ? err : parser_advance(p);
}

static bool at_function(const struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	return parser_at_sign(p, "(") && behind[strspn(behind, " ")] == '*';
}

struct error *parser_type(struct parser *p, struct expr_type *ret)
{
	AUTO_BUF name = { 0 };
	struct error *err = parse_type_words(p, &name);

	if (!err)
		err = parse_stars(p, ret);
	if (!err && !ret->pointers && at_function(p))
		err = parse_function(p, ret);
	if (!err && parser_at_sign(p, "[")) {
		err = parser_advance(p);
		if (!err && p->token.kind != TOKEN_NUMBER)
			err = parser_error(p);
		ret->count = p->token.number;
		if (!err)
			err = parser_advance(p);
		if (!err)
			err = parser_expect(p, "]");
	}
	if (err)
		return err;
	free(ret->name);
	ret->name = strdup(buf_text(&name));
	return ret->name ? NULL : &error_nomem;
}
