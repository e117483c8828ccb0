/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_type.h"

#include <inttypes.h>
#include <string.h>

#include "debugger/output/format_fortran.h"
#include "debugger/output/style.h"

enum { COLUMN = 27, NESTING_MAX = 16, MEMBERS_MAX = 1 << 13 };

/* A type that is written: where its members begin, and what the last one left. */
struct writing {
	struct buf *out;
	const struct format_type_options *how;
	size_t indent;  /* of its members                             */
	uint64_t base;  /* bytes, from the outermost structure on     */
	uint64_t end;   /* bits behind the last member; 0: none yet   */
	size_t nesting; /* of structures without a name in each other */
	size_t *left;   /* members that may yet be written in all      */
	bool is_union;
};

static const char *const access_words[] = {
	[ACCESS_PUBLIC] = "public",
	[ACCESS_PROTECTED] = "protected",
	[ACCESS_PRIVATE] = "private",
};
enum { ACCESS_NONE = -1 }; /* no label yet */

/* How gdb marks holes. */
static const char gap_mark[] = "XX"
			       "X";

/* ---- declarations ----------------------------------------------------------------------- */

/* "int (*name)[3]": type_add_name() writes a type without a name; it belongs behind the stars. */
static void add_declaration(struct buf *out, const struct type *type, const char *name)
{
	AUTO_BUF text = { 0 };

	type_add_declaration(&text, type, name);
	style_add_text(out, buf_text(&text));
}

static void add_type_name(struct buf *out, const struct type *type)
{
	AUTO_BUF text = { 0 };

	type_add_name(&text, type);
	style_add_text(out, buf_text(&text));
}

/* ---- offsets ---------------------------------------------------------------------------- */

static void add_gap(struct writing *w, uint64_t bits, const char *what)
{
	if (bits % 8)
		buf_addf(w->out, "/* %s %2" PRIu64 "-bit %-7s    */\n", gap_mark, bits % 8, what);
	if (bits / 8)
		buf_addf(w->out, "/* %s %2" PRIu64 "-byte %-7s   */\n", gap_mark, bits / 8, what);
}

/* The columns in front of a member. */
static void add_offset(struct writing *w, const struct type_member *m)
{
	uint64_t at = 8 * m->offset + m->bit_offset, size = type_size(m->type);

	if (!w->how->offsets)
		return;
	if (m->kind == MEMBER_STATIC) {
		style_add_spaces(w->out, COLUMN);
		return;
	}
	if (!w->is_union && w->end && at > w->end)
		add_gap(w, at - w->end, "hole");
	if (w->is_union)
		buf_addf(w->out, "/*              %8" PRIu64 " */", size);
	else if (m->bit_size)
		buf_addf(w->out, "/* %6" PRIu64 ":%2" PRIu64 "   | %7" PRIu64 " */",
			 w->base + at / 8, at % 8, size);
	else
		buf_addf(w->out, "/* %6" PRIu64 "      | %7" PRIu64 " */", w->base + m->offset,
			 size);
	w->end = at + (m->bit_size ? m->bit_size : 8 * size);
}

static void add_total(struct writing *w, const struct type *t)
{
	if (!w->how->offsets)
		return;
	if (!w->is_union && w->end && 8 * t->size > w->end)
		add_gap(w, 8 * t->size - w->end, "padding");
	buf_addc(w->out, '\n');
	style_add_spaces(w->out, COLUMN + w->indent);
	buf_addf(w->out, "/* total size (bytes): %4" PRIu64 " */\n", t->size);
}

static void add_margin(struct writing *w, size_t spaces)
{
	style_add_spaces(w->out, spaces + (w->how->offsets ? COLUMN : 0));
}

/* ---- structures ------------------------------------------------------------------------- */

static bool is_hidden(const struct type_member *m)
{
	return m->kind == MEMBER_BASE || m->is_artificial;
}

/* Labels stand where not all is as the word in front of the type says: as in gdb. */
static bool needs_labels(const struct type *t)
{
	bool is_class = t->tag && !strcmp(t->tag, "class");
	size_t n;
	bool needed = false;

	const struct type_member *members = type_members(t, &n);
	for (size_t i = 0; i < n; i++)
		needed |= !is_hidden(&members[i]) &&
			  (members[i].access != ACCESS_PRIVATE) == is_class &&
			  (is_class || members[i].access != ACCESS_PUBLIC);
	const struct type_method *methods = type_methods(t, &n);
	for (size_t i = 0; i < n; i++)
		needed |= is_class ? methods[i].access != ACCESS_PRIVATE
				   : methods[i].access != ACCESS_PUBLIC;
	return needed;
}

