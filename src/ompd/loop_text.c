/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/loop_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ompd/pragma.h"

enum { CONSTRUCT_MAX = 512 }; /* lines of one, as far as its start is looked for */

void loop_text_fini(struct loop_text *t)
{
	for (size_t i = 0; i < t->nlevels; i++) {
		free(t->levels[i].variable);
		free(t->levels[i].begin);
		free(t->levels[i].end);
		free(t->levels[i].step);
	}
	free(t->name);
	free(t->schedule);
	*t = (struct loop_text){ 0 };
}

/* ---- clauses ---------------------------------------------------------------------------- */

/* What stands in the parentheses of a clause; NULL: there is no such clause. */
static char *clause(const char *directive, const char *name)
{
	size_t len = strlen(name);
	AUTO_BUF text = { 0 };

	for (const char *p = strcasestr(directive, name); p; p = strcasestr(p + len, name)) {
		const char *open = p + len + strspn(p + len, " \t");
		const char *end = *open == '(' ? loop_syntax_balanced(open) : NULL;
		if (!end || (p > directive && (isalnum((unsigned char)p[-1]) || p[-1] == '_')))
			continue;
		for (open++; open < end - 1; open++) {
			bool blank = isspace((unsigned char)*open);
			if (!blank || (text.len && text.data[text.len - 1] != ' '))
				buf_addc(&text, blank ? ' ' : *open);
		}
		return text.failed ? NULL : strdup(buf_text(&text));
	}
	return NULL;
}

static bool has_word(const char *directive, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = strcasestr(directive, name); p; p = strcasestr(p + len, name)) {
		bool begins = p == directive || !isalnum((unsigned char)p[-1]);
		if (begins && !isalnum((unsigned char)p[len]) && p[len] != '_')
			return true;
	}
	return false;
}

static void read_clauses(const char *directive, struct loop_text *ret)
{
	AUTO_FREE char *collapse = clause(directive, "collapse");
	char *end = NULL;

	ret->schedule = clause(directive, "schedule");
	ret->ordered = has_word(directive, "ordered");
	ret->nowait = has_word(directive, "nowait");
	ret->collapse = 1;
	if (!collapse)
		return;
	unsigned long n = strtoul(collapse, &end, 10);
	ret->collapse = *end || n > LOOP_TEXT_LEVELS ? 0 : (unsigned int)n;
}

/* ---- constructs ------------------------------------------------------------------------- */

/* What a directive's name makes of it; false: no loop, and no sections. */
static bool read_kind(const char *name, enum loop_text_kind *ret)
{
	static const struct {
		const char *word;
		enum loop_text_kind kind;
	} words[] = { { "taskloop", LOOP_TEXT_TASKLOOP },
		      { "sections", LOOP_TEXT_SECTIONS },
		      { "for", LOOP_TEXT_FOR },
		      { "do", LOOP_TEXT_FOR },
		      { "loop", LOOP_TEXT_FOR } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!has_word(name, words[i].word))
			continue;
		*ret = words[i].kind;
		return true;
	}
	return false;
}

/* The lines of its statement, and the headers of its loops. false: that is none. */
static bool read_statement(const struct loop_lines *at, bool fortran, struct loop_text *ret)
{
	bool sections = ret->kind == LOOP_TEXT_SECTIONS;
	size_t most = ret->collapse ? ret->collapse : 1;

	if (fortran)
		ret->end = loop_syntax_fortran(at, sections, ret->levels, most, &ret->nlevels);
	else
		ret->end = loop_syntax_c(at, sections, ret->levels, most, &ret->nlevels);
	return ret->end && (sections || ret->nlevels);
}

/* The region or task that a directive makes is around a line: what is further out is another's. */
static bool is_border(const struct loop_lines *at, const char *name, bool fortran, int inner)
{
	struct loop_header none[1];
	size_t len = 0;

	return !fortran && at->line < inner &&
	       (has_word(name, "parallel") || has_word(name, "task")) &&
	       loop_syntax_c(at, true, none, 0, &len) >= inner;
}

/* The construct of the directive in a line, if that is around another line. */
static bool read_construct(const struct buf *text, int line, int inner, bool *ret_ends,
			   struct loop_text *ret)
{
	AUTO_BUF name = { 0 };
	AUTO_BUF directive = { 0 };
	struct loop_lines at = { .text = text, .line = line };
	AUTO(loop_text_fini) struct loop_text found = { .line = line };
	bool fortran = false;

	at.start = source_find(text, line);
	if (!at.start || !pragma_read(at.start, &directive, &name, &fortran, &at.lines))
		return false;
	at.behind = source_find(text, line + at.lines);
	if (!at.behind || !read_kind(buf_text(&name), &found.kind)) {
		*ret_ends = at.behind && is_border(&at, buf_text(&name), fortran, inner);
		return false;
	}
	read_clauses(buf_text(&directive), &found);
	found.name = strdup(buf_text(&name));
	if (!found.name || !read_statement(&at, fortran, &found) || found.end < inner)
		return false;
	*ret = found;
	found = (struct loop_text){ 0 };
	return true;
}

bool loop_text_around(struct source_cache *sources, const char *file, int line,
		      struct loop_text *ret)
{
	const struct buf *text = file ? source_cache_get(sources, file) : NULL;

	for (int i = line; text && i > 0 && i > line - CONSTRUCT_MAX; i--) {
		bool ends = false;
		const char *p = source_find(text, i);
		if (!p)
			continue;
		if (i < line && *p == '}') /* the end of another function */
			return false;
		if (read_construct(text, i, line, &ends, ret))
			return true;
		if (ends)
			return false;
	}
	return false;
}
