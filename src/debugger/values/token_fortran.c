/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/token_fortran.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/* ---- types ------------------------------------------------------------------------------- */

#define BASIC(its_kind, its_name, its_size, ...)                                                   \
	{                                                                                          \
		.kind = (its_kind), .name = (its_name), .size = (its_size), .is_fortran = true,    \
		__VA_ARGS__                                                                        \
	}
static const struct type basics[] = {
	BASIC(TYPE_INT, "integer(kind=1)", 1, .is_signed = true),
	BASIC(TYPE_INT, "integer(kind=2)", 2, .is_signed = true),
	BASIC(TYPE_INT, "integer(kind=4)", 4, .is_signed = true),
	BASIC(TYPE_INT, "integer(kind=8)", 8, .is_signed = true),
	BASIC(TYPE_INT, "integer(kind=16)", 16, .is_signed = true),
	BASIC(TYPE_FLOAT, "real(kind=4)", 4, .is_signed = true),
	BASIC(TYPE_FLOAT, "real(kind=8)", 8, .is_signed = true),
	BASIC(TYPE_FLOAT, "real(kind=16)", 16, .is_signed = true, .is_quad = true),
	BASIC(TYPE_FLOAT, "real(kind=10)", 16, .is_signed = true),
	BASIC(TYPE_BOOL, "logical(kind=1)", 1),
	BASIC(TYPE_BOOL, "logical(kind=2)", 2),
	BASIC(TYPE_BOOL, "logical(kind=4)", 4),
	BASIC(TYPE_BOOL, "logical(kind=8)", 8),
};
static const struct type complexes[] = {
	BASIC(TYPE_COMPLEX, "complex(kind=4)", 8, .target = &basics[5]),
	BASIC(TYPE_COMPLEX, "complex(kind=8)", 16, .target = &basics[6]),
	BASIC(TYPE_COMPLEX, "complex(kind=16)", 32, .target = &basics[7]),
};

const struct type *token_fortran_like(const struct type *t)
{
	bool x87 = t->kind == TYPE_FLOAT && t->size == 16 && !t->is_quad;

	return token_fortran_type(t->kind, x87 ? 10 : t->size);
}

const struct type *token_fortran_type(enum type_kind kind, uint64_t size)
{
	if (kind == TYPE_FLOAT && size == 10)
		return &basics[8];
	for (size_t i = 0; i < sizeof(basics) / sizeof(*basics); i++) {
		if (basics[i].kind == kind && basics[i].size == size)
			return &basics[i];
	}
	for (size_t i = 0; i < sizeof(complexes) / sizeof(*complexes); i++) {
		if (complexes[i].kind == kind && complexes[i].size == size)
			return &complexes[i];
	}
	return NULL;
}

/* ---- operators --------------------------------------------------------------------------- */

/* Longer ones stand before their beginnings. */
static const char *const signs[] = {
	".eqv.", ".neqv.", ".xor.", ".and.", ".or.", ".not.",  ".eq.",    ".ne.", ".lt.",
	".le.",  ".gt.",   ".ge.",  "**",    "//",   "/=",     "==",      "<=",   ">=",
	"+",     "-",      "*",     "/",     "<",    ">",      "=",       "%",    "(",
	")",     ",",      ":",     "@",     "&",    ".true.", ".false.",
};

static size_t sign_length(const char *at)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (!strncasecmp(at, signs[i], strlen(signs[i])))
			return strlen(signs[i]);
	}
	return 0;
}

/* ---- numbers ----------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct error *bad_number(const struct token *t)
{
	return error_new(ERROR_USAGE, "invalid number \"%.*s\"", (int)(t->len < 80 ? t->len : 80),
			 t->start);
}

/* "_8" behind a number, or "_dp": a constant that the program names. */
static struct error *take_kind(struct token *ret, const char *p, enum type_kind kind)
{
	if (*p == '_' && isalpha((unsigned char)p[1])) {
		ret->type = token_fortran_type(kind, kind == TYPE_FLOAT ? 16 : 8);
		for (p++; is_word(*p); p++)
			buf_addc(&ret->value, *p);
	} else if (*p == '_') {
		char *end;
		unsigned long size = strtoul(p + 1, &end, 10);
		ret->type = end > p + 1 ? token_fortran_type(kind, size) : NULL;
		p = end;
	}
	while (is_word(*p)) {
		ret->type = NULL;
		p++;
	}
	ret->len = (size_t)(p - ret->start);
	return ret->type ? NULL : bad_number(ret);
}

static struct error *take_real(struct token *ret, const char *p)
{
	char text[128];
	size_t n = 0;

