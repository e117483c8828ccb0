/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "ompd/enclosing_parts.h"

enum { DEPTH_MAX = 256, SENTINEL = 5, STATEMENT_MAX = 1 << 14 };

/* What has begun and not ended: a loop, or a construct. */
struct begun {
	bool is_construct;
	unsigned long label;        /* of the statement that ends a loop; 0: "end do"   */
	struct construct construct; /* owned */
	unsigned int loops;         /* that it has still                                */
	size_t of;                  /* of a loop: the construct that ends with it, and 1; 0: none */
};

struct reader {
	const char *at, *end;
	bool fixed;
	int line, wanted;
	VEC(struct begun) stack;
	char *ended;       /* owned; name of a construct that its loop has ended; or NULL */
	struct buf pragma; /* owned; the directive that is being read                    */
	int pragma_line;   /* 0: none is                                              */
	bool goes_on;      /* its last line ends with '&'                              */
	struct constructs *ret;
};

/* ---- statements -------------------------------------------------------------------------- */

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/* Behind the word, which p begins with; NULL: it does not. */
static const char *word(const char *p, const char *text)
{
	size_t len = strlen(text);

	if (strncasecmp(p, text, len) || isalnum((unsigned char)p[len]) || p[len] == '_')
		return NULL;
	return skip_blanks(p + len);
}

/* The end of a stack's part: constructs in it end at the line. */
static struct error *unwind(struct reader *r, size_t depth, int line)
{
	struct error *err = NULL;

	while (r->stack.len > depth) {
		struct begun *b = &r->stack.items[--r->stack.len];
		if (!b->is_construct)
			continue;
		b->construct.end = line;
		struct error *failed = enclosing_close(&b->construct, r->wanted, r->ret);
		err = err ? err : failed;
	}
	return err;
}

static struct error *end_loop(struct reader *r)
{
	if (!r->stack.len || r->stack.items[r->stack.len - 1].is_construct)
		return NULL;
	size_t of = r->stack.items[r->stack.len - 1].of;
	if (!of || of > r->stack.len)
		return unwind(r, r->stack.len - 1, r->line);
	free(r->ended);
	r->ended = strdup(r->stack.items[of - 1].construct.directive.name);
	return r->ended ? unwind(r, of - 1, r->line) : &error_nomem;
}

static struct error *add_loop(struct construct *c, struct loop_header *loop)
{
	if (vec_push(&c->loops, *loop))
		return NULL;
	loop_header_fini(loop);
	return &error_nomem;
}

static struct error *add_sequential(struct construct *c, struct loop_header *loop)
{
	bool added = vec_push(&c->sequential, loop->variable);

	if (added)
		loop->variable = NULL;
	loop_header_fini(loop);
	return added ? NULL : &error_nomem;
}

/* "i = 1, n": the loop's variable belongs to the construct whose loop it is, or to what is around
 * as one of its sequential loops. */
static struct error *note_variable(struct reader *r, const char *p, struct begun *loop)
{
	struct loop_header header = { .line = r->line };
	struct begun *of = NULL;

	/* The loops of a construct follow each other. */
	for (size_t i = r->stack.len; i-- > 0;) {
		of = &r->stack.items[i];
		if (of->is_construct)
			break;
	}
	struct error *err = of && of->is_construct ? loop_header_fortran(p, &header) : NULL;
	if (err || !header.variable) {
		loop_header_fini(&header);
		return err;
	}
	if (!of->loops)
		return add_sequential(&of->construct, &header);
	if (of == &r->stack.items[r->stack.len - 1])
		loop->of = r->stack.len;
	of->loops--;
	return add_loop(&of->construct, &header);
}

/* "do i = 1, n", "do 10 i = 1, n", "do while (...)", "do" */
static struct error *begin_loop(struct reader *r, const char *p)
{
	struct begun loop = { 0 };
	char *behind;

