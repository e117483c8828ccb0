/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/token.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

void token_fini(struct token *t)
{
	buf_fini(&t->value);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* ---- numbers ---------------------------------------------------------------------------- */

struct suffix {
	unsigned int longs;
	bool is_unsigned;
};

/* "ul", "LLU": false: something else. */
static bool read_suffix(const char *text, size_t len, struct suffix *ret)
{
	*ret = (struct suffix){ 0 };
	for (size_t i = 0; i < len; i++) {
		char c = (char)tolower((unsigned char)text[i]);
		if (c == 'l' && ret->longs < 2)
			ret->longs++;
		else if (c == 'u' && !ret->is_unsigned)
			ret->is_unsigned = true;
		else
			return false;
	}
	return true;
}

/* C11, 6.4.4.1: the first type that holds it; decimal ones have a sign unless they say so. */
static const struct type *type_of_number(uint64_t n, bool decimal, struct suffix s)
{
	if (!s.longs && !s.is_unsigned && n <= INT_MAX)
		return &type_int;
	if (!s.longs && (s.is_unsigned || !decimal) && n <= UINT_MAX)
		return &type_unsigned_int;
	if (!s.is_unsigned && n <= LONG_MAX)
		return s.longs == 2 ? &type_long_long : &type_long;
	return s.longs == 2 ? &type_unsigned_long_long : &type_unsigned_long;
}

static struct error *bad_number(const struct token *t)
{
	return error_new(ERROR_USAGE, "invalid number \"%.*s\"", (int)(t->len < 80 ? t->len : 80),
			 t->start);
}

static struct error *read_float(struct token *ret)
{
	char *end;

	ret->kind = TOKEN_FLOAT;
	ret->real = strtold(ret->start, &end);
	ret->type = &type_double;
	size_t left = (size_t)(ret->start + ret->len - end);
	if (end > ret->start + ret->len || left > 1)
		return bad_number(ret);
	if (left == 1 && tolower((unsigned char)*end) == 'f')
		ret->type = &type_float;
	else if (left == 1 && tolower((unsigned char)*end) == 'l')
		ret->type = &type_long_double;
	else if (left == 1)
		return bad_number(ret);
	return NULL;
}

static struct error *read_integer(struct token *ret)
{
	const char *digits = ret->start;
	struct suffix suffix;
	int base = 10;
	char *end;

	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		base = 16;
	else if (digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B'))
		base = 2;
	else if (digits[0] == '0')
		base = 8;
	digits += base == 2 || base == 16 ? 2 : 0;
	ret->kind = TOKEN_NUMBER;
	errno = 0;
	ret->number = strtoull(digits, &end, base);
	if (errno)
		return error_new(ERROR_USAGE, "numeric constant too large: \"%.*s\"",
				 (int)(ret->len < 80 ? ret->len : 80), ret->start);
	if (end == digits || *digits == '-' || *digits == '+' || end > ret->start + ret->len ||
	    !read_suffix(end, (size_t)(ret->start + ret->len - end), &suffix))
		return bad_number(ret);
	ret->type = type_of_number(ret->number, base == 10, suffix);
	return NULL;
}

/* Digits, letters and dots; a sign behind an exponent. */
static struct error *read_number(struct token *ret)
{
	const char *p = ret->start;
	bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X'), is_float = false;

	for (; is_word(*p) || *p == '.' || *p == '+' || *p == '-'; p++) {
		char c = (char)tolower((unsigned char)*p), exponent = hex ? 'p' : 'e';
		bool sign = *p == '+' || *p == '-';
		if (sign && tolower((unsigned char)p[-1]) != exponent)
			break;
		is_float |= c == '.' || (c == exponent && p > ret->start);
	}
	ret->len = (size_t)(p - ret->start);
	return is_float ? read_float(ret) : read_integer(ret);
}

/* ---- text ------------------------------------------------------------------------------- */

uint32_t token_unescape(const char **at)
{
	static const char letters[] = "abefnrtv", codes[] = "\a\b\033\f\n\r\t\v";
	const char *p = *at;
	uint32_t value = 0;

	if (*p != '\\') {
		*at = p + 1;
		return (unsigned char)*p;
	}
	p++;
	const char *letter = *p ? strchr(letters, *p) : NULL;
	if (*p >= '0' && *p <= '7') {
		for (int i = 0; i < 3 && *p >= '0' && *p <= '7'; i++)
			value = value * 8 + (uint32_t)(*p++ - '0');
	} else if (*p == 'x' && isxdigit((unsigned char)p[1])) {
		char *end;
		value = (uint32_t)strtoul(p + 1, &end, 16);
		p = end;
	} else {
		value = (unsigned char)(letter ? codes[letter - letters] : *p);
		p += *p != '\0';
	}
	*at = p;
	return value;
}

static struct error *read_quoted(struct token *ret)
{
	char quote = *ret->start;
	const char *p = ret->start + 1;
	uint32_t last = 0;
	size_t n = 0;

	for (; *p && *p != quote; n++) {
		last = token_unescape(&p);
		buf_addc(&ret->value, (char)last);
	}
	if (*p != quote)
		return error_new(ERROR_USAGE, quote == '"' ? "unterminated string in expression"
							   : "unmatched single quote");
	ret->len = (size_t)(p + 1 - ret->start);
	ret->kind = quote == '"' ? TOKEN_STRING : TOKEN_QUOTED;
	if (quote == '"')
		return NULL;
	if (n == 0)
		return error_new(ERROR_USAGE, "empty character constant");
	if (n == 1) {
		ret->kind = TOKEN_NUMBER;
		ret->type = &type_char;
		ret->number = (uint64_t)(int64_t)(signed char)last;
	}
	return NULL;
}

/* ---- names and signs -------------------------------------------------------------------- */

/* "ns::x", "::x", "Class::~Class": one token. */
static void read_name(struct token *ret)
{
	const char *p = ret->start;

	ret->kind = TOKEN_NAME;
	for (;;) {
		if (p[0] == ':' && p[1] == ':' && (is_word(p[2]) || (p[2] == '~' && is_word(p[3]))))
			p += p[2] == '~' ? 3 : 2;
		else if (is_word(*p))
			p++;
		else
			break;
	}
	ret->len = (size_t)(p - ret->start);
}

static void read_dollar(struct token *ret)
{
	const char *p = ret->start + 1;

	ret->kind = TOKEN_DOLLAR;
	p += *p == '$';
	while (is_word(*p))
		p++;
	ret->len = (size_t)(p - ret->start);
}

/* Longer ones stand before their beginnings. */
static const char *const signs[] = {
	"<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
	"||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "+",  "-",
	"*",   "/",   "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "=",  "?",
	":",   ",",   "(",  ")",  "[",  "]",  "{",  "}",  ".",  "@",
};

struct error *token_read(const char *at, struct token *ret)
{
	at += strspn(at, " \t\n\r");
	*ret = (struct token){ .start = at };
	if (!*at)
		return NULL;
	if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
		return read_number(ret);
	if (*at == '\'' || *at == '"')
		return read_quoted(ret);
	if (*at == '$') {
		read_dollar(ret);
		return NULL;
	}
	if (is_word(*at) || (at[0] == ':' && at[1] == ':' && is_word(at[2]))) {
		read_name(ret);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (strncmp(at, signs[i], strlen(signs[i])))
			continue;
		ret->kind = TOKEN_SIGN;
		ret->len = strlen(signs[i]);
		return NULL;
	}
	return error_new(ERROR_USAGE, "invalid character '%c' in expression",
			 isprint((unsigned char)*at) ? *at : '?');
}
