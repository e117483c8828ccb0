/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/deciding_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

enum { DEPTH_MAX = 8 };

struct reader {
	struct deciding_words *ret;
	bool fortran, failed;
};

void deciding_words_fini(struct deciding_words *l)
{
	vec_fini_all(l);
}

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *behind_name(const char *p, const char *end)
{
	while (p < end && is_in_name(*p))
		p++;
	return p;
}

static const char *skip(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

static const char *behind_quotes(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote)
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p < end ? p + 1 : end;
}

/* Behind the bracket that ends what begins with one; NULL: nothing does. */
static const char *behind_brackets(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		if (!depth)
			return p + 1;
	}
	return NULL;
}

static void add(struct reader *r, const char *at, const char *end)
{
	size_t len = (size_t)(end - at);

	vec_for_each (word, r->ret) {
		if (strlen(*word) == len && !memcmp(*word, at, len))
			return;
	}
	if (r->ret->len >= DECIDING_WORDS_MAX)
		return;
	char *word = strndup(at, len);
	if (word && vec_push(r->ret, word))
		return;
	free(word);
	r->failed = true;
}

static void read_text(struct reader *r, const char *p, const char *end, bool counts, int depth);

/* A subscript can be asked for if nothing is called or changed in it. */
static bool is_harmless(const struct reader *r, const char *p, const char *end)
{
	for (; p < end; p++) {
		if ((*p == '(' && !r->fortran) || *p == '=' || *p == '"' ||
		    ((*p == '+' || *p == '-') && p + 1 < end && p[1] == *p))
			return false;
	}
	return true;
}

/* "->n", ".n", "::n", "%n": behind it; NULL: it is none, or a function of a class. */
static const char *behind_member(const struct reader *r, const char *p, const char *end)
{
	static const char *const operators[] = { "->", "::", ".", "%" };

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		size_t len = strlen(operators[i]);
		if (r->fortran != (*operators[i] == '%') || (size_t)(end - p) < len ||
		    memcmp(p, operators[i], len) != 0)
			continue;
		const char *name = skip(p + len, end), *behind = behind_name(name, end);
		const char *next = skip(behind, end);
		if (behind == name || (!r->fortran && next < end && *next == '('))
			return NULL;
		return behind;
	}
	return NULL;
}

static bool is_one_of(const char *const *words, const char *name, size_t len)
{
	for (; *words; words++) {
		if (strlen(*words) == len && !memcmp(*words, name, len))
			return true;
	}
	return false;
}

/* Behind what stands in C where a name could be: words of the language, names of types behind
 * theirs, and what compilers define. NULL: it is none of them. */
static const char *behind_no_value(const char *name, const char *end)
{
	static const char *const words[] = { "auto",   "bool",     "char",   "const",  "double",
					     "float",  "for",      "if",     "int",    "long",
					     "return", "short",    "signed", "sizeof", "static",
					     "switch", "unsigned", "void",   "while",  NULL };
	static const char *const tags[] = { "class", "enum", "struct", "union", NULL };
	const char *at = behind_name(name, end);
	const size_t len = (size_t)(at - name);

	if (is_one_of(tags, name, len))
		return behind_name(skip(at, end), end);
	return is_one_of(words, name, len) || (len > 2 && !memcmp(name, "__", 2) &&
					       isupper((unsigned char)name[2]))
		       ? at
		       : NULL;
}

/* A name with what belongs to it; the end of what was read. */
static const char *read_chain(struct reader *r, const char *begin, const char *end, bool counts,
			      int depth)
{
	static const char number[] = DECIDING_THREAD_NUMBER;
	const size_t len = sizeof(number) - sizeof("()");
	const char *at = behind_name(begin, end);
	bool whole = true;

	if ((size_t)(at - begin) == len && !strncasecmp(begin, number, len)) {
		if (counts)
			add(r, number, number + sizeof(number) - 1);
		return at;
	}
	for (;;) {
		const char *next = skip(at, end);
		const char *member = behind_member(r, next, end);
		bool brackets = next < end && *next == (r->fortran ? '(' : '[');
		const char *behind = brackets ? behind_brackets(next, end) : member;
		if (!behind)
			break;
		if (brackets) {
			whole = whole && is_harmless(r, next + 1, behind - 1);
			read_text(r, next + 1, behind - 1, true, depth + 1);
		}
		at = behind;
	}
	const char *next = skip(at, end);
	if (counts && whole && (r->fortran || next >= end || *next != '('))
		add(r, begin, at);
	return at;
}

/* ".and.", ".5": what is no name. */
static const char *behind_other(const struct reader *r, const char *p, const char *end)
{
	if (*p == '"' || *p == '\'')
		return behind_quotes(p, end);
	if (r->fortran && *p == '.' && p + 1 < end && isalpha((unsigned char)p[1])) {
		const char *dot = behind_name(p + 1, end);
		return dot < end ? dot + 1 : end;
	}
	if (isdigit((unsigned char)*p)) {
		p = behind_name(p, end);
		return p < end && *p == '.' && !r->fortran ? behind_name(p + 1, end) : p;
	}
	return p + 1;
}

/* "&x", which is to be given a value; not "a && x", "a & x". */
static bool is_address(const char *begin, const char *p)
{
	while (p > begin && isspace((unsigned char)p[-1]))
		p--;
	if (p == begin || *--p != '&')
		return false;
	while (p > begin && isspace((unsigned char)p[-1]))
		p--;
	return p == begin || !(is_in_name(p[-1]) || strchr("&)]", p[-1]));
}

static void read_text(struct reader *r, const char *begin, const char *end, bool counts, int depth)
{
	const char *p = begin;

	while (p < end && depth < DEPTH_MAX) {
		bool name = isalpha((unsigned char)*p) || *p == '_';
		bool asked = counts && (r->fortran || !name || !is_address(begin, p));
		const char *behind = name && !r->fortran ? behind_no_value(p, end) : NULL;
		if (!behind)
			behind = name ? read_chain(r, p, end, asked, depth)
				      : behind_other(r, p, end);
		p = behind;
	}
}

struct error *deciding_words_add(struct deciding_words *l, const char *text, bool fortran,
				 bool subscripts)
{
	struct reader r = { .ret = l, .fortran = fortran };

	read_text(&r, text, text + strlen(text), !subscripts, 0);
	return r.failed ? &error_nomem : NULL;
}
