/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_tree.h"

#include <string.h>

#include "debugger/output/format_frames.h"
#include "debugger/output/format_picture.h"

enum {
	DEPTH_DRAWN = 12, /* branches further in are not moved to the right any more */
	ENDS_SHOWN = 3,   /* reasons why stacks end, of one branch                   */
};

/*
 * What goes on below a node: some of its threads go on to a callee, or (callee NULL) stay here
 * and do the same thing.
 */
struct item {
	const struct merge_node *callee; /* borrowed          */
	const int *threads;              /* borrowed, rising  */
	size_t len;
};

/* A node whose items are being written. */
struct level {
	VEC(struct item) items; /* owned; in the order of first threads */
	int *here;              /* owned; threads of items without callee */
	size_t next;
};

struct format_tree {
	VEC(struct level) levels;  /* owned; from outside in */
	const struct view *view;   /* borrowed               */
	const struct style *style; /* borrowed              */
};

/* Grouping -------------------------------------------------------------------------------- */

/* What is the same within a group of threads, and a thread that belongs to it. */
struct told {
	char *text; /* owned */
	int thread;
};

typedef void tell_fn(struct buf *out, const struct view *v, int thread);

static int compare_told(const void *a, const void *b)
{
	const struct told *x = a, *y = b;
	int text = strcmp(x->text, y->text);

	return text ? text : (x->thread > y->thread) - (x->thread < y->thread);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (*x->threads > *y->threads) - (*x->threads < *y->threads);
}

static void free_told(struct told *told, size_t len)
{
	for (size_t i = 0; told && i < len; i++)
		free(told[i].text);
	free(told);
}

static struct told *tell_all(const struct view *v, const int *threads, size_t len, tell_fn *tell)
{
	struct told *told = calloc(len ? len : 1, sizeof(*told));
	bool whole = told != NULL;

	for (size_t i = 0; whole && i < len; i++) {
		struct buf text = { 0 };
		tell(&text, v, threads[i]);
		buf_addc(&text, '\0');
		whole = buf_ok(&text);
		told[i] = (struct told){ text.data, threads[i] };
	}
	if (whole)
		return told;
	free_told(told, len);
	return NULL;
}

/*
 * Adds an item for each group of the threads about whom the same is told; keeps their numbers in
 * level->here. false: out of memory.
 */
static bool add_groups(struct level *level, const struct view *v, const int *threads, size_t len,
		       tell_fn *tell)
{
	struct told *told = tell_all(v, threads, len, tell);
	bool whole = told != NULL;

	level->here = calloc(len ? len : 1, sizeof(*level->here));
	if (!level->here || !told) {
		free_told(told, len);
		return false;
	}
	qsort(told, len, sizeof(*told), compare_told);
	for (size_t i = 0; i < len; i++)
		level->here[i] = told[i].thread;
	for (size_t i = 0, end; whole && i < len; i = end) {
		for (end = i + 1; end < len && !strcmp(told[end].text, told[i].text); end++)
			;
		whole = vec_push(&level->items, (struct item){ NULL, level->here + i, end - i });
	}
	free_told(told, len);
	return whole;
}

static void fini_level(struct level *level)
{
	vec_fini(&level->items);
	free(level->here);
}

static void tell_wait(struct buf *out, const struct view *v, int thread)
{
	format_picture_wait_below(out, v, thread, false);
}

/* NULL: the stack is complete. */
static const char *end_of(const struct view *v, int thread)
{
	const struct stitched *s = v->stitched;

	return (size_t)thread < s->stacks.len ? s->stacks.items[thread].end : NULL;
}

static void tell_end(struct buf *out, const struct view *v, int thread)
{
	const char *end = end_of(v, thread);

	style_add_text(out, end ? end : "");
}

/* The pool is where the stack of an idle thread ends: nothing to tell. */
static void add_end(struct buf *out, const struct view *v, int thread)
{
	const char *end = end_of(v, thread);

	if (!end || v->picture->threads.items[thread].role == ROLE_IDLE)
		return;
	buf_adds(out, " (");
	style_add_text(out, end);
	buf_addc(out, ')');
}

