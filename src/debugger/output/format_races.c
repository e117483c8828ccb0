/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_races.h"

#include "debugger/output/style.h"

static const char *kind_of(const struct race_access *a)
{
	return a->reads && a->writes ? "changes" : a->writes ? "writes" : "reads";
}

static void add_access(struct buf *out, const struct race_access *a)
{
	buf_addf(out, "  %d.%ld %-7s at ", a->team, a->who, kind_of(a));
	if (a->file)
		style_add_line(out, a->file, a->line);
	else
		buf_adds(out, "a place without lines");
	if (a->function)
		style_add_between(out, " in ", a->function, "");
	buf_adds(out, a->nlocks ? ", under a lock" : "");
}

static void add_pair(struct buf *out, const struct races *r, const struct race_pair *pair)
{
	const struct race_access *a = &r->items.items[pair->a], *b = &r->items.items[pair->b];

	style_add_between(out, "", a->what, "\n");
	add_access(out, a);
	buf_addc(out, '\n');
	add_access(out, b);
	if (pair->count > 1)
		buf_addf(out, ", and %lu more such pair%s", pair->count - 1,
			 pair->count == 2 ? "" : "s");
	buf_adds(out, pair->doubtful ? "\n  perhaps a barrier was between them: that is not known\n"
				     : "\n");
}

void format_races(struct buf *out, const struct races *r, const struct race_pairs *pairs)
{
	if (!r->items.len) {
		buf_adds(out, "No accesses have been seen: 'watch -team' and '--at' of 'omp "
			      "shuffle' and its like watch them.\n");
		return;
	}
	buf_adds(out, pairs->len ? "Accesses that no barrier and no lock or critical construct "
				   "ordered:\n"
				 : "All accesses that have been seen were ordered by barriers, "
				   "locks or critical constructs, or were atomic.\n");
	vec_for_each (pair, pairs)
		add_pair(out, r, pair);
	if (r->full)
		buf_adds(out, "There were more accesses than are kept.\n");
}

static void add_access_object(struct json *j, const char *key, const struct race_access *a)
{
	json_add_object(j, key);
	json_add_integer(j, "team", a->team);
	json_add_integer(j, "number", a->who);
	json_add_bool(j, "reads", a->reads);
	json_add_bool(j, "writes", a->writes);
	json_add_string(j, "function", a->function);
	json_add_string(j, "file", a->file);
	json_add_positive(j, "line", a->line);
	json_end(j);
}

void json_races(struct json *j, const struct races *r, const struct race_pairs *pairs)
{
	json_add_unsigned(j, "accesses", r->items.len);
	json_add_bool(j, "full", r->full);
	json_add_array(j, "races");
	vec_for_each (pair, pairs) {
		json_add_object(j, NULL);
		json_add_string(j, "what", r->items.items[pair->a].what);
		json_add_unsigned(j, "count", pair->count);
		json_add_bool(j, "certain", !pair->doubtful);
		add_access_object(j, "first", &r->items.items[pair->a]);
		add_access_object(j, "second", &r->items.items[pair->b]);
		json_end(j);
	}
	json_end(j);
}
