/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/function_name.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* A blank means something between two words, and behind operator<. */
static char *without_blanks(const char *text)
{
	char *copy = malloc(strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	for (const char *p = text; *p; p++) {
		if (!isspace((unsigned char)*p)) {
			*to++ = *p;
			continue;
		}
		while (isspace((unsigned char)p[1]))
			p++;
		if (to > copy &&
		    ((is_word(to[-1]) && is_word(p[1])) || (to[-1] == '<' && p[1] == '<')))
			*to++ = ' ';
	}
	*to = 0;
	return copy;
}

size_t function_name_operator(const char *start, const char *p)
{
	static const char *const signs[] = {
		"()", "[]", "->*", "->", "<=>", "<<=", ">>=", "<<", ">>", "<=", ">=", "<",  ">",
		"==", "!=", "&&",  "||", "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "^=", "&=",
		"|=", ",",  "+",   "-",  "*",   "/",   "%",   "^",  "&",  "|",  "~",  "!",  "=",
	};
	size_t len = strlen("operator");

	if (strncmp(p, "operator", len) != 0 || (p > start && is_word(p[-1])))
		return 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (!strncmp(p + len, signs[i], strlen(signs[i])))
			return len + strlen(signs[i]);
	}
	if (p[len] == '"')
		return len + strcspn(p + len, "(<");
	if (p[len] != ' ')
		return 0;
	return len + strcspn(p + len, "("); /* new, delete, or a type that it makes */
}

/* The end of what a bracket opens. */
static const char *closing(const char *p)
{
	static const char open[] = "(<[{", close[] = ")>]}";
	size_t depth = 0;

	for (; *p; p++) {
		if (strchr(open, *p))
			depth++;
		else if (strchr(close, *p) && !(*p == '>' && p[-1] == '-') && --depth == 0)
			return p + 1;
	}
	return p;
}

/* These brackets are no parameters but a scope: f()::g, (anonymous namespace)::g. */
static bool is_scope(const char *p)
{
	const char *end = closing(p);

	if (!strncmp(end, "const", 5))
		end += 5;
	return !strncmp(end, "::", 2) || !strncmp(end, "[abi:", 5);
}

/* The length of a part, and of it what is before template arguments. */
static struct name_part read_part(const char *start, const char *p, bool *ret_blank)
{
	struct name_part part = { .text = p };
	const char *end = p;

	*ret_blank = false;
	while (*end && strncmp(end, "::", 2) != 0) {
		size_t sign = function_name_operator(start, end);
		if (*end == ' ' && end[1] == '<') {
			part.base = (size_t)(end - p);
			end = closing(end + 1);
			continue;
		}
		if (*end == ' ') {
			*ret_blank = true;
			break;
		}
		if (*end == '(' && !is_scope(end))
			break;
		if (*end == '<' && !part.base && end > p)
			part.base = (size_t)(end - p);
		if (sign)
			end += sign;
		else
			end = strchr("<([{", *end) ? closing(end) : end + 1;
	}
	part.len = (size_t)(end - p);
	part.base = part.base ? part.base : part.len;
	return part;
}

static bool split(struct function_name *n)
{
	static const char type_of[] = "decltype(";
	const char *p = n->text;

	if (!strncmp(p, type_of, strlen(type_of))) /* the type of the result */
		p = closing(p + strlen(type_of) - 1);

	while (*p && *p != '(' ? true : *p == '(' && is_scope(p)) {
		bool blank;
		struct name_part part = read_part(n->text, p, &blank);
		p += part.len;
		if (blank) { /* what was before it is the type of the result */
			n->nparts = 0;
			p++;
			continue;
		}
		if (!part.len || n->nparts == FUNCTION_NAME_PARTS_MAX)
			return false;
		n->parts[n->nparts++] = part;
		if (strncmp(p, "::", 2) != 0)
			break;
		p += 2;
		if (!*p)
			return false;
	}
	n->suffix = p;
	if (*p == '(') {
		n->parameters = p;
		n->suffix = closing(p);
		n->parameters_len = (size_t)(n->suffix - p);
	}
	return n->nparts;
}