static void tell_wait_and_end(struct buf *out, const struct view *v, int thread)
{
	tell_wait(out, v, thread);
	add_end(out, v, thread);
}

static bool fill_level(struct level *level, const struct view *v, const struct merge_node *node)
{
	if (!add_groups(level, v, node->here.items, node->here.len,
			node->frame ? tell_wait : tell_wait_and_end))
		return false;
	vec_for_each (callee, &node->callees) {
		if (!vec_push(&level->items, (struct item){ *callee, (*callee)->threads.items,
							    (*callee)->threads.len }))
			return false;
	}
	if (level->items.len)
		qsort(level->items.items, level->items.len, sizeof(*level->items.items),
		      compare_items);
	return true;
}

/* Lines ----------------------------------------------------------------------------------- */

/* Of lines that stand within the current items of all levels up to this one. */
static void add_prefix(struct buf *out, const struct format_tree *t, size_t depth)
{
	buf_adds(out, "  ");
	for (size_t i = 1; i <= depth && i <= DEPTH_DRAWN; i++) {
		const struct level *level = &t->levels.items[i];
		bool last = level->next == level->items.len;
		style_mark(out, last ? MARK_GAP : MARK_PASS, t->style);
	}
}

static enum ink ink_of(const struct format_tree *t, const struct item *item)
{
	return format_picture_wait_ink(t->view->picture->threads.items[*item->threads].wait.kind);
}

/* Threads without any frame: "5 threads idle in the pool: 4711-4715". */
static void add_frameless(struct buf *out, const struct format_tree *t, const struct item *item)
{
	const struct view *v = t->view;

	buf_addc(out, '\n');
	style_begin(out, ink_of(t, item), t->style);
	if (item->len == 1) {
		format_picture_thread(out, v, *item->threads);
		buf_adds(out, ": ");
		tell_wait_and_end(out, v, *item->threads);
	} else {
		buf_addf(out, "%zu threads ", item->len);
		format_picture_wait_below(out, v, *item->threads, true);
		add_end(out, v, *item->threads);
		buf_adds(out, ": ");
		format_picture_set(out, v, item->threads, item->len);
	}
	style_end(out, t->style);
	buf_addc(out, '\n');
}

static void add_wait(struct buf *out, const struct format_tree *t, const struct item *item)
{
	style_begin(out, ink_of(t, item), t->style);
	style_mark(out, MARK_ARROW, t->style);
	format_picture_wait_below(out, t->view, *item->threads, item->len > 1);
	style_end(out, t->style);
	buf_addc(out, '\n');
}

/* The threads of an item of the innermost level. */
static void add_title(struct buf *out, const struct format_tree *t, const struct item *item)
{
	size_t depth = t->levels.len - 1;

	if (depth) {
		const struct level *level = &t->levels.items[depth];
		bool last = level->next == level->items.len;
		add_prefix(out, t, (depth < DEPTH_DRAWN ? depth : DEPTH_DRAWN) - 1);
		style_mark(out, last ? MARK_LAST : MARK_BRANCH, t->style);
		if (depth > DEPTH_DRAWN)
			buf_addf(out, "(branch %zu) ", depth);
	} else {
		buf_addc(out, '\n');
	}
	style_begin(out, INK_TITLE, t->style);
	format_picture_threads(out, t->view, item->threads, item->len);
	style_end(out, t->style);
}

static void add_end_line(struct buf *out, const struct format_tree *t, const struct item *tree,
			 const struct item *group)
{
	buf_adds(out, "  ");
	style_begin(out, INK_NOTE, t->style);
	buf_adds(out, "(stack");
	if (group->len < tree->len) {
		buf_adds(out, " of ");
		format_picture_threads(out, t->view, group->threads, group->len);
	}
	buf_adds(out, " ends here: ");
	style_add_text(out, end_of(t->view, *group->threads));
	buf_addc(out, ')');
	style_end(out, t->style);
	buf_addc(out, '\n');
}

