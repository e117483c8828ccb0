/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Parser: where in its text an expression is being read, and the types in it. expr.c reads the
 * rest.
 *
 * Types are abstract declarators of C (C11, 6.7.7), with what C++ adds: what stands behind "(*" ...
 * ")" is made first.
 */
#ifndef DEBUGGER_PARSER_H
#define DEBUGGER_PARSER_H

#include "debugger/values/expr_type.h"
#include "debugger/values/token.h"

struct parser {
	const char *text;
	const struct expr_options *options;
	/* Reads an expression, in what is a type: "decltype(x)". NULL: there is none in types. */
	struct error *(*expression)(struct parser *p, struct expr **ret);
	struct token token;   /* the one at hand */
	size_t depth, length; /* of nested expressions; operators in a row */
};

/* Takes the first token. USAGE. */
MUST_CHECK struct error *parser_begin(struct parser *p);
/* Goes on to the next token. */
MUST_CHECK struct error *parser_advance(struct parser *p);

/* Behind "." or "->": the name at hand goes on if it is one of a base: "Base<int>::x". */
MUST_CHECK struct error *parser_take_member(struct parser *p);

/* Whether that is at hand. */
bool parser_at_sign(const struct parser *p, const char *sign);
bool parser_at_word(const struct parser *p, const char *word);
/* A sign that is written as a word: "and". */
bool parser_at_operator_word(const struct parser *p);

/* USAGE: what is at hand makes no sense; whoever parses says where that is. */
MUST_CHECK struct error *parser_error(void);

/* Goes on behind that sign. USAGE: it is not at hand. */
MUST_CHECK struct error *parser_expect(struct parser *p, const char *sign);

/* Whether a type begins: with a word of C, or with one that options->is_type() knows, too. */
bool parser_at_type_word(const struct parser *p);
bool parser_at_type(const struct parser *p);

/* The text of a name at hand: with one blank where blanks are needed, else without. NULL: out of
 * memory. */
char *parser_name(const struct parser *p);

/* Reads one: "unsigned long **", "struct point[3]", "int (*(*)[2])(int, char)". */
MUST_CHECK struct error *parser_type(struct parser *p, struct expr_type *ret);
/* "(*" of a type, as in "int (*)[3]", is at hand: "int(*p)" is a value that is cast. */
bool parser_at_inner(const struct parser *p);
/* Its words alone: "unsigned long" of "unsigned long(x)". */
MUST_CHECK struct error *parser_type_words(struct parser *p, struct expr_type *ret);

#endif
