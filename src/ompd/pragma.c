/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/pragma.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/source.h"

enum {
	DIRECTIVE_MAX = 16,  /* lines of it                              */
	CONSTRUCT_MAX = 256, /* lines of one, as far as its start is looked for */
};

/* The directive of a line, with those that it is continued in. Returns how many they are. */
static int copy_directive(const char *from, struct buf *ret)
{
	for (int i = 1;; i++) {
		size_t len = strcspn(from, "\n");
		bool more = len && (from[len - 1] == '\\' || from[len - 1] == '&');
		buf_add(ret, from, len - more);
		if (!more || !from[len] || i == DIRECTIVE_MAX)
			return i;
		buf_addc(ret, ' ');
		from += len + 1;
	}
}

/* The word begins at p, and ends where it ends. */
static bool is_word(const char *p, const char *word)
{
	size_t len = strlen(word);

	return !strncasecmp(p, word, len) && !isalnum((unsigned char)p[len]) && p[len] != '_';
}

/* The words that names of directives consist of. */
static const struct {
	const char *word;
	enum pragma pragma;
} words[] = {
	{ "parallel", PRAGMA_OTHER },   { "for", PRAGMA_WORKSHARE },
	{ "do", PRAGMA_WORKSHARE },     { "sections", PRAGMA_WORKSHARE },
	{ "single", PRAGMA_WORKSHARE }, { "workshare", PRAGMA_WORKSHARE },
	{ "scope", PRAGMA_WORKSHARE },  { "loop", PRAGMA_WORKSHARE },
	{ "barrier", PRAGMA_BARRIER },  { "task", PRAGMA_OTHER },
	{ "taskloop", PRAGMA_OTHER },   { "taskgroup", PRAGMA_OTHER },
	{ "taskwait", PRAGMA_OTHER },   { "teams", PRAGMA_OTHER },
	{ "distribute", PRAGMA_OTHER }, { "target", PRAGMA_OTHER },
	{ "simd", PRAGMA_OTHER },       { "master", PRAGMA_OTHER },
	{ "masked", PRAGMA_OTHER },     { "end", PRAGMA_OTHER }, /* Fortran */
};

static enum pragma read_name(const char *text, struct buf *ret)
{
	const char *p = strcasestr(text, "omp");
	enum pragma pragma = PRAGMA_OTHER;
	bool is_name = p;

	p += p ? strlen("omp") : 0;
	while (is_name) {
		p += strspn(p, " \t");
		is_name = false;
		for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !is_name; i++) {
			if (!is_word(p, words[i].word))
				continue;
			is_name = true;
			pragma = words[i].pragma == PRAGMA_OTHER ? pragma : words[i].pragma;
			buf_addf(ret, "%s%s", ret->len ? " " : "", words[i].word);
			p += strlen(words[i].word);
		}
	}
	return pragma;
}

static bool is_directive(const char *text)
{
	text += strspn(text, " \t");
	return *text == '#' || !strncasecmp(text, "!$omp", 5) || !strncasecmp(text, "c$omp", 5) ||
	       !strncmp(text, "_Pragma", 7);
}

enum pragma pragma_at(struct source_cache *sources, const char *file, int line, struct buf *ret)
{
	AUTO_BUF directive = { 0 };
	const struct buf *text = source_cache_get(sources, file);
	const char *start = text ? source_find(text, line) : NULL;

	if (!start || !is_directive(start))
		return PRAGMA_OTHER;
	copy_directive(start, &directive);
	return read_name(buf_text(&directive), ret);
}

/* The line before one; NULL: that was the first. */
static const char *line_before(const struct buf *text, const char *line)
{
	const char *start = buf_text(text);

	if (line <= start)
		return NULL;
	for (line--; line > start && line[-1] != '\n';)
		line--;
	return line;
}

/* What a directive before a place says of it; false: nothing, the one before counts. */
static bool decides(const char *line, bool *ret)
{
	AUTO_BUF directive = { 0 };
	AUTO_BUF name = { 0 };

	if (!is_directive(line))
		return false;
	copy_directive(line, &directive);
	enum pragma pragma = read_name(buf_text(&directive), &name);
	bool region = strstr(buf_text(&name), "parallel");
	*ret = pragma == PRAGMA_WORKSHARE && !region;
	return pragma != PRAGMA_OTHER || region;
}

bool pragma_in_worksharing(struct source_cache *sources, const char *file, int line)
{
	const struct buf *text = source_cache_get(sources, file);
	const char *p = text ? source_find(text, line) : NULL;
	bool ret = false;

	for (int i = 0; p && i < CONSTRUCT_MAX && !decides(p, &ret); i++) {
		p = line_before(text, p);
		if (p && *p == '}') /* the end of another function */
			return false;
	}
	return ret;
}
