/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "ompd/enclosing_parts.h"
#include "ompd/source_tokens.h"

enum { DEPTH_MAX = 256, HEADER_MAX = 1 << 14 };

enum { LEAVES_LOOP = 1, LEAVES_ALL = 2 };

struct reader {
	struct source_tokens tokens;
	struct constructs *ret;
	struct error *err;
	int line;                  /* that is asked for                                     */
	int last;                  /* of the last token                                     */
	unsigned int depth, open;  /* statements in statements; read to their end             */
	unsigned int leaves;       /* how what was read may leave: enum below                 */
	bool closed;               /* the brace that ends the block has been read               */
	struct construct *pending; /* its loops come next; NULL: none                         */
	unsigned int loops;        /* that it has still                                      */
	size_t outside;            /* conditions around a region or task that the line is in */
};

static void statement(struct reader *r, const struct source_token *first);

static bool next(struct reader *r, struct source_token *ret)
{
	r->last = r->tokens.here.line;
	source_tokens_next(&r->tokens, ret);
	if (r->err || r->depth > DEPTH_MAX || (ret->line > r->line && !r->open))
		ret->kind = SOURCE_END;
	if (ret->kind != SOURCE_END)
		r->last = ret->line;
	return ret->kind != SOURCE_END;
}

static bool is_char(const struct source_token *t, char c)
{
	return t->kind == SOURCE_CHAR && *t->at == c;
}

static bool is_name(const struct source_token *t, const char *name)
{
	return t->kind == SOURCE_NAME && source_token_is(t, name);
}

/* Behind '{', up to the '}'. */
static void block(struct reader *r)
{
	struct source_token t;

	while (next(r, &t) && !is_char(&t, '}')) {
		statement(r, &t);
		if (r->closed)
			break;
	}
	r->closed = false;
}

/* "( ... )"; what stands in it is added to ret, if that is not NULL, without comments. */
static void brackets(struct reader *r, struct buf *ret)
{
	struct source_position before = r->tokens.here;
	const char *behind = NULL;
	struct source_token t;
	int depth = 0;

	while (next(r, &t)) {
		if (!depth && !is_char(&t, '(') && t.kind != SOURCE_NAME) {
			r->tokens.here = before;
			return;
		}
		depth += is_char(&t, '(') - is_char(&t, ')');
		if (!depth && is_char(&t, ')'))
			return;
		if (ret && depth && (depth > 1 || !is_char(&t, '(')) && ret->len < HEADER_MAX) {
			buf_adds(ret, behind && behind < t.at ? " " : "");
			buf_add(ret, t.at, (size_t)(r->tokens.here.at - t.at));
			behind = r->tokens.here.at;
		}
		if (is_char(&t, '{'))
			block(r);
	}
}

static bool next_is(struct reader *r, const char *name)
{
	struct source_position before = r->tokens.here;
	struct source_token t;
	int last = r->last;

	if (next(r, &t) && is_name(&t, name))
		return true;
	r->tokens.here = before;
	r->last = last;
	return false;
}

static void body(struct reader *r)
{
	struct source_token t;

	if (next(r, &t))
		statement(r, &t);
}

/* A statement with a header that may decide. */
struct decision {
	size_t mark; /* of the conditions before it */
	bool counts;
	unsigned int leaves; /* of what stands before it */
};

static struct decision begin_decision(struct reader *r)
{
	struct decision d = { r->ret->conditions.len, r->last <= r->line, r->leaves };

	r->open += d.counts;
	r->leaves = 0;
	return d;
}

/* Its conditions count if the line is in it, or if it may leave. */
static void end_decision(struct reader *r, const struct decision *d, bool loop)
{
	r->open -= d->counts;
	if (loop)
		r->leaves &= LEAVES_ALL;
	if (r->last < r->line && (loop || !r->leaves))
		enclosing_drop_conditions(r->ret, d->mark, r->ret->conditions.len);
	r->leaves |= d->leaves;
}

/* text: takes what is in the brackets, too; NULL: nobody does. */
static void header(struct reader *r, struct buf *text)
{
	AUTO_BUF own = { 0 };
	struct condition condition = { .line = r->last };

	condition.doubtful = source_position_is_doubtful(&r->tokens.here);
	text = text ? text : &own;
	brackets(r, text);
	if (r->err || condition.line > r->line || !text->len)
		return;
	condition.text = text->failed ? NULL : strdup(buf_text(text));
	r->err = enclosing_add_condition(r->ret, &condition);
}

static void read_for(struct reader *r)
{
	struct construct *of = r->loops ? r->pending : NULL;
	struct loop_header loop = { .line = r->last };
	struct decision decision = begin_decision(r);
	AUTO_BUF text = { 0 };

	r->loops -= of != NULL;
	header(r, &text);
	if (of && !r->err) {
		r->err = loop_header_c(buf_text(&text), &loop);
		if (!r->err && (!buf_ok(&text) || !vec_push(&of->loops, loop)))
			r->err = &error_nomem;
		if (r->err)
			loop_header_fini(&loop);
	}
	body(r);
	end_decision(r, &decision, true);
}

