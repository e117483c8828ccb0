/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"
#include "target/symbols/cu_blocks.h"
#include "target/symbols/place_parts.h"
#include "target/symbols/prologue.h"

enum {
	ROWS_MAX = 1 << 16, /* of the line that are looked at */
	CHECK_EVERY = 64,   /* rows                           */
};

/* Where the line begins; entry: of the function, if it is before that one's body; else 0. */
struct found {
	taddr addr, entry;
};

/* A search of one line. */
struct search {
	struct symbol_table *symbols;
	const char *file;
	int line;
	bool any_row; /* not only statements */
	taddr bias;
	uint64_t unit;        /* number of the one that is looked at */
	struct hash_map seen; /* hashes of blocks, and addresses, that are in "found" */
	VEC(struct found) found;
	size_t rows;
	int next, last;            /* the next line with statements, the last of all; 0: none */
	bool has_rows, file_known; /* the line has rows that are no statements               */
	struct error *err;
};

/* The entry of the function that has the row before its body, where the compiler has put it; else
 * 0.
 */
static taddr entry_before(const struct search *s, const struct unit_row *row)
{
	const taddr addr = row->addr + s->bias;
	const struct source_frame *frames;
	size_t n = 0;

	if (!row->prologue_end) /* no prologue ends there */
		return 0;
	error_ignore(symbol_locate(s->symbols, addr, &frames, &n));
	const taddr entry = n && frames[n - 1].function ? addr - frames[n - 1].offset : 0;
	return entry && prologue_has(s->symbols, entry, addr) ? entry : 0;
}

/* Of the rows in one block the first counts: others are parts of the same statement. */
static uint64_t place_key(const struct search *s, struct cu *cu, const struct found *row)
{
	struct cu_block blocks[CU_BLOCKS_MAX];

	if (row->entry || !cu_blocks(cu, row->addr - s->bias, blocks))
		return hash_add(HASH_START, row->addr);
	return hash_add(hash_add(HASH_START, s->unit), blocks[0].id);
}

static struct error *add_row(struct search *s, struct cu *cu, const struct unit_row *row)
{
	struct error *err = ++s->rows % CHECK_EVERY ? NULL : symbol_check_interrupt(s->symbols);

	if (err || s->rows > ROWS_MAX)
		return err;
	const struct found found = { row->addr + s->bias, entry_before(s, row) };
	struct map_item *item = map_add(&s->seen, place_key(s, cu, &found));
	if (!item || (!item->number && !vec_push(&s->found, found)))
		return &error_nomem;
	item->number = 1;
	return NULL;
}

/* Whether what stops there is shown to be at that line. */
static bool is_shown(struct cu *cu, const struct unit_row *row)
{
	taddr end;
	const struct unit_row *shown = unit_lines_at(cu_rows(cu), row->addr, &end);

	return shown && shown->line == row->line && shown->file == row->file;
}

static struct error *look_at_row(struct search *s, struct cu *cu, const struct unit_row *row)
{
	s->last = row->line > s->last ? row->line : s->last;
	if (row->line == s->line && (row->is_stmt || (s->any_row && is_shown(cu, row))))
		return add_row(s, cu, row);
	s->has_rows |= row->line == s->line;
	if (row->is_stmt && row->line > s->line && (!s->next || row->line < s->next))
		s->next = row->line;
	return NULL;
}

/* Which of a unit's files are meant; asked for each row, answered once for each file. */
struct wanted {
	uint32_t file;
	bool known, is_it;
};

static bool is_wanted(const struct search *s, struct line_table *lines, struct wanted *w,
		      uint32_t file)
{
	if (!w->known || w->file != file) {
		const char *path = line_table_file(lines, file);
		*w = (struct wanted){ file, true, path && place_is_file(path, s->file) };
	}
	return w->is_it;
}

static bool names_file(struct search *s, struct cu *cu)
{
	struct line_table *lines = cu_lines(cu);

	if (!lines || !line_table_names(lines, text_last_part(s->file)))
		return false;
	for (uint64_t i = 0; i < line_table_files(lines); i++) {
		const char *path = line_table_file(lines, i);
		if (path && place_is_file(path, s->file))
			return true;
	}
	return false;
}

static bool look_at_unit(void *context, struct cu *cu, bool has_code)
{
	struct search *s = context;
	struct wanted wanted = { 0 };

	(void)has_code;
	s->unit++;
	s->err = symbol_check_interrupt(s->symbols);
	if (s->err)
		return false;
	if (!names_file(s, cu) || !cu_rows(cu))
		return true;
	s->file_known = true;
	vec_for_each (row, cu_rows(cu)) {
		if (!s->err && row->line && is_wanted(s, cu_lines(cu), &wanted, row->file))
			s->err = look_at_row(s, cu, row);
	}
	return !s->err;
}

static struct error *look(struct search *s)
{
	struct module_list *list = symbol_modules(s->symbols);

	s->found.len = s->rows = 0;
	map_fini(&s->seen);
	s->next = 0;
	s->unit = 0;
	for (size_t i = 0; i < list->len && !s->err; i++) {
		struct cu_index *units = symbol_units(s->symbols, list->items[i], &s->bias);
		if (units)
			cu_index_for_each(units, look_at_unit, s);
	}
	return s->err;
}

static bool has_place_in(const struct code_places *p, taddr entry)
{
	vec_for_each (place, p) {
		if (place->entry == entry)
			return true;
	}
	return false;
}

/* Of a function that has the line in its body, too, what is before that does not count. */
static struct error *add_places(struct search *s, struct code_places *ret)
{
	struct error *err = NULL;

	for (int early = 0; early < 2; early++) {
		vec_for_each (found, &s->found) {
			const struct meant_code meant = { .addr = found->addr,
							  .file = s->file,
							  .line = s->line };
			if (!err && !!found->entry == early &&
			    !(early && has_place_in(ret, found->entry)))
				err = place_add(s->symbols, &meant, ret);
		}
	}
	places_sort(ret);
	return err;
}

static struct error *find(struct search *s)
{
	struct error *err = look(s);

	if (!err && !s->found.len && s->has_rows) {
		s->any_row = true;
		err = look(s);
	}
	if (!err && !s->found.len && s->next) {
		s->line = s->next;
		err = look(s);
	}
	return err;
}

static struct error *nothing(const struct search *s)
{
	if (!s->file_known)
		return error_new(ERROR_NOT_FOUND, "no source file named %s", s->file);
	return error_new(ERROR_NOT_FOUND,
			 "No line %d in file \"%s\": line %d is the last that has code", s->line,
			 s->file, s->last);
}

struct error *places_of_line(struct symbol_table *s, const char *file, int line,
			     struct code_places *ret, int *ret_line)
{
	struct search search = { .symbols = s, .file = file, .line = line };
	struct code_places found = { 0 };
	struct error *err = find(&search);

	if (!err && !search.found.len)
		err = nothing(&search);
	if (!err)
		err = add_places(&search, &found);
	vec_fini(&search.found);
	map_fini(&search.seen);
	if (err) {
		vec_fini(&found);
		return err;
	}
	*ret = found;
	*ret_line = search.line;
	return NULL;
}