static void add_label(struct writing *w, int *label, enum type_access access)
{
	if (*label == (int)access)
		return;
	*label = (int)access;
	add_margin(w, w->indent - 2);
	buf_addf(w->out, "%s:\n", access_words[access]);
}

static void add_bases(struct buf *out, const struct type *t)
{
	const char *before = " : ";
	size_t n;
	const struct type_member *members = type_members(t, &n);

	for (size_t i = 0; i < n; i++) {
		if (members[i].kind != MEMBER_BASE)
			continue;
		buf_addf(out, "%s%s %s", before, access_words[members[i].access],
			 members[i].is_virtual ? "virtual " : "");
		style_add_text(out, members[i].name ? members[i].name : "");
		before = ", ";
	}
}

/* " [with T = int]" */
static void add_parameters(struct buf *out, const struct type *t)
{
	const char *before = " [with ";
	size_t n;
	const struct type_naming *namings = type_namings(t, &n);

	for (size_t i = 0; i < n; i++) {
		if (!namings[i].is_parameter || namings[i].is_value || !namings[i].name)
			continue;
		style_add_between(out, before, namings[i].name, " = ");
		add_type_name(out, namings[i].type);
		before = ", ";
	}
	buf_adds(out, before[0] == ',' ? "]" : "");
}

static void add_struct(struct writing *w, const struct type *t);

/* A structure that has no other place where it is described. */
static bool is_described_here(const struct writing *w, const struct type *t)
{
	return t->kind == TYPE_STRUCT && w->nesting < NESTING_MAX &&
	       (!t->name || (w->how->offsets && !t->is_declared));
}

static void add_member(struct writing *w, const struct type_member *m)
{
	const struct type *t = type_unqualified(m->type);

	add_offset(w, m);
	style_add_spaces(w->out, w->indent);
	buf_adds(w->out, m->kind == MEMBER_STATIC ? "static " : "");
	if (is_described_here(w, t) && m->kind == MEMBER_FIELD) {
		struct writing inner = *w;
		inner.indent += 4;
		inner.base += m->offset;
		inner.end = 0;
		inner.nesting++;
		add_struct(&inner, t);
		style_add_between(w->out, m->name ? " " : "", m->name ? m->name : "", "");
	} else {
		add_declaration(w->out, m->type, m->name ? m->name : "");
	}
	if (m->bit_size)
		buf_addf(w->out, " : %u", m->bit_size);
	buf_adds(w->out, ";\n");
}

/* "T (" of a method; constructors, destructors and conversions return nothing that is written. */
static bool returns(const struct type *t, const struct type_method *m)
{
	const char *own = t->name ? t->name : "", *end = own + strcspn(own, "<");

	for (const char *at = own; (at = strstr(at, "::")) && at < end;)
		own = at += 2;
	size_t len = strcspn(own, "<");
	bool constructs = !strncmp(m->name, own, len) && m->name[len] == '\0';
	bool converts = !strncmp(m->name, "operator ", 9) && strncmp(m->name, "operator new", 12) &&
			strncmp(m->name, "operator delete", 15);
	return !constructs && !converts && m->name[0] != '~';
}

/* What "this" points to says whether the function leaves it alone. */
static void add_qualifiers(struct buf *out, const struct type_method *m)
{
	const struct type *self =
		!m->is_static && m->type->nparameters ? m->type->parameters[0] : NULL;
	const struct type *object = self ? type_strip(self)->target : NULL;

	for (; object && object->kind != TYPE_STRUCT; object = object->target)
		buf_adds(out, object->kind == TYPE_CONST      ? " const"
			      : object->kind == TYPE_VOLATILE ? " volatile"
							      : "");
}

static void add_method(struct writing *w, const struct type *t, const struct type_method *m)
{
	size_t first = m->nartificial;

	add_margin(w, w->indent);
	buf_adds(w->out, m->is_virtual ? "virtual " : m->is_static ? "static " : "");
	if (returns(t, m)) {
		add_type_name(w->out, m->type->target);
		buf_addc(w->out, ' ');
	}
	style_add_between(w->out, "", m->name, "(");
	for (size_t i = first; i < m->type->nparameters; i++) {
		buf_adds(w->out, i > first ? ", " : "");
		add_type_name(w->out, m->type->parameters[i]);
	}
	if (m->type->varargs)
		buf_adds(w->out, m->type->nparameters > first ? ", ..." : "...");
	else if (m->type->nparameters <= first)
		buf_adds(w->out, "void");
	buf_addc(w->out, ')');
	add_qualifiers(w->out, m);
	buf_adds(w->out, ";\n");
}

