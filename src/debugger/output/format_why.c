/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_why.h"

#include <string.h>

#include "base/source.h"
#include "debugger/output/deciding_lines.h"
#include "debugger/output/format_picture.h"

enum {
	WIDTH_MAX = 32,   /* of a column: what is wider pushes the rest of its line    */
	SOURCES_MAX = 32, /* lines of the source: each costs reading a file            */
	TAB = 8,
};

static const enum ink verdict_inks[NUM_WHY_VERDICTS] = {
	[WHY_DEADLOCK] = INK_BUSY, [WHY_STUCK] = INK_BUSY,        [WHY_CRASHED] = INK_BUSY,
	[WHY_WAITING] = INK_WAIT,  [WHY_PROGRESSING] = INK_TITLE, [WHY_IDLE] = INK_TITLE,
	[WHY_UNKNOWN] = INK_NOTE,
};

/* The chain of blame: who, in which function, where --------------------------------------- */

static void add_who(struct buf *out, const struct view *v, const struct why_blame *b,
		    const struct style *style)
{
	const struct picture_thread *t = picture_thread(v->picture, b->thread);

	(void)style;
	if (!t) {
		buf_adds(out, "nobody");
	} else if (b->threads.len > 1) {
		buf_adds(out, "threads ");
		format_picture_set(out, v, b->threads.items, b->threads.len);
	} else {
		format_picture_thread(out, v, b->thread);
		if (picture_is_numbered(t))
			buf_addf(out, " (LWP %d)", t->lwp);
	}
}

static void add_function(struct buf *out, const struct view *v, const struct why_blame *b,
			 const struct style *style)
{
	(void)v;
	style_add_function(out, b->place.function ? b->place.function : "", style);
}

static void add_where(struct buf *out, const struct view *v, const struct why_blame *b,
		      const struct style *style)
{
	(void)v;
	(void)style;
	if (b->place.file)
		format_picture_place(out, &b->place);
	else if (b->place.code)
		style_add_between(out, "at ", b->place.code, "");
}

static const struct column {
	void (*add)(struct buf *out, const struct view *v, const struct why_blame *b,
		    const struct style *style);
	enum ink ink;
} columns[] = {
	{ add_who, INK_TITLE },
	{ add_function, INK_NAME },
	{ add_where, INK_WHERE },
};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

/* Of the widest entry in a column that is not too wide. */
static size_t measure(const struct column *column, const struct view *v, const struct why *w,
		      const struct style *style)
{
	AUTO_BUF scratch = { 0 };
	size_t widest = 0;

	vec_for_each (b, &w->blame) {
		scratch.len = 0;
		column->add(&scratch, v, b, style);
		size_t width = style_width(&scratch);
		if (width > widest && width <= WIDTH_MAX)
			widest = width;
	}
	return widest;
}

static void add_link(struct buf *out, const struct view *v, const struct why_blame *b,
		     const size_t *widths, enum ink ink, const struct style *style)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		AUTO_BUF text = { 0 };
		columns[i].add(&text, v, b, style);
		if (!text.len && !widths[i])
			continue;
		buf_adds(out, "  ");
		style_add_column(out, columns[i].ink, &text, widths[i], style);
	}
	buf_adds(out, "  ");
	style_add_inked(out, ink, b->reason ? b->reason : "", style);
	buf_addc(out, '\n');
}

/* The chain of blame: lines of the source ------------------------------------------------- */

struct page {
	size_t digits;  /* of the numbers of lines */
	size_t threads; /* of the link             */
	const struct style *style;
};

/* Without the blanks that it begins with; tabs become spaces. */
static void straighten(struct buf *ret, const char *line)
{
	size_t column = 0;

	for (; *line; line++) {
		bool tab = *line == '\t';
		size_t width = tab ? TAB - column % TAB : ((unsigned char)*line & 0xc0) != 0x80;
		column += width;
		if (!tab && (*line != ' ' || ret->len))
			buf_addc(ret, *line);
		else if (tab && ret->len)
			style_add_spaces(ret, width);
	}
}

