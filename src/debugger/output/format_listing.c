/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_listing.h"

#include <string.h>

#include "debugger/output/drawing.h"

enum {
	COLUMNS_MAX = 24,
	WIDTH_MAX = 40, /* of a cell: longer ones are cut          */
	SET_MAX = 24,   /* of what tells the rows of a line apart */
};

struct column {
	const struct listing_key *key;
	size_t width;
	bool whole; /* its cells are not cut */
};

struct page {
	const struct listing *listing;
	const struct listing_lines *lines;
	const struct listing_key *group;
	const struct style *style;
	struct column columns[COLUMNS_MAX];
	size_t ncolumns;
};

/* ---- cells -------------------------------------------------------------------------------- */

/* Cut behind a whole part of a list, if it is one. */
static void cut(struct buf *text, size_t width)
{
	size_t end = width - strlen("...");

	if (style_width(text) <= width)
		return;
	for (size_t i = end; i > end / 2; i--) {
		if (text->data[i - 1] == ',' || text->data[i - 1] == ' ') {
			end = i;
			break;
		}
	}
	while (end && ((unsigned char)text->data[end] & 0xc0) == 0x80)
		end--;
	text->len = end;
	buf_adds(text, "...");
}

static void add_cell(struct buf *out, const struct page *page, const struct listing_line *line,
		     const struct listing_key *key, bool whole)
{
	AUTO_CELL cell = { 0 };

	listing_line_get(page->listing, line, key, &cell);
	if (whole)
		style_add_text(out, buf_text(&cell.text));
	else
		style_add_function(out, buf_text(&cell.text), page->style);
	out->failed |= cell.text.failed;
	if (!whole)
		cut(out, listing_is_name(page->listing->kind, key) ? SET_MAX : WIDTH_MAX);
}

/* ---- the table ---------------------------------------------------------------------------- */

static void find_columns(struct page *page)
{
	const enum listing_kind kind = page->listing->kind;
	const struct listing_key *key;

	for (size_t n = 0; (key = listing_column(kind, n)) && page->ncolumns < COLUMNS_MAX; n++) {
		size_t width = 0;
		const bool last = !listing_column(kind, n + 1);
		vec_for_each (line, &page->lines->items) {
			AUTO_BUF text = { 0 };
			add_cell(&text, page, line, key, last);
			width = style_width(&text) > width ? style_width(&text) : width;
		}
		if (!width)
			continue;
		width = strlen(key->name) > width ? strlen(key->name) : width;
		page->columns[page->ncolumns++] = (struct column){ key, width, last };
	}
}

static size_t width_of(const struct page *page)
{
	size_t width = 0;

	for (size_t i = 0; i < page->ncolumns; i++)
		width += page->columns[i].width + (i ? 2 : 0);
	return width;
}

/* Leaves out what is least wanted, until lines are short enough. */
static void leave_out(struct page *page)
{
	const struct listing_key *key;

	for (size_t n = 0; page->style->width && width_of(page) > page->style->width &&
			   (key = listing_spare(page->listing->kind, n));
	     n++) {
		size_t kept = 0;
		for (size_t i = 0; i < page->ncolumns; i++) {
			if (page->columns[i].key != key)
				page->columns[kept++] = page->columns[i];
		}
		page->ncolumns = kept;
	}
}

static void add_heading(struct buf *out, const struct page *page)
{
	style_begin(out, INK_TITLE, page->style);
	for (size_t i = 0; i < page->ncolumns; i++) {
		const struct column *c = &page->columns[i];
		buf_adds(out, i ? "  " : "");
		buf_adds(out, c->key->name);
		if (i + 1 < page->ncolumns)
			style_add_spaces(out, c->width - strlen(c->key->name));
	}
	style_end(out, page->style);
	buf_addc(out, '\n');
}

static void add_line(struct buf *out, const struct page *page, const struct listing_line *line)
{
	size_t spaces = 0;

	for (size_t i = 0; i < page->ncolumns; i++) {
		AUTO_BUF text = { 0 };
		add_cell(&text, page, line, page->columns[i].key, page->columns[i].whole);
		if (text.len) {
			style_add_spaces(out, spaces);
			buf_add(out, text.data, text.len);
			spaces = 0;
		}
		spaces += page->columns[i].width - style_width(&text) + 2;
		out->failed |= text.failed;
	}
	buf_addc(out, '\n');
}

