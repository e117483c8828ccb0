/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/unit_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"

enum { ROWS_MAX = 4 << 20 }; /* of one unit */

/* What is known while rows come in. */
struct reading {
	struct line_table *table;
	struct unit_lines *lines;
	struct hash_map
		files; /* number of a file -> number of the first one with its path, plus 1 */
	struct hash_map paths; /* the same by the hash of the path */
	size_t sequence;       /* where this one begins */
	uint32_t last_file;
	int last_line;
	taddr last_addr;
	bool stmt_at_addr;
	bool begun; /* this sequence has a row */
	bool failed;
};

void unit_lines_free(struct unit_lines *l)
{
	if (!l)
		return;
	vec_fini(l);
	free(l);
}

/* Compilers list one file several times. */
static uint32_t same_file(struct reading *r, uint64_t file)
{
	struct map_item *item = map_add(&r->files, file);

	if (!item || item->number)
		return item ? (uint32_t)(item->number - 1) : (uint32_t)file;
	const char *path = line_table_file(r->table, file);
	struct map_item *first = path ? map_add(&r->paths, hash_text(HASH_START, path)) : NULL;
	if (first && !first->number)
		first->number = (int64_t)(file & UINT32_MAX) + 1;
	item->number = first ? first->number : (int64_t)(file & UINT32_MAX) + 1;
	return (uint32_t)(item->number - 1);
}

/* The rows at the end that say something of addr go. */
static void drop_at(struct reading *r, taddr addr)
{
	struct unit_lines *l = r->lines;

	while (l->len > r->sequence && l->items[l->len - 1].addr == addr)
		l->len--;
}

static void push(struct reading *r, struct unit_row row)
{
	if (r->lines->len >= ROWS_MAX || !vec_push(r->lines, row))
		r->failed = true;
}

static void end_sequence(struct reading *r, taddr addr)
{
	drop_at(r, addr);
	if (r->lines->len > r->sequence)
		push(r, (struct unit_row){ .addr = addr });
	r->sequence = r->lines->len;
	r->begun = r->stmt_at_addr = false;
	r->last_line = 0;
	r->last_addr = 0;
}

static void add_row(struct reading *r, const struct line_row *row)
{
	uint32_t file = same_file(r, row->file);
	bool changed = !r->begun || file != r->last_file;
	bool hidden = changed && r->last_addr == row->addr && !row->is_stmt && r->stmt_at_addr;

	if (row->line == 0 || hidden)
		return;
	if (changed)
		drop_at(r, row->addr);
	if (changed || row->line != r->last_line || !row->discriminated) {
		push(r, (struct unit_row){ row->addr, file, row->line, row->is_stmt,
					   row->prologue_end });
		r->last_line = row->line;
		r->last_file = file;
		r->begun = true;
	}
}

static bool read_row(void *context, const struct line_row *row)
{
	struct reading *r = context;

	if (row->end) {
		end_sequence(r, row->addr);
		return !r->failed;
	}
	add_row(r, row);
	if (r->last_addr != row->addr)
		r->stmt_at_addr = false;
	r->last_addr = row->addr;
	r->stmt_at_addr |= row->is_stmt;
	return !r->failed;
}

/* The end of a sequence goes before what begins there. */
static bool is_before(const struct unit_row *a, const struct unit_row *b)
{
	return a->addr != b->addr ? a->addr < b->addr : !a->line && b->line;
}

/* A row and its place: qsort(3) keeps no order of what is equal. */
struct placed {
	struct unit_row row;
	size_t at;
};

static int by_address(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (is_before(&x->row, &y->row))
		return -1;
	return is_before(&y->row, &x->row) ? 1 : sorted_order(x->at, y->at);
}

/* Most tables are in order but for few sequences, many in all. false: out of memory. */
static bool sort(struct unit_lines *l)
{
	bool sorted = true;

	for (size_t i = 1; i < l->len && sorted; i++)
		sorted = !is_before(&l->items[i], &l->items[i - 1]);
	if (sorted)
		return true;
	AUTO_FREE struct placed *placed = reallocarray(NULL, l->len, sizeof(*placed));
	if (!placed)
		return false;
	for (size_t i = 0; i < l->len; i++)
		placed[i] = (struct placed){ l->items[i], i };
	qsort(placed, l->len, sizeof(*placed), by_address);
	for (size_t i = 0; i < l->len; i++)
		l->items[i] = placed[i].row;
	return true;
}

struct unit_lines *unit_lines_new(struct line_table *t)
{
	struct unit_lines *l = calloc(1, sizeof(*l));
	struct reading r = { .table = t, .lines = l };

	if (!l)
		return NULL;
	line_table_rows(t, read_row, &r);
	end_sequence(&r, UINT64_MAX); /* of a table that is cut off */
	map_fini(&r.files);
	map_fini(&r.paths);
	if (r.failed || !sort(l)) {
		unit_lines_free(l);
		return NULL;
	}
	vec_trim(l);
	return l;
}

const struct unit_row *unit_lines_at(const struct unit_lines *l, taddr addr, taddr *ret_end)
{
	size_t next = sorted_count(row, l->items, l->len, row->addr <= addr);

	if (next == 0 || !l->items[next - 1].line)
		return NULL;
	const struct unit_row *last = &l->items[next - 1], *row = last;
	while (!row->is_stmt && row > l->items && row[-1].addr == last->addr && row[-1].line)
		row--;
	*ret_end = next < l->len ? l->items[next].addr : last->addr + 1;
	return row->is_stmt ? row : last;
}