	ret->kind = TOKEN_FLOAT;
	ret->type = token_fortran_type(TYPE_FLOAT, 4);
	for (; isdigit((unsigned char)*p) || *p == '.'; p++) {
		if (n < sizeof(text) / 2)
			text[n++] = *p;
	}
	char letter = (char)tolower((unsigned char)*p);
	const char *digits = p + 1 + (p[0] && (p[1] == '+' || p[1] == '-'));
	if (letter && strchr("edq", letter) && isdigit((unsigned char)*digits)) {
		text[n++] = 'e';
		for (p++; p < digits || isdigit((unsigned char)*p); p++) {
			if (n + 1 < sizeof(text))
				text[n++] = *p;
		}
		ret->type = token_fortran_type(TYPE_FLOAT, letter == 'e'   ? 4
							   : letter == 'd' ? 8
									   : 16);
	}
	text[n] = '\0';
	ret->real = strtold(text, NULL);
	return take_kind(ret, p, TYPE_FLOAT);
}

/* A dot behind digits is theirs, unless an operator begins: "1.eq.2". */
static struct error *read_number(struct token *ret)
{
	const char *p = ret->start;
	bool hex = p[0] == '0' && tolower((unsigned char)p[1]) == 'x';
	char *end;

	while (isdigit((unsigned char)*p))
		p++;
	char letter = (char)tolower((unsigned char)*p);
	bool exponent = letter && strchr("edq", letter) &&
			(isdigit((unsigned char)p[1]) ||
			 ((p[1] == '+' || p[1] == '-') && isdigit((unsigned char)p[2])));
	if (!hex && (exponent || (*p == '.' && !sign_length(p))))
		return take_real(ret, ret->start);
	ret->kind = TOKEN_NUMBER;
	errno = 0;
	ret->number = strtoull(ret->start, &end, hex ? 16 : 10);
	if (errno)
		return error_new(ERROR_USAGE, "numeric constant too large: \"%.*s\"", 40,
				 ret->start);
	ret->type = token_fortran_type(TYPE_INT, ret->number <= INT_MAX ? 4 : 8);
	return take_kind(ret, end, TYPE_INT);
}

/* b'101', o'17', z'ff', as gfortran x'ff', too: 0 if it is none. */
static int boz_base(const char *at)
{
	static const struct {
		char letter;
		int base;
	} letters[] = { { 'b', 2 }, { 'o', 8 }, { 'z', 16 }, { 'x', 16 } };

	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++) {
		if (tolower((unsigned char)*at) == letters[i].letter &&
		    (at[1] == '\'' || at[1] == '"'))
			return letters[i].base;
	}
	return 0;
}

static struct error *read_boz(struct token *ret, int base)
{
	const char *digits = ret->start + 2, *close = strchr(digits, ret->start[1]);
	size_t n = strspn(digits, "0123456789abcdefABCDEF");
	char *end;

	if (!close)
		return error_new(ERROR_USAGE, "unterminated string in expression");
	ret->kind = TOKEN_NUMBER;
	ret->len = (size_t)(close + 1 - ret->start);
	errno = 0;
	ret->number = strtoull(digits, &end, base);
	if (!n || digits + n != close || end != close)
		return bad_number(ret);
	if (errno)
		return error_new(ERROR_USAGE, "numeric constant too large: \"%.40s\"", ret->start);
	ret->type = token_fortran_type(TYPE_INT, ret->number <= INT_MAX ? 4 : 8);
	return NULL;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* The quote itself stands there twice. */
static struct error *read_text(struct token *ret)
{
	const char *p = ret->start + 1;

	ret->kind = TOKEN_STRING;
	ret->type = &type_char;
	for (; *p && (*p != '\'' || p[1] == '\''); p++) {
		buf_addc(&ret->value, *p);
		p += *p == '\'';
	}
	if (!*p)
		return error_new(ERROR_USAGE, "unterminated string in expression");
	ret->len = (size_t)(p + 1 - ret->start);
	return NULL;
}

/* "module::x" is one. */
static void read_name(struct token *ret)
{
	const char *p = ret->start + 1;

	ret->kind = TOKEN_NAME;
	while (is_word(*p) || (p[0] == ':' && p[1] == ':' && isalpha((unsigned char)p[2])))
		p += *p == ':' ? 2 : 1;
	ret->len = (size_t)(p - ret->start);
}

struct error *token_fortran_read(const char *at, struct token *ret)
{
	at += strspn(at, " \t\n\r");
	/* As in C are texts in double quotes, too: formats of printf have escapes. */
	if (*at == '$' || *at == '"' || !*at)
		return token_read(at, ret);
	*ret = (struct token){ .start = at };
	if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
		return read_number(ret);
	if (*at == '\'')
		return read_text(ret);
	int base = boz_base(at);
	if (base)
		return read_boz(ret, base);
	if (isalpha((unsigned char)*at) || *at == '_') {
		read_name(ret);
		return NULL;
	}
	ret->kind = TOKEN_SIGN;
	ret->len = sign_length(at);
	if (ret->len)
		return NULL;
	if (*at == '.')
		return error_new(ERROR_USAGE, "a syntax error in expression");
	return error_new(ERROR_USAGE, "invalid character '%c' in expression",
			 isprint((unsigned char)*at) ? *at : '?');
}
