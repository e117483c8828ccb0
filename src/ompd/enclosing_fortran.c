/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "ompd/enclosing_parts.h"
#include "ompd/fortran_decisions.h"
#include "ompd/fortran_text.h"

enum { DEPTH_MAX = 256, SENTINEL = 5, STATEMENT_MAX = 1 << 14 };

/* What has begun and not ended: a loop, or a construct. */
struct begun {
	bool is_construct;
	unsigned long label;        /* of the statement that ends a loop; 0: "end do"   */
	struct construct construct; /* owned */
	unsigned int loops;         /* that it has still                                */
	size_t of;                  /* of a loop: the construct that ends with it, and 1; 0: none */
	size_t mark;                /* of the conditions before it                      */
};

struct reader {
	const char *at, *end;
	bool fixed;
	int line, wanted;
	VEC(struct begun) stack;
	struct fortran_decisions decisions;
	char *ended;       /* owned; name of a construct that its loop has ended; or NULL */
	struct buf pragma; /* owned; the directive that is being read                    */
	int pragma_line;   /* 0: none is                                              */
	bool goes_on;      /* its last line ends with '&'                              */
	struct buf joined; /* owned; a statement whose lines so far are those from "first" on */
	int first;         /* 0: none                                                   */
	const char *next;  /* the line behind the one that is read                       */
	struct constructs *ret;
};

/* ---- statements -------------------------------------------------------------------------- */

/* A border that the line is in: who is there has come by other ways. */
static void enter(struct reader *r, size_t depth, size_t mark)
{
	fortran_decisions_enter(&r->decisions, mark);
	for (size_t i = 0; i < depth; i++)
		r->stack.items[i].mark = 0;
}

/* The end of a stack's part: constructs in it end at the line. */
static struct error *unwind(struct reader *r, size_t depth, int line)
{
	const unsigned int borders =
		DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET;
	struct error *err = NULL;

	while (r->stack.len > depth) {
		struct begun *b = &r->stack.items[--r->stack.len];
		if (!b->is_construct)
			continue;
		b->construct.end = line;
		if (b->construct.directive.parts & borders && b->construct.line < r->wanted &&
		    r->wanted <= line)
			enter(r, depth, b->mark);
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
	p = fortran_text_skip(behind + (*behind == ','));
	const char *concurrent = fortran_text_word(p, "concurrent");
	p = concurrent && *concurrent == '(' ? fortran_text_skip(concurrent + 1) : p;
	struct error *err = fortran_text_word(p, "while") ? NULL : note_variable(r, p, &loop);
	if (!err)
		err = fortran_decisions_add_loop(&r->decisions, p, r->line);
	if (!err && r->stack.len < DEPTH_MAX && !vec_push(&r->stack, loop))
		err = &error_nomem;
	return err;
}

static bool ends_unit(const char *p)
{
	static const char *const ends[] = { "subroutine", "function", "program", "module",
					    "submodule" };
	const char *end = fortran_text_word(p, "end");

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (end && fortran_text_word(end, ends[i]))
			return true;
		if (!strncasecmp(p, "end", 3) && fortran_text_word(p + 3, ends[i]))
			return true;
	}
	return (end && !*end) ||
	       (fortran_text_word(p, "contains") && !*fortran_text_word(p, "contains"));
}

static struct error *end_labelled(struct reader *r, unsigned long label)
{
	struct error *err = NULL;

