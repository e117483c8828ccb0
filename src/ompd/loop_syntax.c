/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/loop_syntax.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 64 }; /* statements in statements */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The word begins at p, and ends where it ends. */
static bool is_word(const char *p, const char *word)
{
	size_t len = strlen(word);

	return !strncasecmp(p, word, len) && !is_name(p[len]);
}

static char *copy_trimmed(const char *from, const char *end)
{
	while (from < end && isspace((unsigned char)*from))
		from++;
	while (end > from && isspace((unsigned char)end[-1]))
		end--;
	return from < end ? strndup(from, (size_t)(end - from)) : NULL;
}

bool loop_syntax_is_harmless(const char *text)
{
	for (const char *p = text; *p; p++) {
		bool behind = p > text && (is_name(p[-1]) || strchr(")]", p[-1]));
		if ((*p == '+' || *p == '-') && p[1] == *p)
			return false;
		if (*p == '=' || *p == '{' || *p == '"' || (*p == '(' && behind))
			return false;
	}
	return true;
}

/* ---- C ---------------------------------------------------------------------------------- */

/* Behind a text or a character; a comment; or one character. */
static const char *skip_token(const char *p)
{
	char quote = *p;

	if (p[0] == '/' && p[1] == '/')
		return p + strcspn(p, "\n");
	if (p[0] == '/' && p[1] == '*') {
		const char *end = strstr(p + 2, "*/");
		return end ? end + 2 : p + strlen(p);
	}
	if (quote != '"' && quote != '\'')
		return p + 1;
	for (p++; *p && *p != quote && *p != '\n'; p++)
		p += *p == '\\' && p[1];
	return *p == quote ? p + 1 : p;
}

static const char *skip_blank(const char *p)
{
	for (;;) {
		p += strspn(p, " \t\r\n\f\v\\");
		if (p[0] != '/' || (p[1] != '/' && p[1] != '*'))
			return p;
		p = skip_token(p);
	}
}

const char *loop_syntax_balanced(const char *p)
{
	size_t depth = 0;

	while (*p) {
		if (strchr("([{", *p))
			depth++;
		else if (strchr(")]}", *p) && depth-- <= 1)
			return p + 1;
		p = skip_token(p);
	}
	return NULL;
}

/* The next of some characters that is in no brackets; NULL: there is none before "end". */
static const char *find_plain(const char *p, const char *end, const char *characters)
{
	while (p && p < end && *p) {
		if (strchr(characters, *p))
			return p;
		p = strchr("([{", *p) ? loop_syntax_balanced(p) : skip_token(p);
	}
	return NULL;
}

static const char *skip_directive(const char *p)
{
	for (; *p && *p != '\n'; p++)
		p += *p == '\\' && p[1];
	return p;
}

static const char *statement(const char *p, int depth);

/* if (...) ... else ...; for, while, switch (...) ... */
static const char *headed(const char *p, int depth)
{
	bool may_else = is_word(p, "if");
	const char *header = p + strcspn(p, "({;}\n");

	p = *header == '(' ? loop_syntax_balanced(header) : NULL;
	p = p ? statement(p, depth) : NULL;
	if (!p || !may_else)
		return p;
	const char *next = skip_blank(p);
	return is_word(next, "else") ? statement(next + strlen("else"), depth) : p;
}

/* Behind the statement that begins at p; NULL: it has no end. */
static const char *statement(const char *p, int depth)
{
	p = skip_blank(p);
	if (!*p || *p == '}' || depth > DEPTH_MAX)
		return NULL;
	if (*p == '#')
		return statement(skip_directive(p), depth + 1);
	if (*p == '{')
		return loop_syntax_balanced(p);
	if (is_word(p, "if") || is_word(p, "for") || is_word(p, "while") || is_word(p, "switch"))
		return headed(p, depth + 1);
	if (is_word(p, "do"))
		p = statement(p + strlen("do"), depth + 1);
	p = p ? find_plain(p, p + strlen(p), ";") : NULL;
	return p ? p + 1 : NULL;
}

/* "i = 0", "int i = 0" */
static void read_begin(const char *from, const char *end, struct loop_header *ret)
{
	const char *is = find_plain(from, end, "=");
	const char *p = is;

	while (p && p > from && isspace((unsigned char)p[-1]))
		p--;
	const char *name_end = p;
	while (p && p > from && is_name(p[-1]))
		p--;
	if (!p || p == name_end)
		return;
	ret->variable = strndup(p, (size_t)(name_end - p));
	ret->begin = copy_trimmed(is + 1, end);
}

/* "i < n", "n >= i" */
static void read_end(const char *from, const char *end, struct loop_header *ret)
{
	const char *relation = find_plain(from, end, "<>!");
	if (!relation || !ret->variable)
		return;
	bool equals = relation[1] == '=';
	AUTO_FREE char *left = copy_trimmed(from, relation);
	AUTO_FREE char *right = copy_trimmed(relation + 1 + equals, end);
	bool is_left = left && !strcmp(left, ret->variable);

	if (!is_left && (!right || strcmp(right, ret->variable) != 0))
		return;
	ret->includes_end = equals && *relation != '!';
	ret->end = is_left ? right : left;
	*(is_left ? &right : &left) = NULL;
}

