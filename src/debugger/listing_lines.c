/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/listing_lines.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "debugger/merge.h"

void listing_wishes_fini(struct listing_wishes *w)
{
	vec_fini(&w->filters);
}

void listing_lines_fini(struct listing_lines *lines)
{
	vec_for_each (line, &lines->items)
		ints_fini(&line->rows);
	vec_fini(&lines->items);
}

/* ---- filters ------------------------------------------------------------------------------ */

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* "barrier" of "explicit barrier", and not "1" of "0.1". */
static bool has_words(const char *text, const char *words)
{
	const size_t len = strlen(words);

	for (const char *at = text; len && (at = strstr(at, words)); at++) {
		if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[len]))
			return true;
	}
	return false;
}

/* A thread of a set has a name of its own: "0.2" is in "0.[0-3]". */
static bool has_thread(const struct listing *l, const struct cell *c, const char *name)
{
	for (size_t i = 0; c->kind == CELL_THREADS && i < c->len; i++) {
		AUTO_BUF own = { 0 };
		const struct picture_thread *t = picture_thread(l->picture, c->items[i]);
		if (!picture_is_numbered(t))
			continue;
		picture_add_thread_name(&own, l->picture, c->items[i]);
		if (!strcmp(buf_text(&own), name))
			return true;
	}
	return false;
}

static bool fits(const struct listing *l, const struct listing_row *row,
		 const struct listing_filter *f)
{
	AUTO_CELL cell = { 0 };

	listing_get(l, row, f->key, &cell);
	const char *text = buf_text(&cell.text);
	bool has = cell.kind != CELL_NONE;
	if (f->value && !*f->value)
		has = !has;
	else if (f->value && strpbrk(f->value, "*?"))
		has = has && fnmatch(f->value, text, 0) == 0;
	else if (f->value)
		has = !strcmp(text, f->value) || has_words(text, f->value) ||
		      has_thread(l, &cell, f->value);
	return has != f->without;
}

static bool choose(const struct listing *l, const struct listing_wishes *w, struct ints *ret)
{
	bool whole = true;

	for (int i = 0; whole && i < (int)l->rows.len; i++) {
		bool wanted = true;
		vec_for_each (f, &w->filters)
			wanted = wanted && fits(l, &l->rows.items[i], f);
		whole = !wanted || vec_push(ret, i);
	}
	return whole;
}

/* ---- order -------------------------------------------------------------------------------- */

struct sorted {
	struct cell cell;
	int row;
};

/* What has nothing comes last. */
static int compare_cells(const struct cell *a, const struct cell *b)
{
	if (a->kind == CELL_NUMBER && b->kind == CELL_NUMBER)
		return (a->number > b->number) - (a->number < b->number);
	return strverscmp(buf_text(&a->text), buf_text(&b->text));
}

static int compare(const void *a, const void *b, void *falling)
{
	const struct sorted *x = a, *y = b;
	const bool *down = falling;
	const bool has_x = x->cell.kind != CELL_NONE, has_y = y->cell.kind != CELL_NONE;
	int order = 0;

	if (has_x != has_y)
		return has_x ? -1 : 1;
	if (has_x)
		order = compare_cells(&x->cell, &y->cell);
	if (order)
		return *down ? -order : order;
	return (x->row > y->row) - (x->row < y->row);
}

static bool sort(const struct listing *l, const struct listing_wishes *w, struct ints *rows)
{
	AUTO_FREE struct sorted *sorted = calloc(rows->len + 1, sizeof(*sorted));
	bool falling = w->falling, whole = sorted != NULL;

	for (size_t i = 0; whole && i < rows->len; i++) {
		sorted[i].row = rows->items[i];
		listing_get(l, &l->rows.items[rows->items[i]], w->sort, &sorted[i].cell);
	}
	if (whole)
		qsort_r(sorted, rows->len, sizeof(*sorted), compare, &falling);
	for (size_t i = 0; sorted && i < rows->len; i++) {
		rows->items[i] = sorted[i].row;
		whole = whole && buf_ok(&sorted[i].cell.text);
		cell_fini(&sorted[i].cell);
	}
	return whole;
}

