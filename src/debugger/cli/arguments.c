/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void arguments_fini(struct arguments *a)
{
	vec_fini_all(a);
}

/* Adds the word at *at to ret, and moves on behind it. false: a quote does not end. */
static bool parse_word(const char **at, bool keep, struct buf *ret)
{
	const char *s = *at;
	char quote = '\0';

	for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
		bool mark = *s == quote || (!quote && (*s == '\'' || *s == '"'));
		bool escape = *s == '\\' && s[1] && quote != '\'';
		if (mark)
			quote = quote ? '\0' : *s;
		if (keep || !(mark || escape))
			buf_addc(ret, *s);
		if (escape)
			buf_addc(ret, *++s);
	}
	*at = s;
	return !quote;
}

struct error *arguments_parse(const char *text, bool keep, struct arguments *ret)
{
	AUTO_ARGUMENTS words = { 0 };

	for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t\r\n")) {
		AUTO_BUF word = { 0 };
		if (!parse_word(&at, keep, &word))
			return error_new(ERROR_USAGE, "unmatched quote in: %s", text);
		char *copy = buf_ok(&word) ? strdup(buf_text(&word)) : NULL;
		if (!copy || !vec_push(&words, copy)) {
			free(copy);
			return &error_nomem;
		}
	}
	*ret = words;
	words = (struct arguments){ 0 };
	return NULL;
}

/* Adds what the variable at s stands for; how many bytes of the line that was; 0: none of ours. */
static size_t expand(const struct arguments *a, const char *s, struct buf *ret)
{
	char *end;

	if (strncmp(s, "$arg", 4) != 0)
		return 0;
	if (s[4] == 'c' && !isalnum((unsigned char)s[5]) && s[5] != '_') {
		buf_addf(ret, "%zu", a->len);
		return 5;
	}
	if (s[4] == '*') {
		for (size_t i = 0; i < a->len; i++)
			buf_addf(ret, "%s%s", i ? " " : "", a->items[i]);
		return 5;
	}
	if (!isdigit((unsigned char)s[4]))
		return 0;
	unsigned long n = strtoul(s + 4, &end, 10);
	if (n >= a->len)
		return 0;
	buf_adds(ret, a->items[n]);
	return (size_t)(end - s);
}

void arguments_expand(const struct arguments *a, const char *line, struct buf *ret)
{
	while (*line) {
		size_t len = *line == '$' ? expand(a, line, ret) : 0;
		if (!len)
			buf_addc(ret, *line);
		line += len ? len : 1;
	}
}

/* The byte that an octal escape means; moves *at behind it. */
static char octal(const char **at)
{
	unsigned int value = 0;

	for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++, (*at)++)
		value = value * 8 + (unsigned int)(**at - '0');
	return (char)value;
}

void arguments_add_unescaped(struct buf *out, const char *text)
{
	static const char letters[] = "abefnrtv", meanings[] = "\a\b\033\f\n\r\t\v";

	while (*text) {
		if (*text != '\\') {
			buf_addc(out, *text++);
			continue;
		}
		text++;
		const char *letter = *text ? strchr(letters, *text) : NULL;
		if (*text >= '0' && *text <= '7') {
			buf_addc(out, octal(&text));
		} else if (*text) {
			buf_addc(out, letter ? meanings[letter - letters] : *text);
			text++;
		}
	}
}

void arguments_add_path(struct buf *out, const char *path)
{
	const char *home = getenv("HOME");

	if (home && *path == '~' && (!path[1] || path[1] == '/'))
		buf_adds(out, home);
	else
		home = NULL;
	buf_adds(out, path + (home != NULL));
}
