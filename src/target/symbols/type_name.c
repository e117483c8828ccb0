/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <inttypes.h>

#include "target/symbols/type_parts.h"

enum { CHAIN_MAX = 64, NAME_DEPTH_MAX = 16 };

static const struct {
	enum type_kind kind;
	const char *word;
} qualifiers[] = {
	{ TYPE_CONST, "const" },
	{ TYPE_VOLATILE, "volatile" },
	{ TYPE_RESTRICT, "restrict" },
	{ TYPE_ATOMIC, "_Atomic" },
};
enum { NUM_QUALIFIERS = sizeof(qualifiers) / sizeof(*qualifiers) };

/* NULL: it is none. */
static const char *qualifier(const struct type *t)
{
	for (size_t i = 0; i < NUM_QUALIFIERS; i++) {
		if (qualifiers[i].kind == t->kind)
			return qualifiers[i].word;
	}
	return NULL;
}

static void add_name(struct buf *out, const struct type *t, size_t depth);

static bool is_wrapper(const struct type *t)
{
	return t->kind == TYPE_POINTER || t->kind == TYPE_REFERENCE || t->kind == TYPE_ARRAY ||
	       t->kind == TYPE_MEMBER_POINTER || (t->kind == TYPE_FUNCTION && !t->name);
}

/* Qualifiers of a pointer stand behind its star; those of all else in front. */
static bool is_qualified_wrapper(const struct type *t)
{
	if (!qualifier(t))
		return false;
	const struct type *target = type_unqualified(t);
	return target->kind == TYPE_POINTER || target->kind == TYPE_REFERENCE ||
	       target->kind == TYPE_MEMBER_POINTER;
}

/* What all of the declarator applies to. */
static const struct type *base_of(const struct type *t)
{
	for (size_t i = 0; t && i < CHAIN_MAX; i++) {
		if (!is_wrapper(t) && !is_qualified_wrapper(t))
			return t;
		t = t->target;
	}
	return &type_void;
}

/* Each qualifier of a type once, in the order of their table. Returns what they qualify. */
static const struct type *add_qualifiers(struct buf *out, const struct type *t, bool before)
{
	bool has[NUM_QUALIFIERS] = { false };

	for (size_t n = 0; qualifier(t) && n < CHAIN_MAX; n++) {
		for (size_t i = 0; i < NUM_QUALIFIERS; i++)
			has[i] |= qualifiers[i].kind == t->kind;
		t = t->target ? t->target : &type_void;
	}
	for (size_t i = 0; i < NUM_QUALIFIERS; i++) {
		if (has[i])
			buf_addf(out, before ? "%s " : " %s", qualifiers[i].word);
	}
	return t;
}

/* Where types are laid out as declarations have them. */
struct laid_out {
	struct type copies[CHAIN_MAX];
	size_t n;
};

/* false: no more than that is shown. */
static bool lay_out(struct laid_out *l, const struct type *t)
{
	if (l->n == CHAIN_MAX)
		return false;
	l->copies[l->n] = *t;
	if (l->n++)
		l->copies[l->n - 2].target = &l->copies[l->n - 1];
	return true;
}

/* What a qualifier qualifies. */
static const struct type *qualified(const struct type *t, bool by_names)
{
	return by_names ? type_strip(t) : type_unqualified(t);
}

/*
 * A copy of the declarator, in which qualifiers of arrays stand at the elements, whose they are
 * (C11, 6.7.3), and those of functions, which mean attributes, nowhere; by_names: with what names
 * stand for in their place, where that is a part of it. Behind the copies is what it is of.
 */
static const struct type *declarator(const struct type *t, bool by_names, struct laid_out *l)
{
	const struct type *elements[NUM_QUALIFIERS];
	size_t pending = 0;

	l->n = 0;
	for (bool room = true; room; t = t->target) {
		while (by_names && t && t->kind == TYPE_ALIAS && is_wrapper(type_strip(t)))
			t = t->target;
		const bool qualifies = t && qualifier(t);
		if (qualifies && qualified(t, by_names)->kind == TYPE_FUNCTION)
			continue;
		if (qualifies && qualified(t, by_names)->kind == TYPE_ARRAY) {
			if (pending < NUM_QUALIFIERS)
				elements[pending++] = t;
			continue;
		}
		if (!t || t->kind != TYPE_ARRAY) {
			while (pending && room)
				room = lay_out(l, elements[--pending]);
		}
		if (!t || !room || (!is_wrapper(t) && !qualifies))
			break;
		room = lay_out(l, t);
	}
	if (!l->n)
		return t;
	l->copies[l->n - 1].target = t;
	return l->copies;
}

static void add_base(struct buf *out, const struct type *t)
{
	t = add_qualifiers(out, t, true);
	if (t->tag && !(t->name && t->is_cxx))
		buf_addf(out, t->name ? "%s " : "%s {...}", t->tag);
	if (t->name)
		buf_adds(out, t->name);
	else if (!t->tag)
		buf_adds(out, "?");
}