	loop.label = strtoul(p, &behind, 10);
	p = skip_blanks(behind + (*behind == ','));
	const char *concurrent = word(p, "concurrent");
	p = concurrent && *concurrent == '(' ? skip_blanks(concurrent + 1) : p;
	struct error *err = word(p, "while") ? NULL : note_variable(r, p, &loop);
	if (!err && r->stack.len < DEPTH_MAX && !vec_push(&r->stack, loop))
		err = &error_nomem;
	return err;
}

static bool ends_unit(const char *p)
{
	static const char *const ends[] = { "subroutine", "function", "program", "module",
					    "submodule" };
	const char *end = word(p, "end");

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (end && word(end, ends[i]))
			return true;
		if (!strncasecmp(p, "end", 3) && word(p + 3, ends[i]))
			return true;
	}
	return (end && !*end) || (word(p, "contains") && !*word(p, "contains"));
}

static struct error *end_labelled(struct reader *r, unsigned long label)
{
	struct error *err = NULL;

	for (size_t i = r->stack.len; label && i-- > 0 && !err;) {
		if (i < r->stack.len && r->stack.items[i].label == label) {
			err = unwind(r, i + 1, r->line);
			err = err ? err : end_loop(r);
		}
	}
	return err;
}

static struct error *statement(struct reader *r, const char *p)
{
	char *behind;
	unsigned long label = strtoul(p, &behind, 10);
	struct error *err = NULL;

	p = skip_blanks(behind);
	size_t name = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (name && p[name + strspn(p + name, " \t")] == ':' && word(p, "do") == NULL)
		p = skip_blanks(p + name + strspn(p + name, " \t") + 1);
	const char *end = word(p, "end");
	const char *loop = word(p, "do");
	free(r->ended);
	r->ended = NULL;
	if (word(p, "enddo") || (end && word(end, "do")))
		err = end_loop(r);
	else if (loop && *loop != '=' && *loop != '(' && *loop != '%')
		err = begin_loop(r, loop);
	else if (ends_unit(p))
		err = unwind(r, 0, r->line);
	return err ? err : end_labelled(r, label);
}

/* ---- directives -------------------------------------------------------------------------- */

/* Moves what "end single copyprivate(x)" says. */
static bool add_rows(struct directive *to, struct directive *from)
{
	vec_for_each (row, &from->rows) {
		if (!vec_push(&to->rows, *row))
			return false;
		*row = (struct clause_row){ 0 };
	}
	return true;
}

static struct error *end_construct(struct reader *r, struct directive *d)
{
	const char *name = d->name + strcspn(d->name, " ") + (strchr(d->name, ' ') != NULL);

	/* Its loop has ended it before. */
	if (r->ended && !strcmp(r->ended, name))
		return NULL;
	for (size_t i = r->stack.len; i-- > 0;) {
		struct begun *b = &r->stack.items[i];
		if (!b->is_construct || strcmp(b->construct.directive.name, name) != 0)
			continue;
		return add_rows(&b->construct.directive, d) ? unwind(r, i, r->line) : &error_nomem;
	}
	return NULL;
}

static struct error *take_directive(struct reader *r)
{
	struct begun b = { .is_construct = true };
	struct error *err =
		directive_parse(buf_text(&r->pragma), r->pragma.len, &b.construct.directive);
	struct directive *d = &b.construct.directive;

	buf_clear(&r->pragma);
	b.construct.line = r->pragma_line;
	r->pragma_line = 0;
	if (err)
		return err;
	b.loops = d->loops;
	bool begins = !(d->parts & (DIRECTIVE_END | DIRECTIVE_ALONE | DIRECTIVE_DECLARE));
	if (begins && strcmp(d->name, "section") != 0 && r->stack.len < DEPTH_MAX) {
		if (vec_push(&r->stack, b))
			return NULL;
		err = &error_nomem;
	} else if (d->parts & DIRECTIVE_END) {
		err = end_construct(r, d);
	} else if (d->parts & DIRECTIVE_THREADPRIVATE && b.construct.line <= r->wanted) {
		err = enclosing_note(d, r->ret);
	}
	construct_fini(&b.construct);
	return err;
}

