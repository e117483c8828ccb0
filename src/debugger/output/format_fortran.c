/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_fortran.h"

#include <inttypes.h>
#include <string.h>

#include "debugger/output/style.h"

static bool is_row(const struct shown *s)
{
	const struct type *t = type_strip(s->type);

	return t->kind == TYPE_ARRAY && !t->is_string;
}

/* Rows stand beside each other, elements have commas between. */
static void add_array(struct buf *out, const struct shown *s, char letter, size_t depth,
		      format_part part)
{
	bool rows = s->nitems && is_row(&s->items[0]);

	buf_addc(out, '(');
	for (size_t i = 0; i < s->nitems; i++) {
		const struct shown *item = &s->items[i];
		bool last = i + 1 == s->nitems && !s->more;
		if (s->how.indexes && !item->again)
			buf_addf(out, "(%" PRId64 ") = ", (int64_t)item->index);
		if (item->again)
			buf_addf(out, "<repeats %" PRIu64 " times>", item->times);
		else
			part(out, item, letter, depth + 1);
		buf_adds(out, last ? "" : rows ? " " : ", ");
	}
	buf_adds(out, s->more ? "...)" : ")");
}

static void add_struct(struct buf *out, const struct shown *s, char letter, size_t depth,
		       format_part part)
{
	buf_adds(out, "( ");
	for (size_t i = 0; i < s->nitems; i++) {
		const struct shown *item = &s->items[i];
		style_add_between(out, i ? ", " : "", item->name ? item->name : "", " = ");
		part(out, item, letter, depth + 1);
	}
	buf_adds(out, s->more ? "... )" : " )");
}

void format_fortran_items(struct buf *out, const struct shown *s, char letter, size_t depth,
			  format_part part)
{
	const struct type *t = type_strip(s->type);

	if (t->kind == TYPE_STRUCT) {
		add_struct(out, s, letter, depth, part);
		return;
	}
	if (t->kind != TYPE_COMPLEX) {
		add_array(out, s, letter, depth, part);
		return;
	}
	buf_addc(out, '(');
	part(out, &s->items[0], letter, depth + 1);
	buf_addc(out, ',');
	part(out, &s->items[1], letter, depth + 1);
	buf_addc(out, ')');
}

/* "integer(kind=4), allocatable :: cells(:,:)" */
static void add_member(struct buf *out, const struct type_member *m)
{
	AUTO_BUF name = { 0 };

	type_add_name(&name, m->type);
	char *bounds =
		type_strip(m->type)->kind == TYPE_ARRAY && !type_is_string(m->type) && name.len
			? strrchr(name.data, '(')
			: NULL;
	AUTO_FREE char *behind = bounds ? strdup(bounds) : NULL;
	if (bounds)
		bounds[-1] = '\0';
	style_add_between(out, "    ", buf_text(&name), " :: ");
	style_add_between(out, "", m->name ? m->name : "", behind ? behind : "");
	buf_addc(out, '\n');
}

bool format_fortran_type(struct buf *out, const struct type *t)
{
	const struct type *of = type_strip(t);
	AUTO_BUF name = { 0 };
	size_t n;

	bool pointer = of->kind == TYPE_POINTER && of->is_fortran && of->target;
	if (pointer && type_is_struct(of->target)) {
		buf_adds(out, "PTR TO -> ( ");
		format_fortran_type(out, of->target);
		buf_adds(out, " )");
		return true;
	}
	while (of->kind == TYPE_ARRAY && of->is_fortran && of->target)
		of = type_strip(of->target);
	if (of->kind != TYPE_STRUCT || !of->is_fortran)
		return false;
	const struct type_member *members = type_members(of, &n);
	style_add_between(out, "Type ", of->name ? of->name : "", "\n");
	for (size_t i = 0; i < n; i++)
		add_member(out, &members[i]);
	type_add_name(&name, t);
	style_add_between(out, "End ", buf_text(&name), "");
	return true;
}
