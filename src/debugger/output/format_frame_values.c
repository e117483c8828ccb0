/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_frame_values.h"

#include <string.h>

#include "debugger/merge.h"
#include "debugger/output/format_team.h"
#include "debugger/output/format_value.h"

enum {
	ROWS_MAX = 64,   /* variables of one frame                    */
	WIDTH_MAX = 160, /* of one value                              */
	GROUPS_MAX = 4,  /* values of one variable before they are a range, or left out */
};

/* A variable of one name, in all frames. */
struct row {
	const char *name;
	size_t again; /* an inner one of the same name has come that often */
	struct team_values values;
	size_t threads, missing;
};

struct rows {
	struct row *items; /* owned */
	size_t len, cap;
	size_t left; /* of them are not kept */
};

static void rows_fini(struct rows *l)
{
	vec_for_each (row, l)
		team_values_fini(&row->values);
	vec_fini(l);
}

static bool as_number(const struct shown *s, long double *ret)
{
	const struct type *t = type_strip(s->type);
	uint64_t n = 0;

	if (s->missing || !type_is_integer(t) || !s->size || s->size > sizeof(n))
		return false;
	memcpy(&n, s->bytes, s->size);
	*ret = t->is_signed
		       ? (long double)((int64_t)(n << (64 - 8 * s->size)) >> (64 - 8 * s->size))
		       : (long double)n;
	return true;
}

/* Bytes of the text that are shown: characters stay whole. */
static void cut(struct buf *text)
{
	size_t len = WIDTH_MAX;

	if (text->len <= WIDTH_MAX)
		return;
	while (len && ((unsigned char)text->data[len] & 0xc0) == 0x80)
		len--;
	text->len = len;
	text->data[len] = 0;
	buf_adds(text, "...");
}

static bool is_row(const struct row *row, const char *name, size_t again)
{
	return row->again == again && !strcmp(row->name, name);
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
	if (!vec_push(l, (struct row){ .name = name, .again = again })) {
		out->failed = true;
		return NULL;
	}
	return &l->items[l->len - 1];
}

static void add_all(struct buf *out, struct rows *l, const struct shown_variables *all,
		    const int *threads, size_t nthreads)
{
	for (size_t i = 0; i < all->len; i++) {
		const struct shown_variable *variable = &all->items[i];
		const char *name = variable->name ? variable->name : "?";
		size_t again = 0;
		for (size_t k = 0; k < i; k++)
			again += all->items[k].name && !strcmp(all->items[k].name, name);
		struct row *row = get_row(out, l, name, again);
		if (!row)
			continue;
		for (size_t k = 0; k < nthreads; k++) {
			struct team_value made = { .is_error = variable->value.missing };
			made.is_number = as_number(&variable->value, &made.number);
			format_value(&made.text, &variable->value, 0);
			cut(&made.text);
			out->failed |= made.text.failed ||
				       !team_values_add(&row->values, threads[k], &made);
		}
		row->threads += nthreads;
		row->missing += variable->value.missing ? nthreads : 0;
	}
}

/* "3..17 (8 threads)" if all values are numbers. */
static bool add_range(struct buf *out, const struct row *row)
{
	const struct team_value *least = row->values.items, *greatest = least;

	vec_for_each (v, &row->values) {
		if (!v->is_number)
			return false;
		least = v->number < least->number ? v : least;
		greatest = v->number > greatest->number ? v : greatest;
	}
	buf_addf(out, "%s..%s (%zu threads)", buf_text(&least->text), buf_text(&greatest->text),
		 row->threads);
	return true;
}

static void add_groups(struct buf *out, const struct row *row, const struct picture *p)
{
	size_t n = 0;

	vec_for_each (v, &row->values) {
		if (n++ >= GROUPS_MAX)
			break;
		buf_adds(out, n > 1 ? "  " : "");
		merge_add_thread_set(out, p, v->threads.items, v->threads.len);
		buf_addf(out, ": %s", buf_text(&v->text));
	}
	if (row->values.len > GROUPS_MAX)
		buf_addf(out, "  ... and %zu other values", row->values.len - GROUPS_MAX);
}

static void add_row(struct buf *out, const struct view *v, const struct row *row, size_t threads)
{
	style_add_between(out, "", row->name, " = ");
	if (row->values.len == 1 && row->threads == threads)
		buf_adds(out, buf_text(&row->values.items[0].text));
	else if (row->values.len <= GROUPS_MAX || !add_range(out, row))
		add_groups(out, row, v->picture);
}

/* What nobody has is one line. */
static bool is_gone(const struct row *row, size_t threads)
{
	return row->missing == threads && row->values.len == 1 &&
	       !strcmp(buf_text(&row->values.items[0].text), "<optimized out>");
}

static void add_gone(struct buf *out, const struct rows *l, size_t threads, const char *prefix)
{
	const char *before = "<optimized out>: ";

	vec_for_each (row, l) {
		if (!is_gone(row, threads))
			continue;
		buf_adds(out, *before == '<' ? prefix : "");
		style_add_between(out, before, row->name, "");
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
		add_all(out, &rows, &item->arguments, of->threads + i, n);
		add_all(out, &rows, &item->locals, of->threads + i, n);
	}
	vec_for_each (row, &rows) {
		if (is_gone(row, of->len))
			continue;
		buf_adds(out, prefix);
		add_row(out, v, row, of->len);
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