/* Why stacks do not begin in main(), for some or all threads of a tree. */
static bool add_ends(struct buf *out, const struct format_tree *t, const struct item *tree)
{
	AUTO(fini_level) struct level ends = { 0 };
	size_t shown = 0;

	if (!add_groups(&ends, t->view, tree->threads, tree->len, tell_end))
		return false;
	vec_for_each (group, &ends.items) {
		if (!end_of(t->view, *group->threads))
			continue;
		if (shown++ < ENDS_SHOWN)
			add_end_line(out, t, tree, group);
	}
	if (shown > ENDS_SHOWN)
		buf_adds(out, "  (more stacks end here for other reasons)\n");
	return true;
}

/* The lines from a node inwards to where threads part. *ret: that node. */
static bool add_run(struct buf *out, const struct format_tree *t, const char *prefix,
		    const struct merge_node **node)
{
	struct format_frames run = { .prefix = prefix };
	bool whole = true;

	for (;;) {
		whole &= vec_push(&run.lines,
				  (struct format_frame){ (*node)->frame, (*node)->border, -1 });
		if ((*node)->here.len || (*node)->callees.len != 1)
			break;
		*node = (*node)->callees.items[0];
	}
	if (whole)
		format_frames_add(out, t->view, &run, t->style);
	vec_fini(&run.lines);
	return whole;
}

/* All up to where the threads of an item part; what comes then is a new level. */
static bool add_branch(struct buf *out, struct format_tree *t, const struct item *item)
{
	const struct merge_node *node = item->callee;
	AUTO_BUF prefix = { 0 };
	struct level below = { 0 };

	add_prefix(&prefix, t, t->levels.len - 1);
	if (!buf_ok(&prefix) || !add_run(out, t, buf_text(&prefix), &node))
		return false;
	bool whole = fill_level(&below, t->view, node);
	if (whole && below.items.len == 1 && !below.items.items[0].callee) {
		buf_adds(out, buf_text(&prefix));
		add_wait(out, t, &below.items.items[0]);
	} else if (whole && vec_push(&t->levels, below)) {
		return true;
	} else {
		whole = false;
	}
	fini_level(&below);
	return whole;
}

static bool add_item(struct buf *out, struct format_tree *t, const struct item *item)
{
	bool tree = t->levels.len == 1;

	if (tree && !item->callee) {
		add_frameless(out, t, item);
		return true;
	}
	add_title(out, t, item);
	if (!item->callee) {
		buf_addc(out, ' ');
		add_wait(out, t, item);
		return true;
	}
	buf_addc(out, '\n');
	return (!tree || add_ends(out, t, item)) && add_branch(out, t, item);
}

bool format_tree_next(struct format_tree *t, struct buf *out)
{
	while (t->levels.len) {
		struct level *level = &t->levels.items[t->levels.len - 1];
		if (level->next < level->items.len) {
			out->failed |= !add_item(out, t, &level->items.items[level->next++]);
			return buf_ok(out);
		}
		fini_level(level);
		t->levels.len--;
	}
	return false;
}

struct error *format_tree_new(const struct view *v, const struct merge_node *root,
			      const struct style *style, struct format_tree **ret)
{
	AUTO_FORMAT_TREE *t = calloc(1, sizeof(*t));
	struct level top = { 0 };

	if (!t)
		return &error_nomem;
	t->view = v;
	t->style = style;
	if (!fill_level(&top, v, root) || !vec_push(&t->levels, top)) {
		fini_level(&top);
		return &error_nomem;
	}
	*ret = TAKE(t);
	return NULL;
}

void format_tree_free(struct format_tree *t)
{
	if (!t)
		return;
	vec_for_each (level, &t->levels)
		fini_level(level);
	vec_fini(&t->levels);
	free(t);
}