struct error *listing_choose(const struct listing *l, const struct listing_wishes *w,
			     struct ints *ret)
{
	return choose(l, w, ret) && (!w->sort || sort(l, w, ret)) ? NULL : &error_nomem;
}

/* ---- texts that are the same --------------------------------------------------------------- */

/* Texts with numbers from 0 on. */
struct texts {
	VEC(char *) items; /* owned */
	VEC(size_t) next;  /* of the same hash: its number + 1; 0: none */
	struct hash_map map;
};

static void texts_fini(struct texts *t)
{
	vec_fini_all(&t->items);
	vec_fini(&t->next);
	map_fini(&t->map);
}

/* The number of that text, the next one if it is new. false: out of memory. */
static bool texts_find(struct texts *t, const struct buf *text, size_t *ret)
{
	struct map_item *first = map_add(&t->map, hash_text(HASH_START, buf_text(text)));
	char *copy;

	if (!first || !buf_ok(text))
		return false;
	for (size_t i = (size_t)first->number; i; i = t->next.items[i - 1]) {
		if (!strcmp(t->items.items[i - 1], buf_text(text))) {
			*ret = i - 1;
			return true;
		}
	}
	copy = strdup(buf_text(text));
	if (!copy || !vec_push(&t->items, copy)) {
		free(copy);
		return false;
	}
	if (!vec_push(&t->next, (size_t)first->number))
		return false;
	first->number = (int64_t)t->items.len;
	*ret = t->items.len - 1;
	return true;
}

/* ---- lines -------------------------------------------------------------------------------- */

static void add_cell(const struct listing *l, const struct listing_row *row,
		     const struct listing_key *key, struct buf *out)
{
	AUTO_CELL cell = { 0 };

	listing_get(l, row, key, &cell);
	buf_addf(out, "%d %s\n", (int)cell.kind, buf_text(&cell.text));
	out->failed |= cell.text.failed;
}

/* What rows of one line have in common. Those that wait for each other are not alike. */
static void describe(const struct listing *l, int number, const struct listing_wishes *w,
		     struct buf *out)
{
	const struct listing_row *row = &l->rows.items[number];

	if (w->group)
		add_cell(l, row, w->group, out);
	if (w->each)
		buf_addf(out, "%d", number);
	const struct listing_key *key;
	for (size_t n = 0; (key = listing_column(l->kind, n)); n++) {
		if (!listing_is_name(l->kind, key))
			add_cell(l, row, key, out);
	}
}

static bool add_line(const struct listing *l, const struct listing_wishes *w, struct texts *texts,
		     int row, size_t group, struct listing_lines *ret)
{
	AUTO_BUF text = { 0 };
	size_t n;

	describe(l, row, w, &text);
	if (!texts_find(texts, &text, &n))
		return false;
	if (n == ret->items.len &&
	    !vec_push(&ret->items, (struct listing_line){ .group = group, .number = n }))
		return false;
	return vec_push(&ret->items.items[n].rows, row);
}

static bool find_group(const struct listing *l, const struct listing_wishes *w,
		       struct texts *groups, int row, size_t *ret)
{
	AUTO_BUF text = { 0 };

	*ret = 0;
	if (!w->group)
		return true;
	add_cell(l, &l->rows.items[row], w->group, &text);
	return texts_find(groups, &text, ret);
}

