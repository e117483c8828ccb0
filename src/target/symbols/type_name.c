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
	if (t->target && is_qualified_wrapper(t->target))
		buf_addc(out, ' ');
	if (t->kind != TYPE_ARRAY && t->kind != TYPE_FUNCTION) {
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

	add_base(out, base_of(t));
	add_prefix(&before, t, NAME_DEPTH_MAX);
	/* Stars stand at the name, words do not. */
	if (*name)
		buf_addc(out, ' ');
	buf_adds(out, buf_text(&before));
	if (*name && before.len && isalpha((unsigned char)before.data[before.len - 1]))
		buf_addc(out, ' ');
	buf_adds(out, name);
	add_suffix(out, t, NAME_DEPTH_MAX);
}

/* A copy with what names stand for in their place, where that is a part of the declarator. */
static const struct type *without_names(const struct type *t, struct type copies[CHAIN_MAX])
{
	size_t n = 0;

	for (; n < CHAIN_MAX; t = t->target) {
		const struct type *meant = t ? type_strip(t) : NULL;
		while (t && t->kind == TYPE_ALIAS && is_wrapper(meant))
			t = t->target;
		if (!t || (!is_wrapper(t) && !qualifier(t)))
			break;
		copies[n] = *t;
		if (n++)
			copies[n - 2].target = &copies[n - 1];
	}
	if (n)
		copies[n - 1].target = t;
	return n ? copies : t;
}

const struct type *type_add_around(struct buf *before, struct buf *behind, const struct type *t)
{
	struct type copies[CHAIN_MAX];

	while (t && t->kind == TYPE_ALIAS)
		t = t->target;
	t = without_names(t, copies);
	const struct type *base = t ? base_of(t) : &type_void;
	if (t && t != base) {
		buf_addc(behind, ' ');
		add_prefix(behind, t, NAME_DEPTH_MAX);
		add_suffix(behind, t, NAME_DEPTH_MAX);
	}
	base = add_qualifiers(before, base, true);
	return type_strip(base);
}
