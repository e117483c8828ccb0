/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_job.h"

#include <string.h>

#include "base/text.h"

enum { WIDTH_MAX = 32, COLUMNS = 3 }; /* what is wider pushes the rest of its line */

static void add_cell(struct buf *out, const struct job_link *l, size_t column)
{
	if (!column)
		job_why_add_ranks(out, l);
	else
		buf_adds(out, column == 1 ? l->thread : l->where);
}

static void add_chain(struct buf *out, const struct job_why *w, const struct style *style)
{
	static const enum ink inks[COLUMNS] = { INK_TITLE, INK_TITLE, INK_NAME };
	size_t widths[COLUMNS] = { 0 };

	vec_for_each (link, &w->blame) {
		for (size_t i = 0; i < COLUMNS; i++) {
			AUTO_BUF text = { 0 };
			add_cell(&text, link, i);
			const size_t width = style_width(&text);
			widths[i] = width > widths[i] && width <= WIDTH_MAX ? width : widths[i];
		}
	}
	vec_for_each (link, &w->blame) {
		for (size_t i = 0; i < COLUMNS; i++) {
			AUTO_BUF text = { 0 };
			add_cell(&text, link, i);
			if (!widths[i] && !text.len)
				continue;
			buf_adds(out, "  ");
			style_add_column(out, inks[i], &text, widths[i], style);
		}
		buf_adds(out, "  ");
		style_add_inked(out, link == w->blame.items ? INK_BUSY : INK_WAIT, link->does,
				style);
		buf_addc(out, '\n');
	}
}

void format_job_why(struct buf *out, const struct job_why *w, const struct style *style)
{
	style_add_inked(out, why_verdict_is_finding(w->verdict) ? INK_BUSY : INK_TITLE, w->summary,
			style);
	buf_adds(out, "\n\n");
	add_chain(out, w, style);
	buf_addc(out, '\n');
	style_add_inked(out, INK_TITLE, "How sure: ", style);
	buf_addf(out, "%s.", why_confidence_name(w->confidence));
	vec_for_each (reason, &w->reasons)
		buf_addf(out, " %s", *reason);
	buf_addc(out, '\n');
}

static void add_row_of(struct buf *out, const struct job_counts_row *row)
{
	text_add_ranges(out, row->ranks.items, row->ranks.len, ',');
}

void format_job_counts(struct buf *out, const struct job_counts *c, const struct style *style)
{
	static const char title[] = "ranks";
	size_t width = strlen(title);

	vec_for_each (row, &c->rows) {
		AUTO_BUF ranks = { 0 };
		add_row_of(&ranks, row);
		width = ranks.len > width && ranks.len <= WIDTH_MAX ? ranks.len : width;
	}
	style_begin(out, INK_TITLE, style);
	buf_addf(out, "%-*s", (int)width, title);
	vec_for_each (column, &c->columns)
		buf_addf(out, "  %s", *column);
	style_end(out, style);
	buf_addc(out, '\n');
	vec_for_each (row, &c->rows) {
		AUTO_BUF ranks = { 0 };
		add_row_of(&ranks, row);
		style_add_column(out, INK_TITLE, &ranks, width, style);
		for (size_t i = 0; i < c->columns.len; i++)
			buf_addf(out, "  %*ld", (int)strlen(c->columns.items[i]),
				 row->values.items[i]);
		buf_addc(out, '\n');
	}
}

void json_job_why(struct json *j, const struct job_why *w)
{
	json_add_string(j, "verdict", why_verdict_name(w->verdict));
	json_add_string(j, "class", job_class_name(w->class));
	json_add_string(j, "confidence", why_confidence_name(w->confidence));
	json_add_string(j, "summary", w->summary);
	json_add_array(j, "blame");
	vec_for_each (link, &w->blame) {
		json_add_object(j, NULL);
		json_add_array(j, "ranks");
		vec_for_each (rank, &link->ranks)
			json_add_integer(j, NULL, *rank);
		json_end(j);
		json_add_string(j, "thread", link->thread);
		json_add_string(j, "where", link->where);
		json_add_string(j, "does", link->does);
		json_end(j);
	}
	json_end(j);
}
