/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/construct_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "ompd/enclosing.h"

/* A line of the source without blanks around it; "": it cannot be read. */
static void read_line(struct session *s, const char *file, int line, struct buf *ret)
{
	static const char blanks[] = " \t\r\f\v";
	AUTO_BUF all = { 0 };

	if (!source_cache_line(s->sources, file, line, &all))
		return;
	const char *text = buf_text(&all);
	text += strspn(text, blanks);
	size_t len = strlen(text);
	while (len && strchr(blanks, text[len - 1]))
		len--;
	buf_add(ret, text, len);
}

/* A directive goes on in the next line: "\" of C, "&" of Fortran. */
static int find_code(struct session *s, const char *file, int line, bool fortran)
{
	for (;;) {
		AUTO_BUF text = { 0 };
		read_line(s, file, line++, &text);
		if (!text.len || buf_text(&text)[text.len - 1] != (fortran ? '&' : '\\'))
			return line;
	}
}

static bool is_shared_work(const struct directive *d)
{
	const unsigned int others = DIRECTIVE_PARALLEL | DIRECTIVE_TEAMS | DIRECTIVE_TASK |
				    DIRECTIVE_TARGET | DIRECTIVE_DECLARE | DIRECTIVE_THREADPRIVATE |
				    DIRECTIVE_END | DIRECTIVE_ALONE;

	return !(d->parts & others);
}

/* gcc says its line of the statement, which is one instruction: nothing is entered. */
static bool is_atomic(const struct directive *d)
{
	return d->name && !strcmp(d->name, "atomic");
}

static void take(struct session *s, const struct construct *from, bool fortran,
		 struct construct_lines *ret)
{
	ret->first = from->line;
	ret->end = from->end;
	ret->code = find_code(s, ret->file, from->line, fortran);
	ret->shares = is_shared_work(&from->directive);
	ret->section = from->directive.name && !strcmp(from->directive.name, "section");
	vec_for_each (loop, &from->loops) {
		/* A body in the header's line has no line of its own. */
		if (loop->line > 0 && loop->line < ret->end &&
		    ret->nheaders < CONSTRUCT_HEADERS_MAX)
			ret->headers[ret->nheaders++] = loop->line;
	}
}

static bool is_fortran_directive(struct session *s, const char *file, int line)
{
	AUTO_BUF text = { 0 };

	read_line(s, file, line, &text);
	return text.len > 5 && !strncasecmp(buf_text(&text) + 1, "$omp", 4);
}

/* Of Fortran a construct is known behind its directive, and those that follow on it. */
static int line_to_ask(struct session *s, const char *file, int line, bool fortran)
{
	enum { DIRECTIVES_MAX = 64 };
	int ret = line;

	while (fortran && ret - line < DIRECTIVES_MAX && is_fortran_directive(s, file, ret))
		ret++;
	return ret;
}

static void find(struct session *s, const struct buf *text, int line, struct construct_lines *ret)
{
	const enum source_form form = enclosing_form(ret->file);
	const int asked = line_to_ask(s, ret->file, line, form != SOURCE_C);
	AUTO_CONSTRUCTS around = { 0 };

	error_ignore(enclosing_find(buf_text(text), text->len, form, asked, &around));
	vec_for_each (c, &around.items) {
		bool has = asked == line ||
			   (c->line <= line &&
			    line < find_code(s, ret->file, c->line, form != SOURCE_C));
		if (!has || is_atomic(&c->directive))
			continue;
		if (!(c->directive.parts & DIRECTIVE_ALONE))
			take(s, c, form != SOURCE_C, ret);
		return;
	}
}

/* The last answers: all threads of a team are asked about the same few lines. */
struct construct_memo {
	struct answer {
		const struct buf *text; /* borrowed */
		int line;
		unsigned long changes; /* of the sources, when it was asked for */
		struct construct_lines lines;
	} answers[16];
	size_t next;
};

static struct answer *recall(struct session *s, const struct buf *text, int line)
{
	struct construct_memo *m = s->constructs;
	const size_t n = sizeof(m->answers) / sizeof(*m->answers);

	for (size_t i = 0; m && i < n; i++) {
		struct answer *a = &m->answers[i];
		if (a->text == text && a->line == line &&
		    a->changes == source_cache_changes(s->sources))
			return a;
	}
	return NULL;
}

static void memorize(struct session *s, const struct buf *text, int line,
		     const struct construct_lines *lines)
{
	if (!s->constructs)
		s->constructs = calloc(1, sizeof(*s->constructs));
	struct construct_memo *m = s->constructs;
	if (!m)
		return;
	m->answers[m->next++] =
		(struct answer){ text, line, source_cache_changes(s->sources), *lines };
	m->next %= sizeof(m->answers) / sizeof(*m->answers);
}

void construct_lines_find(struct session *s, const char *file, int line,
			  struct construct_lines *ret)
{
	const struct buf *text = file && line ? source_cache_get(s->sources, file) : NULL;
	const struct answer *known = text ? recall(s, text, line) : NULL;

	*ret = known ? known->lines : (struct construct_lines){ 0 };
	ret->file = file;
	if (!text || known)
		return;
	/* Most files have none. */
	if (memmem(text->data, text->len, "omp", 3))
		find(s, text, line, ret);
	memorize(s, text, line, ret);
}

bool construct_lines_has(const struct construct_lines *l, const char *file, int line)
{
	return l->first && line >= l->first && line <= l->end && text_same(l->file, file);
}

bool construct_lines_is_directive(const struct construct_lines *l, const char *file, int line)
{
	return construct_lines_has(l, file, line) && line < l->code;
}

/* A comment may follow it. */
static bool is_brace(struct session *s, const char *file, int line, char brace)
{
	AUTO_BUF text = { 0 };

	read_line(s, file, line, &text);
	const char *at = buf_text(&text);
	if (*at++ != brace)
		return false;
	at += strspn(at, " \t");
	const char *end = strncmp(at, "/*", 2) ? NULL : strstr(at + 2, "*/");
	return !*at || !strncmp(at, "//", 2) || (end && !end[2]);
}

bool construct_lines_is_declaration(struct session *s, const char *file, int line)
{
	AUTO_BUF text = { 0 };
	int len = 0;

	read_line(s, file, line, &text);
	return sscanf(buf_text(&text), "# pragma omp declare%n", &len) != EOF && len;
}

bool construct_lines_opens(const struct construct_lines *l, struct session *s, const char *file,
			   int line)
{
	return construct_lines_is_directive(l, file, line) ||
	       (construct_lines_has(l, file, line) && line == l->code &&
		is_brace(s, file, line, '{'));
}

bool construct_lines_passes(const struct construct_lines *l, struct session *s, const char *file,
			    int line)
{
	if (construct_lines_is_declaration(s, file, line))
		return true;
	if (!construct_lines_has(l, file, line))
		return false;
	if (line < l->code)
		return true;
	for (size_t i = 0; i < l->nheaders; i++) {
		if (l->headers[i] == line)
			return true;
	}
	return is_brace(s, file, line, '{') || is_brace(s, file, line, '}');
}