static void read_while(struct reader *r)
{
	struct decision decision = begin_decision(r);

	header(r, NULL);
	body(r);
	end_decision(r, &decision, true);
}

static void read_if(struct reader *r)
{
	struct decision decision = begin_decision(r);

	header(r, NULL);
	body(r);
	while (!r->closed && next_is(r, "else")) {
		if (next_is(r, "if"))
			header(r, NULL);
		body(r);
	}
	end_decision(r, &decision, false);
}

static void read_do(struct reader *r)
{
	struct decision decision = begin_decision(r);
	struct source_token t;

	body(r);
	if (next_is(r, "while")) {
		header(r, NULL);
		next(r, &t);
	}
	end_decision(r, &decision, true);
}

static const struct {
	const char *word;
	void (*read)(struct reader *r);
} controls[] = {
	{ "for", read_for }, { "while", read_while }, { "switch", read_while },
	{ "if", read_if },   { "do", read_do },
};

static bool control(struct reader *r, const struct source_token *t)
{
	for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
		if (!is_name(t, controls[i].word))
			continue;
		controls[i].read(r);
		return true;
	}
	return false;
}

static const struct {
	const char *word;
	unsigned int leaves;
} leavers[] = {
	{ "return", LEAVES_ALL }, { "goto", LEAVES_ALL },      { "throw", LEAVES_ALL },
	{ "break", LEAVES_LOOP }, { "continue", LEAVES_LOOP },
};

static void note_leaving(struct reader *r, const struct source_token *t)
{
	for (size_t i = 0; i < sizeof(leavers) / sizeof(*leavers); i++)
		r->leaves |= is_name(t, leavers[i].word) ? leavers[i].leaves : 0;
}

static void construct(struct reader *r, const struct source_token *t)
{
	const unsigned int borders =
		DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET;
	struct construct c = { .line = t->line,
			       .from_macro = r->tokens.from_macro,
			       .several = r->tokens.several };
	size_t outside = r->ret->conditions.len;
	const struct buf *text = &r->tokens.pragma;
	bool counts = t->line <= r->line;

	r->err = directive_parse(buf_text(text), text->len, &c.directive);
	if (r->err)
		return;
	if (c.directive.parts & DIRECTIVE_ALONE) {
		r->err = counts ? enclosing_note(&c.directive, r->ret) : NULL;
		construct_fini(&c);
		return;
	}
	r->pending = &c;
	r->loops = c.directive.loops;
	r->open += counts;
	body(r);
	r->open -= counts;
	r->pending = NULL;
	r->loops = 0;
	c.end = r->last;
	/* Who is in it has come there by other ways. */
	if (c.directive.parts & borders && c.line < r->line && r->line <= c.end &&
	    r->outside < outside)
		r->outside = outside;
	struct error *err = enclosing_close(&c, r->line, r->ret);
	r->err = r->err ? r->err : err;
}

/* Up to its ";", or a block's end. */
static void plain(struct reader *r, struct source_token t)
{
	size_t mark = r->ret->conditions.len;
	bool bare = true;
	int depth = 0;

	do {
		if (t.kind == SOURCE_PRAGMA && depth == 0) {
			construct(r, &t);
			return;
		}
		if (depth == 0 && control(r, &t))
			return;
		if (is_char(&t, '{')) {
			block(r);
			/* A function that ends before the line has nothing to do with it. */
			if (!bare && r->last < r->line)
				enclosing_drop_conditions(r->ret, mark, r->ret->conditions.len);
			if (depth == 0)
				return;
		}
		bare = false;
		note_leaving(r, &t);
		if (is_char(&t, '}')) {
			r->closed = true;
			return;
		}
		depth += is_char(&t, '(') || is_char(&t, '[');
		depth -= depth && (is_char(&t, ')') || is_char(&t, ']'));
		if (depth == 0 && is_char(&t, ';'))
			return;
	} while (next(r, &t));
}

static void statement(struct reader *r, const struct source_token *first)
{
	r->depth++;
	plain(r, *first);
	/* Beyond the greatest depth nothing more is read: it stays as deep. */
	r->depth -= r->depth <= DEPTH_MAX;
}

struct error *enclosing_find_c(const char *text, size_t len, int line, struct constructs *ret)
{
	struct reader r = { .ret = ret, .line = line };
	struct source_token t;

	source_tokens_init(&r.tokens, text, len);
	while (next(&r, &t)) {
		statement(&r, &t);
		r.closed = false;
	}
	source_tokens_fini(&r.tokens);
	enclosing_drop_conditions(
		ret, 0, r.outside < ret->conditions.len ? r.outside : ret->conditions.len);
	return r.err;
}
