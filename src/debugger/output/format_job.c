/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_job.h"

#include <string.h>

#include "base/text.h"
#include "debugger/output/drawing.h"

enum { WIDTH_MAX = 32 }; /* what is wider pushes the rest of its line */

enum { RANKS, THREAD, WHERE, COLUMNS };

static void add_cell(struct buf *out, const struct job_link *l, size_t column)
{
	if (column == RANKS)
		job_link_add_ranks(out, l);
	else
		buf_adds(out, column == THREAD ? l->thread : l->where);
}

/* Of the columns before the last. */
static void measure(const struct job_links *links, size_t widths[COLUMNS])
{
	vec_for_each (link, links) {
		for (size_t i = 0; i < COLUMNS; i++) {
			AUTO_BUF text = { 0 };
			add_cell(&text, link, i);
			const size_t width = style_width(&text);
			widths[i] = width > widths[i] && width <= WIDTH_MAX ? width : widths[i];
		}
	}
}

static void add_link(struct buf *out, const struct job_link *l, const size_t widths[COLUMNS],
		     enum ink does, const struct style *style)
{
	static const enum ink inks[COLUMNS] = { INK_TITLE, INK_TITLE, INK_NAME };

	for (size_t i = 0; i < COLUMNS; i++) {
		AUTO_BUF text = { 0 };
		add_cell(&text, l, i);
		if (!widths[i] && !text.len)
			continue;
		buf_adds(out, "  ");
		style_add_column(out, inks[i], &text, widths[i], style);
	}
	buf_adds(out, "  ");
	style_add_inked(out, does, l->does, style);
	buf_addc(out, '\n');
}

static void add_chain(struct buf *out, const struct job_why *w, const struct style *style)
{
	size_t widths[COLUMNS] = { 0 };

	measure(&w->blame, widths);
	vec_for_each (link, &w->blame)
		add_link(out, link, widths, link == w->blame.items ? INK_BUSY : INK_WAIT, style);
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

/* ---- who waits for whom -------------------------------------------------------------------- */

void format_job_graph(struct buf *out, const struct job_why *w, const struct style *style)
{
	const struct job_graph *g = &w->graph;
	struct drawing drawing = { 0 };
	size_t edge = 0, widths[COLUMNS] = { 0 };

	measure(&g->nodes, widths);
	buf_addc(out, '\n');
	style_add_inked(out, INK_TITLE, "who waits for whom", style);
	buf_addc(out, '\n');
	for (size_t i = 0; i < g->nodes.len; i++) {
		add_link(out, &g->nodes.items[i], widths, INK_WAIT, style);
		for (; edge < g->edges.len && g->edges.items[edge].from == i; edge++) {
			const bool more =
				edge + 1 < g->edges.len && g->edges.items[edge + 1].from == i;
			drawing_enter(&drawing, 1, more);
			buf_adds(out, "  ");
			drawing_add_title(out, &drawing, style);
			buf_adds(out,
				 g->nodes.items[i].ranks.len == 1 ? "waits for " : "wait for ");
			job_link_add_ranks(out, &g->nodes.items[g->edges.items[edge].to]);
			buf_addc(out, '\n');
		}
	}
}

static void add_label(struct buf *out, const struct job_link *l)
{
	AUTO_BUF lines = { 0 };

	job_link_add_ranks(&lines, l);
	buf_addf(&lines, "%s%s", *l->thread ? ", thread " : "", l->thread);
	buf_addf(&lines, "%s%s\n%s", *l->where ? "\n" : "", l->where, l->does);
	drawing_add_quoted(out, buf_text(&lines));
	out->failed |= lines.failed;
}

void format_job_dot(struct buf *out, const struct job_why *w)
{
	const struct job_graph *g = &w->graph;

	buf_adds(out, "digraph why {\n");
	for (size_t i = 0; i < g->nodes.len; i++) {
		buf_addf(out, "\tn%zu [shape=box, label=\"", i);
		add_label(out, &g->nodes.items[i]);
		buf_adds(out, "\"];\n");
	}
	vec_for_each (e, &g->edges)
		buf_addf(out, "\tn%zu -> n%zu [label=\"waits for\", style=dashed];\n", e->from,
			 e->to);
	buf_adds(out, "}\n");
}

/* ---- how many of what ---------------------------------------------------------------------- */

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

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_job_links(struct json *j, const char *key, const struct job_links *links)
{
	json_add_array(j, key);
	vec_for_each (link, links) {
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

static void json_job_graph(struct json *j, const struct job_why *w)
{
	json_add_object(j, "graph");
	json_job_links(j, "nodes", &w->graph.nodes);
	json_add_array(j, "edges");
	vec_for_each (e, &w->graph.edges) {
		json_add_object(j, NULL);
		json_add_unsigned(j, "from", e->from);
		json_add_unsigned(j, "to", e->to);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

void json_job_why(struct json *j, const struct job_why *w)
{
	json_add_string(j, "verdict", why_verdict_name(w->verdict));
	json_add_string(j, "class", job_class_name(w->class));
	json_add_string(j, "confidence", why_confidence_name(w->confidence));
	json_add_string(j, "summary", w->summary);
	json_add_array(j, "reasons");
	vec_for_each (reason, &w->reasons)
		json_add_string(j, NULL, *reason);
	json_end(j);
	json_job_links(j, "blame", &w->blame);
	json_job_graph(j, w);
}
