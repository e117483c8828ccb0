/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_listing.h"

static void add_set(struct json *j, const char *key, const struct listing *l, const struct cell *c)
{
	json_add_array(j, key);
	for (size_t i = 0; i < c->len; i++) {
		const struct picture_thread *t = picture_thread(l->picture, c->items[i]);
		if (c->kind == CELL_TASKS)
			json_add_integer(j, NULL, picture_task_id(l->picture, c->items[i]));
		else
			json_add_positive(j, NULL, t ? t->lwp : 0);
	}
	json_end(j);
}

void json_listing_cell(struct json *j, const char *name, const struct listing *l,
		       const struct listing_row *row, const struct listing_key *key)
{
	AUTO_CELL cell = { 0 };

	listing_get(l, row, key, &cell);
	j->out->failed |= cell.text.failed;
	switch (cell.kind) {
	case CELL_NONE:
		json_add_null(j, name);
		return;
	case CELL_NUMBER:
		json_add_integer(j, name, cell.number);
		return;
	case CELL_TEXT:
	case CELL_THREAD:
		json_add_string(j, name, buf_text(&cell.text));
		return;
	case CELL_THREADS:
	case CELL_TASKS:
		add_set(j, name, l, &cell);
		return;
	}
}

static void add_row(struct json *j, const struct listing *l, const struct listing_row *row)
{
	json_add_object(j, NULL);
	for (const struct listing_key *key = NULL; (key = listing_next_key(l->kind, key));)
		json_listing_cell(j, key->name, l, row, key);
	json_end(j);
}

void json_listing(struct json *j, const struct listing *l, const struct listing_lines *lines,
		  const struct listing_key *group)
{
	const struct listing_line *last = NULL;

	if (group)
		json_add_string(j, "key", group->name);
	json_add_array(j, group ? "groups" : "rows");
	vec_for_each (line, &lines->items) {
		if (group && last && last->group != line->group) {
			json_end(j);
			json_end(j);
		}
		if (group && (!last || last->group != line->group)) {
			json_add_object(j, NULL);
			json_listing_cell(j, "group", l, &l->rows.items[*line->rows.items], group);
			json_add_array(j, "rows");
		}
		vec_for_each (row, &line->rows)
			add_row(j, l, &l->rows.items[*row]);
		last = line;
	}
	if (group && last) {
		json_end(j);
		json_end(j);
	}
	json_end(j);
}