static bool needs_parentheses(const struct type *target)
{
	return target &&
	       (target->kind == TYPE_ARRAY || (target->kind == TYPE_FUNCTION && !target->name));
}

/* "Class::" in front of the star of a pointer to its members. */
static void add_holder(struct buf *out, const struct type *t)
{
	const struct type *holder = t->holder ? type_strip(t->holder) : NULL;

	if (holder && holder->name)
		buf_addf(out, "%s::", holder->name);
}

static bool ends_in_word(const struct buf *b)
{
	return b->len && isalpha((unsigned char)b->data[b->len - 1]);
}

static void add_prefix(struct buf *out, const struct type *t, size_t depth)
{
	if (!t || depth == 0 || (!is_wrapper(t) && !is_qualified_wrapper(t)))
		return;
	if (is_qualified_wrapper(t)) {
		add_prefix(out, type_unqualified(t), depth - 1);
		add_qualifiers(out, t, false);
		return;
	}
	add_prefix(out, t->target, depth - 1);
	if (t->kind != TYPE_ARRAY && t->kind != TYPE_FUNCTION) {
		buf_adds(out, ends_in_word(out) ? " " : "");
		buf_adds(out, needs_parentheses(t->target) ? "(" : "");
		if (t->kind == TYPE_MEMBER_POINTER)
			add_holder(out, t);
		buf_adds(out, t->kind != TYPE_REFERENCE ? "*" : t->is_rvalue ? "&&" : "&");
	}
}

static void add_parameters(struct buf *out, const struct type *t, size_t depth)
{
	buf_addc(out, '(');
	for (size_t i = 0; i < t->nparameters; i++) {
		buf_adds(out, i ? ", " : "");
		add_name(out, t->parameters[i], depth);
	}
	if (t->varargs)
		buf_adds(out, t->nparameters ? ", ..." : "...");
	else if (!t->nparameters && t->prototyped)
		buf_adds(out, "void");
	buf_addc(out, ')');
}

static void add_suffix(struct buf *out, const struct type *t, size_t depth)
{
	if (!t || depth == 0 || (!is_wrapper(t) && !is_qualified_wrapper(t)))
		return;
	if (t->kind == TYPE_ARRAY && t->is_vector)
		buf_addf(out, "%s__attribute__ ((vector_size(%" PRIu64 ")))",
			 out->len && out->data[out->len - 1] == ' ' ? "" : " ", t->count);
	else if (t->kind == TYPE_ARRAY && t->count)
		buf_addf(out, "[%" PRIu64 "]", t->count);
	else if (t->kind == TYPE_ARRAY)
		buf_adds(out, t->dynamic ? "[variable length]" : "[]");
	else if (t->kind == TYPE_FUNCTION)
		add_parameters(out, t, depth - 1);
	else if (needs_parentheses(t->target))
		buf_addc(out, ')');
	add_suffix(out, t->target, depth - 1);
}

static void add_name(struct buf *out, const struct type *t, size_t depth)
{
	if (!t || depth == 0) {
		buf_adds(out, "void");
		return;
	}
	if (t->is_fortran) {
		type_add_fortran_name(out, t, depth);
		return;
	}
	struct laid_out l;
	t = declarator(t, false, &l);
	add_base(out, base_of(t));
	if (!is_wrapper(t) && !is_qualified_wrapper(t))
		return;
	buf_addc(out, ' ');
	add_prefix(out, t, depth);
	add_suffix(out, t, depth);
}

void type_add_inner_name(struct buf *out, const struct type *t, size_t depth)
{
	add_name(out, t, depth);
}

void type_add_name(struct buf *out, const struct type *t)
{
	add_name(out, t, NAME_DEPTH_MAX);
}

void type_add_declaration(struct buf *out, const struct type *t, const char *name)
{
	AUTO_BUF before = { 0 };
	struct laid_out l;

	t = declarator(t, false, &l);
	add_base(out, base_of(t));
	add_prefix(&before, t, NAME_DEPTH_MAX);
	/* Stars stand at the name, words do not. */
	if (*name)
		buf_addc(out, ' ');
	buf_adds(out, buf_text(&before));
	if (*name && ends_in_word(&before))
		buf_addc(out, ' ');
	buf_adds(out, name);
	add_suffix(out, t, NAME_DEPTH_MAX);
}

const struct type *type_add_around(struct buf *before, struct buf *behind, const struct type *t)
{
	struct laid_out l;

	while (t && t->kind == TYPE_ALIAS)
		t = t->target;
	t = declarator(t, true, &l);
	const struct type *base = t ? base_of(t) : &type_void;
	if (t && t != base) {
		buf_addc(behind, ' ');
		add_prefix(behind, t, NAME_DEPTH_MAX);
		add_suffix(behind, t, NAME_DEPTH_MAX);
	}
	base = add_qualifiers(before, base, true);
	return type_strip(base);
}
