/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_outline.h"

#include <string.h>

#include "base/text.h"
#include "debugger/output/drawing.h"

enum {
	NAME_WIDTH_MAX = 40, /* of the function column: longer names push their line's place */
	SETS_WIDTH_MAX = 64, /* of the threads of a branch: the rest is counted            */
	REPEATS_MIN = 3,     /* of equal lines: fewer are shown                            */
};

/* ---- threads ------------------------------------------------------------------------------- */

/* "[0-2,4-7]:0.[0,1]", "3:0.2" */
static void add_set(struct buf *out, const struct outline_set *set)
{
	buf_adds(out, set->ranks.len > 1 ? "[" : "");
	text_add_ranges(out, set->ranks.items, set->ranks.len, ',');
	buf_addf(out, "%s:%s", set->ranks.len > 1 ? "]" : "", set->threads);
}

static void add_threads(struct buf *out, const struct outline_node *node)
{
	AUTO_BUF sets = { 0 };
	size_t shown = 0;

	while (shown < node->sets.len && sets.len < SETS_WIDTH_MAX) {
		buf_adds(&sets, shown ? " " : "");
		add_set(&sets, &node->sets.items[shown++]);
	}
	if (shown < node->sets.len)
		buf_addf(&sets, " and %zu more sets", node->sets.len - shown);
	if (node->threads == 1)
		buf_addf(out, "thread %s", buf_text(&sets));
	else
		buf_addf(out, "%zu threads: %s", node->threads, buf_text(&sets));
	out->failed |= sets.failed;
}

/* ---- lines --------------------------------------------------------------------------------- */

static bool reads_same(const struct outline_node *a, const struct outline_node *b)
{
	return a->kind == b->kind && text_same(a->text, b->text) && text_same(a->where, b->where);
}

/* The line further in that all threads go on to; NULL: they part, or end here. */
static struct outline_node *only_way(const struct outline_node *node)
{
	struct outline_node *in = node->inside.len == 1 ? *node->inside.items : NULL;

	return in && in->threads == node->threads ? in : NULL;
}

static size_t measure(const struct outline_node *node)
{
	size_t widest = 0;

	for (; node; node = only_way(node)) {
		const struct buf text = { .data = node->text, .len = strlen(node->text) };
		const size_t width = node->kind == OUTLINE_FRAME ? style_width(&text) : 0;
		if (width <= NAME_WIDTH_MAX && width > widest)
			widest = width;
	}
	return widest;
}

static void add_line(struct buf *out, const struct outline_node *node, size_t width,
		     const struct style *style)
{
	const struct buf text = { .data = node->text, .len = strlen(node->text) };

	switch (node->kind) {
	case OUTLINE_BORDER:
		style_begin(out, INK_BORDER, style);
		style_mark(out, MARK_RULE, style);
		buf_addf(out, " %s ", node->text);
		style_mark(out, MARK_RULE, style);
		break;
	case OUTLINE_FRAME:
		style_add_column(out, INK_NAME, &text, width, style);
		buf_adds(out, "  ");
		style_begin(out, INK_WHERE, style);
		buf_adds(out, node->where);
		break;
	case OUTLINE_STATE:
	case NUM_OUTLINES:
		style_begin(out, INK_WAIT, style);
		style_mark(out, MARK_ARROW, style);
		buf_adds(out, node->text);
		break;
	}
	style_end(out, style);
	buf_addc(out, '\n');
}

/* The lines from node on that all its threads come through. Returns the last of them. */
static struct outline_node *add_run(struct buf *out, struct outline_node *node, const char *prefix,
				    const struct style *style)
{
	const size_t width = measure(node);

	for (;;) {
		struct outline_node *last = node, *next;
		size_t repeats = 0;
		buf_adds(out, prefix);
		add_line(out, node, width, style);
		while ((next = only_way(last)) && reads_same(next, node)) {
			last = next;
			repeats++;
		}
		if (repeats >= REPEATS_MIN) {
			buf_adds(out, prefix);
			buf_addf(out, "(the same call %zu more times)\n", repeats);
			node = last;
		}
		next = only_way(node);
		if (!next)
			return node;
		node = next;
	}
}

/* ---- branches ------------------------------------------------------------------------------ */

struct level {
	struct outline_node *node;
	size_t next; /* of what is inside */
};

static struct outline_node *add_branch(struct buf *out, struct outline_node *node,
				       const struct drawing *drawing, const struct style *style)
{
	AUTO_BUF prefix = { 0 };

	drawing_add_prefix(&prefix, drawing, style);
	if (drawing->depth)
		drawing_add_title(out, drawing, style);
	style_begin(out, INK_TITLE, style);
	add_threads(out, node);
	style_end(out, style);
	if (node->kind == OUTLINE_STATE) {
		buf_addc(out, ' ');
		add_line(out, node, 0, style);
		return node;
	}
	buf_addc(out, '\n');
	out->failed |= prefix.failed;
	return add_run(out, node, buf_text(&prefix), style);
}

void format_outline(struct buf *out, const struct outline *o, const struct style *style)
{
	VEC(struct level) levels = { 0 };
	struct drawing drawing = { 0 };
	struct level root = { .node = o->root };

	out->failed |= o->root && !vec_push(&levels, root);
	while (levels.len && !out->failed) {
		struct level *at = &levels.items[levels.len - 1];
		if (at->next == at->node->inside.len) {
			levels.len--;
			continue;
		}
		struct outline_node *node = at->node->inside.items[at->next++];
		const int depth = (int)levels.len - 1;
		if (!depth)
			buf_addc(out, '\n');
		drawing_enter(&drawing, depth, at->next < at->node->inside.len);
		node = add_branch(out, node, &drawing, style);
		out->failed |= !vec_push(&levels, (struct level){ .node = node });
	}
	vec_fini(&levels);
}