/* Lines of one group stay in their order. */
static int compare_lines(const void *a, const void *b)
{
	const struct listing_line *x = a, *y = b;

	if (x->group != y->group)
		return x->group > y->group ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

struct error *listing_lines_make(const struct listing *l, const struct listing_wishes *w,
				 struct listing_lines *ret)
{
	AUTO(texts_fini) struct texts texts = { 0 };
	AUTO(texts_fini) struct texts groups = { 0 };
	struct listing_lines lines = { 0 };
	AUTO_INTS rows = { 0 };
	struct error *err = listing_choose(l, w, &rows);
	bool whole = !err;

	for (size_t i = 0; whole && i < rows.len; i++) {
		size_t group;
		whole = find_group(l, w, &groups, rows.items[i], &group) &&
			add_line(l, w, &texts, rows.items[i], group, &lines);
	}
	if (lines.items.len)
		qsort(lines.items.items, lines.items.len, sizeof(*lines.items.items),
		      compare_lines);
	if (!whole) {
		listing_lines_fini(&lines);
		return &error_nomem;
	}
	*ret = lines;
	return NULL;
}

/* ---- cells of lines ------------------------------------------------------------------------ */

static int compare_longs(const void *a, const void *b)
{
	const long *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* "4-7,9" */
static void add_ranges(struct buf *out, const long *numbers, size_t len)
{
	for (size_t i = 0, end; i < len; i = end) {
		for (end = i + 1; end < len && numbers[end] <= numbers[end - 1] + 1;)
			end++;
		buf_addf(out, "%s%ld", i ? "," : "", numbers[i]);
		if (numbers[end - 1] > numbers[i])
			buf_addf(out, "-%ld", numbers[end - 1]);
	}
}

static void add_numbers(const struct listing *l, const struct listing_line *line,
			const struct listing_key *key, struct cell *ret)
{
	AUTO_FREE long *numbers = calloc(line->rows.len, sizeof(*numbers));
	size_t len = 0;

	vec_for_each (row, &line->rows) {
		AUTO_CELL cell = { 0 };
		listing_get(l, &l->rows.items[*row], key, &cell);
		if (numbers && cell.kind == CELL_NUMBER)
			numbers[len++] = cell.number;
	}
	if (!numbers) {
		ret->text.failed = true;
		return;
	}
	qsort(numbers, len, sizeof(*numbers), compare_longs);
	add_ranges(&ret->text, numbers, len);
}

static void add_threads(const struct listing *l, const struct listing_line *line, struct cell *ret)
{
	AUTO_INTS threads = { 0 };

	vec_for_each (row, &line->rows) {
		const int thread = l->rows.items[*row].thread;
		if (picture_is_numbered(picture_thread(l->picture, thread)))
			ret->text.failed |= !vec_push(&threads, thread);
	}
	merge_add_thread_set(&ret->text, l->picture, threads.items, threads.len);
}

/* All texts, one after the other. */
static void add_texts(const struct listing *l, const struct listing_line *line,
		      const struct listing_key *key, struct cell *ret)
{
	vec_for_each (row, &line->rows) {
		AUTO_CELL cell = { 0 };
		listing_get(l, &l->rows.items[*row], key, &cell);
		if (cell.kind != CELL_NONE)
			buf_addf(&ret->text, "%s%s", ret->text.len ? " " : "",
				 buf_text(&cell.text));
	}
}

void listing_line_get(const struct listing *l, const struct listing_line *line,
		      const struct listing_key *key, struct cell *ret)
{
	enum cell_kind kind = CELL_NONE;

	listing_get(l, &l->rows.items[*line->rows.items], key, ret);
	if (line->rows.len == 1 || !listing_is_name(l->kind, key))
		return;
	vec_for_each (row, &line->rows) {
		AUTO_CELL cell = { 0 };
		listing_get(l, &l->rows.items[*row], key, &cell);
		kind = cell.kind != CELL_NONE ? cell.kind : kind;
	}
	cell_fini(ret);
	ret->kind = kind == CELL_NONE ? CELL_NONE : CELL_TEXT;
	if (kind == CELL_NUMBER)
		add_numbers(l, line, key, ret);
	else if (kind == CELL_THREAD)
		add_threads(l, line, ret);
	else
		add_texts(l, line, key, ret);
}
