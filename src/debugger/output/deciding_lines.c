/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/deciding_lines.h"

#include <string.h>

void deciding_lines_fini(struct deciding_lines *l)
{
	vec_for_each (line, l) {
		vec_for_each (value, &line->values)
			merged_value_fini(value);
		vec_fini(&line->values);
	}
	vec_fini(l);
}

static bool is_at(const struct deciding_line *l, const char *file, int line, bool further)
{
	return l->line == line && l->further == further &&
	       (l->file == file || (l->file && file && !strcmp(l->file, file)));
}

static struct deciding_line *get_line(struct buf *out, struct deciding_lines *l,
				      const struct deciding_value *v)
{
	vec_for_each (line, l) {
		if (is_at(line, v->file, v->line, v->further))
			return line;
	}
	const struct deciding_line line = { .file = v->file,
					    .line = v->line,
					    .further = v->further };
	out->failed |= !vec_push(l, line);
	return out->failed ? NULL : &l->items[l->len - 1];
}

static struct merged_value *get_value(struct buf *out, struct deciding_line *line, const char *name)
{
	vec_for_each (value, &line->values) {
		if (!strcmp(value->name, name))
			return value;
	}
	out->failed |= !vec_push(&line->values, (struct merged_value){ .name = name });
	return out->failed ? NULL : &line->values.items[line->values.len - 1];
}

static bool has(const int *threads, size_t nthreads, int thread)
{
	for (size_t i = 0; i < nthreads; i++) {
		if (threads[i] == thread)
			return true;
	}
	return false;
}

void deciding_lines_find(struct buf *out, const struct view *v, const int *threads, size_t nthreads,
			 struct deciding_lines *ret)
{
	if (!v->deciding)
		return;
	vec_for_each (item, &v->deciding->items) {
		if (!has(threads, nthreads, item->thread))
			continue;
		struct deciding_line *line = get_line(out, ret, item);
		struct merged_value *value = line ? get_value(out, line, item->text) : NULL;
		if (value)
			merged_value_add(out, value, &item->value, &item->thread, 1);
	}
}

const struct deciding_line *deciding_lines_at(const struct deciding_lines *l,
					      const struct place *place)
{
	vec_for_each (line, l) {
		if (is_at(line, place->file, place->line, false))
			return line;
	}
	return NULL;
}

void deciding_lines_add(struct buf *out, const struct deciding_line *line, const struct view *v,
			size_t threads)
{
	vec_for_each (value, &line->values) {
		buf_adds(out, value == line->values.items ? "" : ", ");
		format_merged_value(out, value, v->picture, threads);
	}
}