/* What stands behind the sentinel of a line; NULL: it has none. */
static const char *behind_sentinel(const struct reader *r, const char *line)
{
	const char *p = r->fixed ? line : skip_blanks(line);
	bool other = r->fixed && (*p == 'c' || *p == 'C' || *p == '*');

	if ((*p != '!' && !other) || strncasecmp(p + 1, "$omp", 4) != 0)
		return NULL;
	return p + SENTINEL;
}

/* A line of a directive: it begins one, or goes on with the one before. */
static struct error *directive_line(struct reader *r, const char *p)
{
	bool more = r->fixed ? *p && *p != ' ' && *p != '0' && *p != '\t' : r->goes_on;
	struct error *err = NULL;

	if (!more && r->pragma_line)
		err = take_directive(r);
	if (!r->pragma_line)
		r->pragma_line = r->line;
	p += r->fixed && *p;
	p = skip_blanks(p);
	p += !r->fixed && more && *p == '&';
	size_t len = strcspn(p, "!\r");
	while (len && isspace((unsigned char)p[len - 1]))
		len--;
	r->goes_on = !r->fixed && len && p[len - 1] == '&';
	buf_add(&r->pragma, p, len - r->goes_on);
	buf_addc(&r->pragma, ' ');
	return err;
}

/* Statements of a line, which is cut at ';' and '!', where these are in no text. */
static struct error *statement_line(struct reader *r, char *p)
{
	struct error *err = NULL;

	while (*p && !err) {
		char *end = p, quote = '\0';
		for (; *end && (quote || (*end != ';' && *end != '!')); end++) {
			if (quote ? *end == quote : *end == '\'' || *end == '"')
				quote = quote ? '\0' : *end;
		}
		bool more = *end == ';';
		*end = '\0';
		while (end > p && isspace((unsigned char)end[-1]))
			*--end = '\0';
		p += strspn(p, " \t");
		if (*p)
			err = statement(r, p);
		p = end + strlen(end);
		if (!more)
			break;
		p++;
		p += strspn(p, " \t;");
	}
	return err;
}

static struct error *read_line(struct reader *r, char *line)
{
	const char *p = behind_sentinel(r, line);
	struct error *err = NULL;

	if (p && !isalnum((unsigned char)*p))
		return directive_line(r, p);
	if (r->fixed && strchr("cC*!", *line) && *line)
		return NULL;
	p = skip_blanks(line);
	if (*p == '!' || *p == '\r' || !*p)
		return NULL;
	if (r->pragma_line)
		err = take_directive(r);
	r->goes_on = false;
	return err ? err : statement_line(r, line);
}

struct error *enclosing_find_fortran(const char *text, size_t len, bool fixed, int line,
				     struct constructs *ret)
{
	struct reader r = {
		.at = text, .end = text + len, .fixed = fixed, .wanted = line, .ret = ret
	};
	struct error *err = NULL;

	while (!err && r.at < r.end && (r.line < line || r.stack.len)) {
		const char *end = memchr(r.at, '\n', (size_t)(r.end - r.at));
		size_t size = (size_t)((end ? end : r.end) - r.at);
		AUTO_FREE char *copy = strndup(r.at, size < STATEMENT_MAX ? size : STATEMENT_MAX);
		r.line++;
		err = copy ? read_line(&r, copy) : &error_nomem;
		r.at = end ? end + 1 : r.end;
	}
	if (!err && r.pragma_line)
		err = take_directive(&r);
	struct error *failed = unwind(&r, 0, r.line);
	vec_fini(&r.stack);
	buf_fini(&r.pragma);
	free(r.ended);
	return err ? err : failed;
}
