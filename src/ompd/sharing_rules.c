/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/sharing_rules.h"

#include <string.h>
#include <strings.h>

enum {
	SHARED = 1 << SHARING_SHARED,
	PRIVATE = 1 << SHARING_PRIVATE,
	FIRSTPRIVATE = 1 << SHARING_FIRSTPRIVATE,
	LASTPRIVATE = 1 << SHARING_LASTPRIVATE,
	LINEAR = 1 << SHARING_LINEAR,
	THREADPRIVATE = 1 << SHARING_THREADPRIVATE,
	COPYPRIVATE = 1 << SHARING_COPYPRIVATE,
	COPYIN = 1 << SHARING_COPYIN,
	MAPPED = 1 << SHARING_MAPPED,
	/* Of constructs that have variables of their own by rules. */
	GENERATING = DIRECTIVE_PARALLEL | DIRECTIVE_TEAMS | DIRECTIVE_TASK,
};

void sharing_answer_fini(struct sharing_answer *a)
{
	buf_fini(&a->because);
}

static bool is_same(const char *a, const char *b, bool fortran)
{
	return fortran ? !strcasecmp(a, b) : !strcmp(a, b);
}

static bool is_in(char *const *names, size_t n, const char *name, bool fortran)
{
	for (size_t i = 0; i < n; i++) {
		if (is_same(names[i], name, fortran))
			return true;
	}
	return false;
}

static void answer(struct sharing_answer *a, unsigned int sharing, enum sharing_basis basis,
		   const struct construct *c)
{
	a->sharing |= sharing;
	a->basis = basis;
	a->construct = c;
}

/* "\"parallel for\" of line 12" */
static void add_construct(struct buf *out, const struct construct *c)
{
	buf_addf(out, "\"%s\" of line %d", c->directive.name, c->line);
}

/* "/blk/", of which it is a part. */
static void add_block(const struct sharing_variable *v, struct buf *out)
{
	if (v->common)
		buf_addf(out, "/%s/", v->common);
}

/* What clauses say of it, or of its common block. */
static unsigned int clauses_of(const struct construct *c, const struct sharing_variable *v,
			       bool fortran, const char **ret_modifier)
{
	unsigned int bits = directive_sharing(&c->directive, v->name, fortran, ret_modifier);
	AUTO_BUF block = { 0 };

	add_block(v, &block);
	if (!bits && block.len && buf_ok(&block))
		bits = directive_sharing(&c->directive, buf_text(&block), fortran, ret_modifier);
	return bits;
}

static bool is_threadprivate(const struct constructs *around, const struct sharing_variable *v)
{
	AUTO_BUF block = { 0 };

	add_block(v, &block);
	return is_in(around->threadprivate.items, around->threadprivate.len, v->name,
		     around->fortran) ||
	       (block.len && is_in(around->threadprivate.items, around->threadprivate.len,
				   buf_text(&block), around->fortran));
}

static bool by_clause(const struct construct *c, const struct sharing_variable *v, bool fortran,
		      struct sharing_answer *a)
{
	const char *modifier;
	unsigned int bits = clauses_of(c, v, fortran, &modifier);

	/* What is told of a copy at the construct's beginning or end says nothing of it itself. */
	a->sharing |= bits & (COPYPRIVATE | COPYIN);
	bits &= ~(unsigned int)(COPYPRIVATE | COPYIN);
	if (!bits)
		return false;
	answer(a, bits, BASIS_CLAUSE, c);
	a->modifier = modifier;
	buf_adds(&a->because, "a clause of ");
	add_construct(&a->because, c);
	return true;
}

/* Of a sequential loop in a construct, or in one of those within it (OpenMP 5.2, 5.1.1). */
static bool is_sequential(const struct constructs *all, size_t i, const char *name)
{
	for (size_t k = 0; k <= i; k++) {
		const struct construct *c = &all->items.items[k];
		if (is_in(c->sequential.items, c->sequential.len, name, all->fortran))
			return true;
	}
	return false;
}

/* A variable of the loops of a construct, or in Fortran of loops within one that generates tasks.
 */
static bool by_loop(const struct constructs *all, size_t i, const struct sharing_variable *v,
		    struct sharing_answer *a)
{
	const struct construct *c = &all->items.items[i];
	unsigned int parts = c->directive.parts;
	bool own = false;

	vec_for_each (loop, &c->loops)
		own |= loop->variable && is_same(loop->variable, v->name, all->fortran);

	if (!own && !(parts & GENERATING && is_sequential(all, i, v->name)))
		return false;
	unsigned int sharing = PRIVATE;
	if (own && parts & DIRECTIVE_SIMD)
		sharing = c->directive.loops == 1 ? LINEAR : LASTPRIVATE;
	else if (own && parts & DIRECTIVE_LOOP)
		sharing = LASTPRIVATE;
	answer(a, sharing, BASIS_RULE, c);
	buf_adds(&a->because, own ? "the variable of a loop of " : "the variable of a loop in ");
	add_construct(&a->because, c);
	return true;
}

