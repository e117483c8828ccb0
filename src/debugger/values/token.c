/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/token.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#define CHARACTER(its_name, its_size, its_sign)                                                    \
	{                                                                                          \
		.kind = TYPE_CHAR, .name = (its_name), .size = (its_size), .is_signed = (its_sign) \
	}
const struct type token_wchar = CHARACTER("wchar_t", 4, true);
const struct type token_char8 = CHARACTER("char8_t", 1, false);
const struct type token_char16 = CHARACTER("char16_t", 2, false);
const struct type token_char32 = CHARACTER("char32_t", 4, false);
const struct type token_float16 = {
	.kind = TYPE_FLOAT, .name = "_Float16", .size = 2, .is_signed = true
};
const struct type token_float128 = {
	.kind = TYPE_FLOAT, .name = "__float128", .size = 16, .is_signed = true, .is_quad = true
};

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

#ifdef __clang__
__float128 strtof128(const char *text, char **end); /* the C library has it for gcc alone */
#endif

/* Each is read as what it is: read as something wider first it would be rounded twice. */
static __float128 real_of(const struct type *type, const char *digits, char **ret_end)
{
	if (type == &type_float || type == &token_float16)
		return strtof(digits, ret_end);
	if (type == &type_long_double)
		return strtold(digits, ret_end);
	return type == &token_float128 ? strtof128(digits, ret_end) : strtod(digits, ret_end);
}

/* GNU's suffix of imaginary numbers, among or instead of others: taken away. */
static bool take_imaginary(char *digits, size_t *len)
{
	char *at = strpbrk(digits, "iIjJ");

	if (!at || (at[1] && strpbrk(at + 1, "iIjJ")))
		return false;
	memmove(at, at + 1, strlen(at));
	--*len;
	return true;
}

static struct error *read_float(struct token *ret, const char *digits, size_t len)
{
	static const struct {
		const char *suffix;
		const struct type *type;
	} types[] = {
		{ "", &type_double },     { "f", &type_float },        { "l", &type_long_double },
		{ "q", &token_float128 }, { "f16", &token_float16 },   { "f32", &type_float },
		{ "f64", &type_double },  { "f128", &token_float128 },
	};
	char *end;

	ret->kind = TOKEN_FLOAT;
	strtold(digits, &end);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (end > digits + len || strcasecmp(end, types[i].suffix))
			continue;
		ret->type = types[i].type;
		ret->real = real_of(ret->type, digits, &end);
		return NULL;
	}
	return bad_number(ret);
}

/* gdb has "0t" and "0d" for decimal ones. */
static int read_base(const char **digits)
{
	static const struct {
		char letter;
		int base;
	} bases[] = { { 'x', 16 }, { 'b', 2 }, { 't', 10 }, { 'd', 10 } };

	if ((*digits)[0] != '0')
		return 10;
	for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++) {
		if (tolower((unsigned char)(*digits)[1]) == bases[i].letter) {
			*digits += 2;
			return bases[i].base;
		}
	}
	return 8;
}

static struct error *read_integer(struct token *ret, const char *digits, size_t len)
{
	const char *behind = digits + len;
	struct suffix suffix;
	int base = read_base(&digits);
	char *end;

	ret->kind = TOKEN_NUMBER;
	errno = 0;
	ret->number = strtoull(digits, &end, base);
	if (errno)
		return error_new(ERROR_USAGE, "numeric constant too large: \"%.*s\"",
				 (int)(ret->len < 80 ? ret->len : 80), ret->start);
	if (end == digits || *digits == '-' || *digits == '+' || end > behind ||
	    !read_suffix(end, (size_t)(behind - end), &suffix))
		return bad_number(ret);
	ret->type = type_of_number(ret->number, base == 10, suffix);
	return NULL;
}

/* Whether what is at p is still of the number that begins at start. "2..5" are two numbers. */
static bool is_of_number(const char *start, const char *p, char exponent)
{
	if (*p == '+' || *p == '-')
		return p > start && tolower((unsigned char)p[-1]) == exponent;
	if (*p == '\'')
		return p > start && isxdigit((unsigned char)p[-1]) && isxdigit((unsigned char)p[1]);
	return is_word(*p) || (*p == '.' && p[1] != '.' && (p == start || p[-1] != '.'));
}

/* Digits, letters and dots; a sign behind an exponent; quotes between digits. */
static struct error *read_number(struct token *ret)
{
	const char *p = ret->start;
	bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X'), is_float = false;
	char exponent = hex ? 'p' : 'e';
	AUTO_BUF digits = { 0 };

	for (; is_of_number(ret->start, p, exponent); p++) {
		char c = (char)tolower((unsigned char)*p);
		is_float |= c == '.' || (c == exponent && p > ret->start);
		if (c != '\'')
			buf_addc(&digits, *p);
	}
	ret->len = (size_t)(p - ret->start);
	if (!buf_ok(&digits))
		return &error_nomem;
	bool imaginary = !hex && take_imaginary(digits.data, &digits.len);
	const char *text = buf_text(&digits);
	if (!is_float && !imaginary)
		return read_integer(ret, text, digits.len);
	struct error *err = read_float(ret, text, digits.len);
	if (imaginary)
		ret->kind = TOKEN_IMAGINARY;
	return err;
}