/* "i++", "--i", "i += 2", "i = i - n" */
static void read_step(const char *from, const char *end, struct loop_header *ret)
{
	AUTO_FREE char *text = copy_trimmed(from, end);
	AUTO_BUF step = { 0 };

	if (!text || !ret->variable)
		return;
	const char *is = strchr(text, '=');
	const char *sign = is ? strpbrk(is, "+-") : NULL;
	if (strstr(text, "++"))
		buf_adds(&step, "1");
	else if (strstr(text, "--"))
		buf_adds(&step, "-1");
	else if (is && is > text && strchr("+-", is[-1]))
		buf_addf(&step, "%s(%s)", is[-1] == '-' ? "-" : "", is + 1);
	else if (is && sign && is_word(is + 1 + strspn(is + 1, " \t"), ret->variable))
		buf_addf(&step, "%s(%s)", *sign == '-' ? "-" : "", sign + 1);
	if (step.len)
		ret->step = strdup(buf_text(&step));
}

static int line_of(const struct loop_lines *at, const char *p)
{
	int line = at->line;

	for (const char *c = at->start; c < p; c++)
		line += *c == '\n';
	return line;
}

/* The header of the for loop at p. Returns what is behind it; NULL: there is none. */
static const char *read_for(const struct loop_lines *at, const char *p, struct loop_header *ret)
{
	if (!is_word(p, "for"))
		return NULL;
	const char *open = skip_blank(p + strlen("for"));
	const char *behind = *open == '(' ? loop_syntax_balanced(open) : NULL;
	const char *first = behind ? find_plain(open + 1, behind - 1, ";") : NULL;
	const char *second = first ? find_plain(first + 1, behind - 1, ";") : NULL;
	if (!second)
		return NULL;
	ret->line = line_of(at, p);
	read_begin(open + 1, first, ret);
	read_end(first + 1, second, ret);
	read_step(second + 1, behind - 1, ret);
	return behind;
}

int loop_syntax_c(const struct loop_lines *at, bool sections, struct loop_header *ret, size_t most,
		  size_t *ret_len)
{
	const char *p = skip_blank(at->behind);
	const char *end = statement(p, 0);

	for (size_t i = 0; !sections && p && i < most; i++) {
		while (*p == '{' || *p == '#')
			p = skip_blank(*p == '{' ? p + 1 : skip_directive(p));
		p = read_for(at, p, &ret[i]);
		*ret_len += p != NULL;
		p = p ? skip_blank(p) : NULL;
	}
	return end ? line_of(at, end - 1) : 0;
}

/* ---- Fortran ---------------------------------------------------------------------------- */

/* Behind blanks, numbers of statements, and names of constructs ("outer: do"). */
static const char *skip_label(const char *p)
{
	p += strspn(p, " \t0123456789");
	size_t name = 0;
	while (is_name(p[name]))
		name++;
	const char *colon = p + name + strspn(p + name, " \t");
	return name && *colon == ':' && colon[1] != ':' ? colon + 1 + strspn(colon + 1, " \t") : p;
}

/* 1: a loop begins in the line; -1: one ends; 0: neither. */
static int do_of(const char *line)
{
	const char *p = skip_label(line);

	if (is_word(p, "enddo"))
		return -1;
	if (is_word(p, "end"))
		return is_word(p + 3 + strspn(p + 3, " \t"), "do") ? -1 : 0;
	return is_word(p, "do");
}

static void read_do(const char *p, int line, struct loop_header *ret)
{
	p = skip_label(p) + strlen("do");
	const char *end = p + strcspn(p, "!\n");
	const char *is = find_plain(p, end, "=");
	const char *first = is ? find_plain(is, end, ",") : NULL;
	if (!first)
		return;
	const char *second = find_plain(first + 1, end, ",");

	ret->line = line;
	ret->includes_end = true;
	ret->variable = copy_trimmed(p, is);
	ret->begin = copy_trimmed(is + 1, first);
	ret->end = copy_trimmed(first + 1, second ? second : end);
	ret->step = second ? copy_trimmed(second + 1, end) : strdup("1");
}

static bool ends_sections(const char *line)
{
	line += strspn(line, " \t");
	return !strncasecmp(line + 1, "$omp", 4) && strcasestr(line, "end") &&
	       strcasestr(line, "sections") && strcasestr(line, "end") < strchrnul(line, '\n');
}

int loop_syntax_fortran(const struct loop_lines *at, bool sections, struct loop_header *ret,
			size_t most, size_t *ret_len)
{
	int depth = 0, line = at->line + at->lines;

	for (const char *p = at->behind; p && *p; line++) {
		int change = do_of(p);
		if (!sections && change > 0 && *ret_len == (size_t)depth && *ret_len < most)
			read_do(p, line, &ret[(*ret_len)++]);
		depth += change;
		if (sections ? ends_sections(p) : change < 0 && depth <= 0)
			return line;
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return 0;
}
