/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/fortran_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char *fortran_text_skip(const char *p)
{
	return p + strspn(p, " \t");
}

const char *fortran_text_word(const char *p, const char *text)
{
	size_t len = strlen(text);

	if (strncasecmp(p, text, len) || isalnum((unsigned char)p[len]) || p[len] == '_')
		return NULL;
	return fortran_text_skip(p + len);
}

char *fortran_text_brackets(const char *p, const char **ret_behind)
{
	const char *begin = p + 1;
	char quote = '\0';
	int depth = 0;

	*ret_behind = "";
	if (*p != '(')
		return strdup("");
	for (; *p; p++) {
		if (quote || *p == '\'' || *p == '"') {
			quote = !quote ? *p : *p == quote ? '\0' : quote;
			continue;
		}
		depth += (*p == '(') - (*p == ')');
		if (!depth)
			break;
	}
	*ret_behind = *p ? fortran_text_skip(p + 1) : p;
	return strndup(begin, (size_t)(p - begin));
}

size_t fortran_text_length(const char *line)
{
	char quote = '\0';
	size_t n = 0;

	for (; line[n] && (quote || line[n] != '!'); n++) {
		if (quote ? line[n] == quote : line[n] == '\'' || line[n] == '"')
			quote = quote ? '\0' : line[n];
	}
	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	return n;
}