	for (size_t i = r->stack.len; label && i-- > 0 && !err;) {
		if (i < r->stack.len && r->stack.items[i].label == label) {
			fortran_decisions_end_loop(&r->decisions, r->line);
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

	p = fortran_text_skip(behind);
	size_t name = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (name && p[name + strspn(p + name, " \t")] == ':' && fortran_text_word(p, "do") == NULL)
		p = fortran_text_skip(p + name + strspn(p + name, " \t") + 1);
	const char *end = fortran_text_word(p, "end");
	const char *loop = fortran_text_word(p, "do");
	free(r->ended);
	r->ended = NULL;
	err = fortran_decisions_read(&r->decisions, p, r->line);
	if (err)
		return err;
	if (fortran_text_word(p, "enddo") || (end && fortran_text_word(end, "do"))) {
		fortran_decisions_end_loop(&r->decisions, r->line);
		err = end_loop(r);
	}
	if (loop && *loop != '=' && *loop != '(' && *loop != '%') {
		err = begin_loop(r, loop);
	} else if (ends_unit(p)) {
		fortran_decisions_end(&r->decisions, r->line);
		err = unwind(r, 0, r->line);
	}
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
	struct begun b = { .is_construct = true, .mark = r->ret->conditions.len };
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
	const char *p = r->fixed ? line : fortran_text_skip(line);
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
	p = fortran_text_skip(p);
	/* What follows a second '&' goes on in the midst of a word. */
	if (!r->fixed && more && *p == '&') {
		p++;
		r->pragma.len -= r->pragma.len > 0;
	}
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

/* Fixed form: something in the sixth column, and nothing before it. */
static bool goes_on_fixed(const struct reader *r)
{
	enum { COLUMN = 5 };

	if (r->end - r->next <= COLUMN || strspn(r->next, " ") < COLUMN)
		return false;
	return !strchr(" 0\r\n\t", r->next[COLUMN]);
}

/* Statements may have several lines. */
static struct error *join(struct reader *r, const char *line)
{
	bool more = r->fixed && goes_on_fixed(r);
	const char *p = r->first ? fortran_text_skip(line) : line;

	p += r->first && (*p == '&' || r->fixed) && *p;
	size_t len = fortran_text_length(p);
	if (!r->fixed && len && p[len - 1] == '&') {
		more = true;
		len--;
	}
	int here = r->line;
	r->first = r->first ? r->first : here;
	buf_add(&r->joined, p, len);
	if (more && r->joined.len < STATEMENT_MAX)
		return NULL;
	AUTO_FREE char *whole = r->joined.failed ? NULL : strdup(buf_text(&r->joined));
	r->line = r->first;
	struct error *err = whole ? statement_line(r, whole) : &error_nomem;
	r->line = here;
	r->first = 0;
	buf_clear(&r->joined);
	return err;
}

static struct error *read_line(struct reader *r, char *line)
{
	const char *p = behind_sentinel(r, line);
	struct error *err = NULL;

	if (p && (!isalnum((unsigned char)*p) || (r->fixed && r->pragma_line)))
		return directive_line(r, p);
	if (r->fixed && strchr("cC*!", *line) && *line)
		return NULL;
	p = fortran_text_skip(line);
	if (*p == '!' || *p == '\r' || !*p)
		return NULL;
	if (r->pragma_line)
		err = take_directive(r);
	r->goes_on = false;
	return err ? err : join(r, line);
}

struct error *enclosing_find_fortran(const char *text, size_t len, bool fixed, int line,
				     struct constructs *ret)
{
	struct reader r = {
		.at = text,
		.end = text + len,
		.fixed = fixed,
		.wanted = line,
		.ret = ret,
		.decisions = { .ret = ret, .wanted = line },
	};
	struct error *err = NULL;

	while (!err && r.at < r.end && (r.line < line || r.stack.len || r.pragma_line)) {
		const char *end = memchr(r.at, '\n', (size_t)(r.end - r.at));
		size_t size = (size_t)((end ? end : r.end) - r.at);
		AUTO_FREE char *copy = strndup(r.at, size < STATEMENT_MAX ? size : STATEMENT_MAX);
		r.line++;
		r.next = end ? end + 1 : r.end;
		err = copy ? read_line(&r, copy) : &error_nomem;
		r.at = r.next;
	}
	if (!err && r.pragma_line)
		err = take_directive(&r);
	struct error *failed = unwind(&r, 0, r.line);
	vec_fini(&r.stack);
	fortran_decisions_fini(&r.decisions);
	buf_fini(&r.joined);
	buf_fini(&r.pragma);
	free(r.ended);
	return err ? err : failed;
}