static void add_methods(struct writing *w, const struct type *t, int *label)
{
	bool first = true;
	size_t n;
	const struct type_method *methods = type_methods(t, &n);

	for (size_t i = 0; i < n && !w->how->offsets && !w->how->no_methods; i++) {
		if (methods[i].is_artificial)
			continue;
		if (first && *label != ACCESS_NONE)
			buf_addc(w->out, '\n');
		first = false;
		add_label(w, label, methods[i].access);
		add_method(w, t, &methods[i]);
	}
}

static void add_namings(struct writing *w, const struct type *t)
{
	bool first = true;
	size_t n;
	const struct type_naming *namings = type_namings(t, &n);

	for (size_t i = 0; i < n && !w->how->offsets && !w->how->no_types; i++) {
		if (namings[i].is_parameter || !namings[i].name || !namings[i].type->target)
			continue;
		buf_adds(w->out, first ? "\n" : "");
		first = false;
		add_margin(w, w->indent);
		buf_adds(w->out, "typedef ");
		add_declaration(w->out, namings[i].type->target, namings[i].name);
		buf_adds(w->out, ";\n");
	}
}

static void add_struct(struct writing *w, const struct type *t)
{
	int label = ACCESS_NONE;
	size_t n;
	const struct type_member *members = type_members(t, &n);
	bool labels = needs_labels(t);

	w->is_union = t->is_union;
	buf_adds(w->out, t->tag ? t->tag : "struct");
	style_add_between(w->out, t->name ? " " : "", t->name ? t->name : "", "");
	add_parameters(w->out, t);
	add_bases(w->out, t);
	buf_adds(w->out, " {\n");
	if (t->is_declared && !n) {
		add_margin(w, w->indent);
		buf_adds(w->out, "<incomplete type>\n");
	}
	for (size_t i = 0; i < n; i++) {
		if (is_hidden(&members[i]))
			continue;
		if (*w->left == 0) {
			add_margin(w, w->indent);
			buf_adds(w->out, "...\n");
			break;
		}
		--*w->left;
		if (labels)
			add_label(w, &label, members[i].access);
		add_member(w, &members[i]);
	}
	add_methods(w, t, &label);
	add_namings(w, t);
	if (!t->is_declared || n)
		add_total(w, t);
	add_margin(w, w->indent - 4 + (w->how->offsets && w->indent == 4 ? 2 : 0));
	buf_addc(w->out, '}');
}

/* ---- all types -------------------------------------------------------------------------- */

static void add_enumerators(struct buf *out, const struct type *t)
{
	int64_t next = 0;

	buf_addc(out, '{');
	for (size_t i = 0; i < t->nenumerators; i++) {
		buf_adds(out, i ? ", " : "");
		style_add_text(out, t->enumerators[i].name);
		if (t->enumerators[i].value != next)
			buf_addf(out, " = %" PRId64, t->enumerators[i].value);
		next = t->enumerators[i].value + 1;
	}
	buf_addc(out, '}');
}

static void add_enum(struct buf *out, const struct type *t)
{
	buf_addf(out, "%s ", t->tag);
	style_add_between(out, "", t->name ? t->name : "", t->name ? " " : "");
	if (t->is_cxx && t->target) {
		buf_adds(out, ": ");
		add_type_name(out, t->target);
		buf_addc(out, ' ');
	}
	add_enumerators(out, t);
}

void format_type(struct buf *out, const struct type *type, const struct format_type_options *how)
{
	AUTO_BUF before = { 0 }, behind = { 0 };

	if (type->is_fortran) {
		if (!format_fortran_type(out, type))
			add_type_name(out, type_strip(type));
		return;
	}
	const struct type *t = type_add_around(&before, &behind, type);

	style_add_text(out, buf_text(&before));
	if (t->kind == TYPE_ENUM && t->tag) {
		add_enum(out, t);
	} else if (t->kind == TYPE_STRUCT) {
		size_t left = MEMBERS_MAX;
		struct writing w = { .out = out, .how = how, .indent = 4, .left = &left };
		add_struct(&w, t);
	} else {
		add_type_name(out, t);
	}
	style_add_text(out, buf_text(&behind));
}
