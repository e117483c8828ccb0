/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_frame_values.h"

#include <string.h>

#include "debugger/output/format_merged_value.h"

enum { ROWS_MAX = 64 }; /* variables of one frame */

/* A variable of one name, in all frames. */
struct row {
	size_t again; /* an inner one of the same name has come that often */
	struct merged_value value;
};

struct rows {
	struct row *items; /* owned */
	size_t len, cap;
	size_t left; /* of them are not kept */
};

static void rows_fini(struct rows *l)
{
	vec_for_each (row, l)
		merged_value_fini(&row->value);
	vec_fini(l);
}

static bool is_row(const struct row *row, const char *name, size_t again)
{
	return row->again == again && !strcmp(row->value.name, name);
}

static struct row *get_row(struct buf *out, struct rows *l, const char *name, size_t again)
{
	vec_for_each (row, l) {
		if (is_row(row, name, again))
			return row;
	}
	if (l->len >= ROWS_MAX) {
		l->left++;
		return NULL;
	}
	if (!vec_push(l, (struct row){ again, { .name = name } })) {
		out->failed = true;
		return NULL;
	}
	return &l->items[l->len - 1];
}

static size_t count_named(const struct shown_variables *all, size_t n, const char *name)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += all->items[i].name && !strcmp(all->items[i].name, name);
	return found;
}

/* outer: what the frame has further out. */
static void add_all(struct buf *out, struct rows *l, const struct shown_variables *outer,
		    const struct shown_variables *all, const int *threads, size_t nthreads)
{
	for (size_t i = 0; i < all->len; i++) {
		const struct shown_variable *variable = &all->items[i];
		const char *name = variable->name ? variable->name : "?";
		size_t again = count_named(all, i, name);
		again += outer ? count_named(outer, outer->len, name) : 0;
		struct row *row = get_row(out, l, name, again);
		if (!row)
			continue;
		merged_value_add(out, &row->value, &variable->value, threads, nthreads);
	}
}

/* What nobody has is one line. */
static bool is_gone(const struct row *row, size_t threads)
{
	const struct merged_value *v = &row->value;

	return v->missing == threads && v->values.len == 1 &&
	       !strcmp(buf_text(&v->values.items[0].text), "<optimized out>");
}

static void add_gone(struct buf *out, const struct rows *l, size_t threads, const char *prefix)
{
	const char *before = "<optimized out>: ";

	vec_for_each (row, l) {
		if (!is_gone(row, threads))
			continue;
		buf_adds(out, *before == '<' ? prefix : "");
		style_add_between(out, before, row->value.name, "");
		before = ", ";
	}
	buf_adds(out, *before == '<' ? "" : "\n");
}

static void add_note(struct buf *out, const char *prefix, const char *text,
		     const struct style *style)
{
	buf_adds(out, prefix);
	style_begin(out, INK_NOTE, style);
	buf_adds(out, text);
	style_end(out, style);
	buf_addc(out, '\n');
}

/* Threads of a team have the frames further out in common: those are read once. */
static size_t count_same(const struct format_same_frames *of, size_t from)
{
	size_t n = 1;

	while (from + n < of->len && of->frames[from + n]->frame == of->frames[from]->frame)
		n++;
	return n;
}

void format_frame_values(struct buf *out, const struct view *v, const struct format_same_frames *of,
			 const char *prefix, const struct style *style)
{
	AUTO(rows_fini) struct rows rows = { 0 };
	size_t unread = 0;

	if (!v->values)
		return;
	for (size_t i = 0, n; i < of->len; i += n) {
		const struct stitched_frame *f = of->frames[i];
		const struct frame_values_item *item = frame_values_of(v->values, v->stacks, f);
		n = count_same(of, i);
		unread += item || f->hidden || !f->frame ? 0 : n;
		if (!item)
			continue;
		add_all(out, &rows, NULL, &item->arguments, of->threads + i, n);
		add_all(out, &rows, &item->arguments, &item->locals, of->threads + i, n);
	}
	vec_for_each (row, &rows) {
		if (is_gone(row, of->len))
			continue;
		buf_adds(out, prefix);
		format_merged_value(out, &row->value, v->picture, of->len);
		buf_addc(out, '\n');
	}
	add_gone(out, &rows, of->len, prefix);
	if (rows.left)
		add_note(out, prefix, "(there are more variables)", style);
	if (unread)
		add_note(out, prefix,
			 unread < of->len ? "(values of some of these threads were not read)"
					  : "(values were not read)",
			 style);
}