static bool by_declaration(const struct construct *c, const struct sharing_variable *v,
			   struct sharing_answer *a)
{
	if (c->directive.parts & DIRECTIVE_DECLARE || v->line <= c->line || v->line > c->end)
		return false;
	answer(a, v->is_static ? SHARED : PRIVATE, BASIS_RULE, c);
	buf_adds(&a->because, v->is_static ? "static, and declared in " : "declared in ");
	add_construct(&a->because, c);
	return true;
}

static bool by_default(const struct construct *c, struct sharing_answer *a)
{
	const struct directive *d = &c->directive;

	if (!d->sharing && !d->is_none)
		return false;
	answer(a, d->sharing, d->is_none ? BASIS_RULE : BASIS_CLAUSE, c);
	if (d->is_none)
		buf_adds(&a->because, "default(none), and no clause names it: it is not used in ");
	else
		buf_addf(&a->because, "default(%s) of ", sharing_names[__builtin_ctz(d->sharing)]);
	add_construct(&a->because, c);
	return true;
}

static bool decide(const struct constructs *all, size_t i, const struct sharing_variable *v,
		   struct sharing_answer *a);

/* Whether it is shared in all constructs further out, up to the innermost parallel one; what a
 * target construct maps is, in the initial task there. */
static bool is_shared_around(const struct constructs *all, size_t i,
			     const struct sharing_variable *v)
{
	for (; i < all->items.len; i++) {
		const struct construct *c = &all->items.items[i];
		AUTO_SHARING_ANSWER a = { 0 };
		decide(all, i, v, &a);
		if (c->directive.parts & DIRECTIVE_TARGET && a.sharing == MAPPED)
			return true;
		if (a.sharing != SHARED)
			return false;
		if (c->directive.parts & (DIRECTIVE_PARALLEL | DIRECTIVE_TEAMS))
			return true;
	}
	return v->is_static;
}

/* The rules for what no clause names. false: the construct changes nothing. */
static bool by_rule(const struct constructs *all, size_t i, const struct sharing_variable *v,
		    struct sharing_answer *a)
{
	const struct construct *c = &all->items.items[i];
	unsigned int parts = c->directive.parts, sharing = SHARED;

	if (!(parts & (GENERATING | DIRECTIVE_TARGET)))
		return false;
	if (parts & (DIRECTIVE_PARALLEL | DIRECTIVE_TEAMS))
		buf_adds(&a->because, "no clause names it in ");
	else if (parts & DIRECTIVE_TASK && is_shared_around(all, i + 1, v))
		buf_adds(&a->because, "no clause names it, and it is shared around ");
	else if (parts & DIRECTIVE_TASK && (sharing = FIRSTPRIVATE))
		buf_adds(&a->because, "no clause names it, and it is not shared around ");
	else if ((sharing = v->is_scalar ? FIRSTPRIVATE : MAPPED))
		buf_adds(&a->because, "no clause names it in ");
	answer(a, sharing, BASIS_RULE, c);
	add_construct(&a->because, c);
	return true;
}

/* In no construct of the text: of what a function has that is called in a region. */
static void by_storage(const struct sharing_variable *v, struct sharing_answer *a)
{
	if (v->is_by_reference) {
		buf_adds(&a->because, "what the caller has passed by reference");
		return;
	}
	answer(a, v->is_static ? SHARED : PRIVATE, BASIS_RULE, NULL);
	buf_adds(&a->because, v->is_static ? "static, and no construct here names it"
					   : "a variable of a function outside of constructs");
}

/* By the construct i or one further out. */
static bool decide(const struct constructs *all, size_t i, const struct sharing_variable *v,
		   struct sharing_answer *a)
{
	for (; i < all->items.len; i++) {
		const struct construct *c = &all->items.items[i];
		if (by_clause(c, v, all->fortran, a) || by_loop(all, i, v, a) ||
		    by_declaration(c, v, a) ||
		    (c->directive.parts & (GENERATING | DIRECTIVE_TARGET) && by_default(c, a)) ||
		    by_rule(all, i, v, a))
			return true;
	}
	by_storage(v, a);
	return false;
}

struct error *sharing_rules_find(const struct constructs *around, const struct sharing_variable *v,
				 struct sharing_answer *ret)
{
	struct sharing_answer a = { 0 };
	bool named = is_threadprivate(around, v);

	if (named || v->is_threadlocal) {
		vec_for_each (c, &around->items) {
			const char *modifier;
			a.sharing |= clauses_of(c, v, around->fortran, &modifier) &
				     (COPYPRIVATE | COPYIN);
		}
		answer(&a, THREADPRIVATE, named ? BASIS_CLAUSE : BASIS_RULE, NULL);
		buf_adds(&a.because, named ? "a threadprivate directive names it"
					   : "its storage is thread-local");
	} else {
		decide(around, 0, v, &a);
	}
	if (!buf_ok(&a.because)) {
		sharing_answer_fini(&a);
		return &error_nomem;
	}
	*ret = a;
	return NULL;
}