/* ---- text ------------------------------------------------------------------------------- */

/* 16: it is no digit. */
static uint32_t digit_of(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at ? (uint32_t)(at - digits) : 16;
}

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
	} else if ((*p == 'u' || *p == 'U') && isxdigit((unsigned char)p[1])) {
		for (size_t i = 0, most = *p++ == 'u' ? 4 : 8; i < most && digit_of(*p) < 16; i++)
			value = value * 16 + digit_of(*p++);
	} else {
		value = (unsigned char)(letter ? codes[letter - letters] : *p);
		p += *p != '\0';
	}
	*at = p;
	return value;
}

/* What stands in front of a quote says how wide its characters are. */
static const struct {
	const char *prefix;
	const struct type *type;
} quotes[] = {
	{ "u8", &token_char8 },
	{ "L", &token_wchar },
	{ "u", &token_char16 },
	{ "U", &token_char32 },
};

/* How many characters the prefix has, 0: none. *ret: of which type those of the text are. */
static size_t quote_prefix(const char *at, const struct type **ret)
{
	*ret = &type_char;
	for (size_t i = 0; i < sizeof(quotes) / sizeof(*quotes); i++) {
		size_t len = strlen(quotes[i].prefix);
		if (!strncmp(at, quotes[i].prefix, len) && (at[len] == '"' || at[len] == '\'')) {
			*ret = quotes[i].type;
			return len;
		}
	}
	return 0;
}

/* One character of UTF-8, where those of the text are wider than bytes; else one byte. */
static uint32_t read_char(const char **at, const struct type *type)
{
	unsigned char c = (unsigned char)**at;
	size_t more = type->size == 1 || c < 0xc0 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;

	if (!more)
		return token_unescape(at);
	uint32_t n = c & (0x3fu >> more);
	for (++*at; more && ((unsigned char)**at & 0xc0) == 0x80; more--)
		n = n << 6 | ((unsigned char)*(*at)++ & 0x3f);
	return n;
}

static void add_char(struct buf *out, const struct type *type, uint32_t c)
{
	const uint32_t pair = c - 0x10000;
	const uint16_t high = (uint16_t)(0xd800 + (pair >> 10)), low = 0xdc00 + (pair & 0x3ff);

	if (type->size == 2 && c >= 0x10000) {
		buf_add(out, &high, 2);
		buf_add(out, &low, 2);
		return;
	}
	buf_add(out, &c, type->size);
}

static struct error *read_quoted(struct token *ret)
{
	const char *p = ret->start + quote_prefix(ret->start, &ret->type);
	char quote = *p++;
	uint32_t last = 0;
	size_t n = 0;

	for (; *p && *p != quote; n++) {
		last = read_char(&p, ret->type);
		add_char(&ret->value, ret->type, last);
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
		ret->number = ret->type == &type_char ? (uint64_t)(int64_t)(signed char)last : last;
	}
	return NULL;
}

/* ---- names and signs -------------------------------------------------------------------- */

static const char anonymous[] = "(anonymous namespace)";

static bool is_anonymous(const char *p)
{
	return !strncmp(p, anonymous, sizeof(anonymous) - 1);
}

/* "ns::x", "::x", "Class::~Class", "(anonymous namespace)::x": one token. */
static void read_name(struct token *ret)
{
	const char *p = ret->start;

	ret->kind = TOKEN_NAME;
	for (;;) {
		if (p[0] == ':' && p[1] == ':' && (is_word(p[2]) || (p[2] == '~' && is_word(p[3]))))
			p += p[2] == '~' ? 3 : 2;
		else if (p[0] == ':' && p[1] == ':' && is_anonymous(p + 2))
			p += 2;
		else if (is_anonymous(p))
			p += sizeof(anonymous) - 1;
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
	"<<=", ">>=", "->*", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
	"&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "::", "..", ".*",
	"+",   "-",   "*",   "/",   "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "=",
	"?",   ":",   ",",   "(",   ")",  "[",  "]",  "{",  "}",  ".",  "@",
};

struct error *token_read(const char *at, struct token *ret)
{
	const struct type *type;

	at += strspn(at, " \t\n\r");
	*ret = (struct token){ .start = at };
	if (!*at)
		return NULL;
	if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
		return read_number(ret);
	if (*at == '\'' || *at == '"' || quote_prefix(at, &type))
		return read_quoted(ret);
	if (*at == '$') {
		read_dollar(ret);
		return NULL;
	}
	if (is_word(*at) || is_anonymous(at) ||
	    (at[0] == ':' && at[1] == ':' && (is_word(at[2]) || is_anonymous(at + 2)))) {
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
