/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/short_name.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

/* What is kept although there are brackets in it: its length; 0: it is nothing such. */
static size_t verbatim(const char *name, const char *at)
{
	static const char *const texts[] = {
		"operator->*", "operator->", "operator<<=",           "operator<<", "operator<=>",
		"operator<=",  "operator<",  "operator>>=",           "operator>>", "operator>=",
		"operator>",   "operator()", "(anonymous namespace)", "()",         NULL
	};
	const bool within = at > name && (isalnum((unsigned char)at[-1]) || at[-1] == '_');

	for (const char *const *text = texts; *text; text++) {
		if (text_starts_with(at, *text) && !(within && **text == 'o'))
			return strlen(*text);
	}
	return 0;
}

/* Behind the bracket that closes this one; NULL: there is none. */
static const char *skip(const char *at)
{
	int depth = 0;

	for (const char *start = at; *at; at++) {
		depth += *at == '<' || *at == '(';
		depth -= (*at == '>' && (at == start || at[-1] != '-')) || *at == ')';
		if (!depth)
			return at + 1;
	}
	return NULL;
}

static bool shorten(struct buf *out, const char *name)
{
	for (const char *at = name; *at;) {
		const size_t kept = verbatim(name, at);
		const bool opens = !kept && (*at == '<' || *at == '(');
		const char *end = opens ? skip(at) : at + (kept ? kept : 1);
		if (!end)
			return false;
		if (opens)
			buf_addf(out, "%c...%c", *at, end[-1]);
		else
			buf_add(out, at, (size_t)(end - at));
		at = end;
	}
	return true;
}

void short_name_add(struct buf *out, const char *name)
{
	AUTO_BUF shorter = { 0 };
	const bool fits = strlen(name) <= SHORT_NAME_MAX;

	buf_adds(out, !fits && shorten(&shorter, name) ? buf_text(&shorter) : name);
	out->failed |= shorter.failed;
}