/* "wait explicit barrier: 3 threads" */
static void add_group(struct buf *out, const struct page *page, size_t first)
{
	const struct listing_line *lines = page->lines->items.items;
	AUTO_BUF text = { 0 };
	size_t rows = 0;

	for (size_t i = first; i < page->lines->items.len && lines[i].group == lines[first].group;
	     i++)
		rows += lines[i].rows.len;
	add_cell(&text, page, &lines[first], page->group, true);
	style_begin(out, INK_BORDER, page->style);
	buf_addf(out, "%s %s", text.len ? page->group->name : "no",
		 text.len ? buf_text(&text) : page->group->name);
	style_end(out, page->style);
	buf_addf(out, ": %zu\n", rows);
}

static bool begins_group(const struct page *page, size_t i)
{
	const struct listing_line *lines = page->lines->items.items;

	return page->group && (!i || lines[i].group != lines[i - 1].group);
}

void format_listing(struct buf *out, const struct listing *l, const struct listing_lines *lines,
		    const struct listing_key *group, const struct style *style)
{
	struct page page = { .listing = l, .lines = lines, .group = group, .style = style };

	find_columns(&page);
	leave_out(&page);
	if (page.ncolumns)
		add_heading(out, &page);
	for (size_t i = 0; i < lines->items.len; i++) {
		if (begins_group(&page, i))
			add_group(out, &page, i);
		add_line(out, &page, &lines->items.items[i]);
	}
}

/* ---- each row by itself ------------------------------------------------------------------- */

void format_listing_rows(struct buf *out, const struct listing *l,
			 const struct listing_lines *lines, const struct listing_key *group,
			 const struct style *style)
{
	enum { NAME_WIDTH = 12 };
	const struct page page = { .listing = l, .lines = lines, .group = group, .style = style };

	for (size_t i = 0; i < lines->items.len; i++) {
		buf_adds(out, i ? "\n" : "");
		if (begins_group(&page, i))
			add_group(out, &page, i);
		for (const struct listing_key *key = NULL;
		     (key = listing_next_key(l->kind, key));) {
			AUTO_BUF text = { 0 };
			add_cell(&text, &page, &lines->items.items[i], key, true);
			if (!text.len)
				continue;
			style_begin(out, INK_TITLE, style);
			buf_addf(out, "%-*s", NAME_WIDTH, key->name);
			style_end(out, style);
			buf_add(out, text.data, text.len);
			buf_addc(out, '\n');
			out->failed |= text.failed;
		}
	}
}

void format_listing_group(struct buf *out, const struct listing *l,
			  const struct listing_lines *lines, const struct listing_key *group,
			  size_t first, const struct style *style)
{
	const struct page page = { .listing = l, .lines = lines, .group = group, .style = style };

	add_group(out, &page, first);
}

/* ---- graphviz ----------------------------------------------------------------------------- */

static void add_dot_task(struct buf *out, const struct listing *l, const struct listing_row *row)
{
	static const char *const names[] = { "function", "at", "state", "thread", NULL };
	const long id = picture_task_id(l->picture, row->task);

	buf_addf(out, "\t\"task %ld\" [label=\"task %ld", id, id);
	for (const char *const *name = names; *name; name++) {
		AUTO_CELL cell = { 0 };
		listing_get(l, row, listing_key(l->kind, *name, strlen(*name)), &cell);
		if (cell.kind == CELL_NONE)
			continue;
		AUTO_BUF text = { 0 };
		style_add_text(&text, buf_text(&cell.text));
		buf_adds(out, "\\n");
		drawing_add_quoted(out, buf_text(&text));
	}
	if (row->unfinished > 0)
		buf_addf(out, "\\n%ld unfinished", row->unfinished);
	buf_adds(out, "\"];\n");
}

/* Of what is not shown itself there is the name. */
static void add_dot_edges(struct buf *out, const struct listing *l, const struct listing_row *row)
{
	const struct picture *p = l->picture;
	const struct picture_task *t = &p->tasks.items[row->task];
	const long id = picture_task_id(p, row->task);

	if (picture_task(p, t->creator))
		buf_addf(out, "\t\"task %ld\" -> \"task %ld\";\n", picture_task_id(p, t->creator),
			 id);
	vec_for_each (other, &t->waits_for)
		buf_addf(out, "\t\"task %ld\" -> \"task %ld\" [style=dashed];\n", id,
			 picture_task_id(p, *other));
}

void format_listing_dot(struct buf *out, const struct listing *l, const struct listing_lines *lines)
{
	buf_adds(out, "digraph tasks {\n\tnode [shape=box];\n");
	vec_for_each (line, &lines->items) {
		vec_for_each (i, &line->rows) {
			add_dot_task(out, l, &l->rows.items[*i]);
			add_dot_edges(out, l, &l->rows.items[*i]);
		}
	}
	buf_adds(out, "}\n");
}