bool function_name_parse(const char *text, struct function_name *ret)
{
	const char *from = text[0] == ':' && text[1] == ':' ? text + 2 : text;
	struct function_name n = { .text = without_blanks(from) };

	if (!n.text || !split(&n)) {
		free(n.text);
		return false;
	}
	*ret = n;
	return true;
}

const char *function_name_without_result(const char *shown, size_t *ret_len)
{
	struct function_name n = { .text = (char *)shown };

	if (!split(&n))
		return NULL;
	const struct name_part *last = function_name_last(&n);
	*ret_len = (size_t)(last->text + last->len - n.parts[0].text);
	return n.parts[0].text;
}

void function_name_fini(struct function_name *n)
{
	free(n->text);
	*n = (struct function_name){ 0 };
}

static bool same(const char *a, size_t a_len, const char *b, size_t b_len, bool any_case)
{
	return a_len == b_len && !(any_case ? strncasecmp(a, b, a_len) : memcmp(a, b, a_len));
}

/* Without the tags of the C++ library: "name[abi:cxx11]". */
static size_t untagged(const struct name_part *p, size_t len)
{
	const char *tag = memmem(p->text, len, "[abi:", 5);

	return tag ? (size_t)(tag - p->text) : len;
}

static bool part_matches(const struct name_part *asked, const struct name_part *part, bool any_case)
{
	size_t len = asked->len == asked->base ? part->base : part->len;

	return same(asked->text, asked->len, part->text, len, any_case) ||
	       same(asked->text, asked->len, part->text, untagged(part, len), any_case);
}

static bool parameters_match(const struct function_name *asked, const struct function_name *name)
{
	static const char none[] = "()", nothing[] = "(void)";
	const char *text = asked->parameters;
	size_t len = asked->parameters_len;

	if (!text)
		return true;
	if (same(text, len, nothing, strlen(nothing), false)) {
		text = none;
		len = strlen(none);
	}
	return name->parameters && same(text, len, name->parameters, name->parameters_len, false) &&
	       (!*asked->suffix || !strcmp(asked->suffix, name->suffix));
}

static bool is_unnamed(const struct name_part *p)
{
	static const char name[] = "(anonymous namespace)";

	return p->len == strlen(name) && !memcmp(p->text, name, p->len);
}

bool function_name_matches(const struct function_name *asked, const struct function_name *name,
			   bool any_case)
{
	size_t i = asked->nparts, j = name->nparts;

	while (i > 0 && j > 0) {
		if (part_matches(&asked->parts[i - 1], &name->parts[j - 1], any_case))
			i--;
		else if (i == asked->nparts || !is_unnamed(&name->parts[j - 1]))
			return false;
		j--;
	}
	return i == 0 && parameters_match(asked, name);
}

const struct name_part *function_name_last(const struct function_name *n)
{
	return &n->parts[n->nparts - 1];
}

/* Itanium ABI, 5.1.9: names that have abbreviations. */
static bool is_abbreviated(const char *text, size_t len)
{
	static const char *const names[] = { "allocator", "basic_string", "basic_istream",
					     "basic_ostream", "basic_iostream" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (same(text, len, names[i], strlen(names[i]), false))
			return true;
	}
	return false;
}

/* Itanium ABI, 5.1.5: identifiers have their length before them; operators are letters. */
bool function_name_may_be_mangled(const struct function_name *asked, const char *mangled)
{
	const struct name_part *last = function_name_last(asked);
	char identifier[256];
	const char *text = last->text + (last->text[0] == '~');
	size_t len = last->base - (last->text[0] == '~');

	if (!strncmp(text, "operator", strlen("operator")) || !len || !is_word(text[0]) ||
	    is_abbreviated(text, len) || len > sizeof(identifier) / 2)
		return true;
	snprintf(identifier, sizeof(identifier), "%zu%.*s", len, (int)len, text);
	return strstr(mangled, identifier);
}