static void add_values(struct buf *out, const struct view *v, const struct deciding_line *values,
		       size_t threads, const struct style *style)
{
	AUTO_BUF text = { 0 };

	if (values)
		deciding_lines_add(&text, values, v, threads);
	if (text.len) {
		buf_adds(out, "   ");
		style_add_column(out, INK_NAME, &text, 0, style);
	}
	out->failed |= text.failed;
}

/* A line of the source, with values that decide there; NULL: it has none. */
static void add_source_line(struct buf *out, const struct view *v, const struct place *place,
			    const struct deciding_line *values, const struct page *page)
{
	AUTO_BUF line = { 0 };
	AUTO_BUF text = { 0 };

	if (v->sources && source_cache_line(v->sources, place->file, place->line, &line))
		straighten(&text, buf_text(&line));
	if (!text.len && !values)
		return;
	buf_adds(out, "      ");
	style_begin(out, INK_IDLE, page->style);
	if (values && values->further)
		style_add_line(out, values->file, values->line);
	else
		buf_addf(out, "%*d", (int)page->digits, place->line);
	buf_adds(out, " | ");
	style_end(out, page->style);
	style_add_text(out, buf_text(&text));
	add_values(out, v, values, page->threads, page->style);
	buf_addc(out, '\n');
	out->failed |= line.failed || text.failed;
}

/* What has led to the place, then the place. again: it is the one of the link before. */
static void add_source(struct buf *out, const struct view *v, const struct why_blame *b, bool again,
		       const struct page *page)
{
	AUTO_DECIDING_LINES lines = { 0 };

	deciding_lines_find(out, v, b->threads.items, b->threads.len, &lines);
	const struct deciding_line *own = deciding_lines_at(&lines, &b->place);
	vec_for_each (line, &lines) {
		const struct place place = { .file = line->file, .line = line->line };
		if (line != own)
			add_source_line(out, v, &place, line, page);
	}
	if (!again || own)
		add_source_line(out, v, &b->place, own, page);
}

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static void add_chain(struct buf *out, const struct view *v, const struct why *w,
		      const struct style *style)
{
	size_t widths[COLUMNS], digits = 1, sources = 0;
	const struct place *before = NULL;

	if (!w->blame.len)
		return;
	for (size_t i = 0; i < COLUMNS; i++)
		widths[i] = measure(&columns[i], v, w, style);
	vec_for_each (b, &w->blame) {
		size_t needed = style_digits(b->place.line > 0 ? (size_t)b->place.line : 0);
		digits = needed > digits ? needed : digits;
	}
	buf_addc(out, '\n');
	vec_for_each (b, &w->blame) {
		/* The cause stands out. */
		add_link(out, v, b, widths, before ? INK_WAIT : INK_BUSY, style);
		const struct page page = { digits, b->threads.len, style };
		if (sources++ < SOURCES_MAX)
			add_source(out, v, b, before && is_same_line(before, &b->place), &page);
		before = &b->place;
	}
}

/* How sure, and what next ----------------------------------------------------------------- */

/* The first one goes on in the line, the others stand below it. */
static void add_sentences(struct buf *out, size_t column, char *const *sentences, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		style_add_spaces(out, i ? column : 0);
		style_add_text(out, sentences[i]);
		buf_addc(out, '\n');
	}
}

static void add_reasons(struct buf *out, const struct why *w, const struct style *style)
{
	static const char title[] = "How sure: ";

	buf_addc(out, '\n');
	style_add_inked(out, INK_TITLE, title, style);
	buf_addf(out, "%s.%c", why_confidence_name(w->confidence), w->reasons.len ? ' ' : '\n');
	add_sentences(out, strlen(title), w->reasons.items, w->reasons.len);
}

static void add_hints(struct buf *out, const struct why *w, const struct style *style)
{
	static const char title[] = "Next: ";

	if (!w->hints.len)
		return;
	style_add_inked(out, INK_TITLE, title, style);
	add_sentences(out, strlen(title), w->hints.items, w->hints.len);
}

void format_why(struct buf *out, const struct view *v, const struct why *w,
		const struct style *style)
{
	style_add_inked(out, verdict_inks[w->verdict], w->summary ? w->summary : "", style);
	buf_addc(out, '\n');
	add_chain(out, v, w, style);
	add_reasons(out, w, style);
	add_hints(out, w, style);
	format_picture_notes(out, v, style);
}
