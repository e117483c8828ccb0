/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_sharing.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "debugger/merge.h"

enum { COLUMNS = 4 };

static const char *const evidence_names[] = {
	[EVIDENCE_NONE] = "unknown",
	[EVIDENCE_ONE] = "one address",
	[EVIDENCE_EACH] = "one each",
	[EVIDENCE_SOME] = "mixed",
};

static const char *const basis_names[] = {
	[BASIS_NONE] = "addresses",
	[BASIS_CLAUSE] = "clause",
	[BASIS_RULE] = "rule",
};

static void add_sharing(struct buf *out, const struct sharing_answer *a)
{
	bool any = false;

	for (int i = 0; i < NUM_SHARINGS; i++) {
		if (!(a->sharing >> i & 1))
			continue;
		buf_addf(out, "%s%s", any ? ", " : "", sharing_names[i]);
		if (i == SHARING_REDUCTION && a->modifier)
			style_add_between(out, "(", a->modifier, ")");
		any = true;
	}
	if (!any)
		buf_adds(out, "-");
}

static void add_where(struct buf *out, const struct sharing_row *row)
{
	size_t n = row->places.len, registers = 0, nowhere = 0;

	vec_for_each (place, &row->places) {
		registers += place->reg != NULL;
		nowhere += place->missing != NULL;
	}
	const size_t in_memory = n - registers - nowhere;
	if (in_memory)
		buf_addf(out, row->addresses == 1 ? "one address" : "%zu addresses",
			 row->addresses);
	if (in_memory)
		buf_addf(out, " in %zu thread%s", in_memory, in_memory == 1 ? "" : "s");
	if (registers)
		buf_addf(out, "%sa register in %zu", out->len ? ", " : "", registers);
	if (nowhere)
		buf_addf(out, "%sno address in %zu", out->len ? ", " : "", nowhere);
}

static void add_head(struct buf *out, const struct sharings *s)
{
	buf_adds(out, "Line ");
	buf_addf(out, "%d of ", s->line);
	style_add_last_part(out, s->file ? s->file : "an unknown file");
	vec_for_each (c, &s->around.items)
		buf_addf(out, ", in \"%s\" of line %d", c->directive.name, c->line);
	buf_adds(out, s->has_text && !s->around.items.len ? ", in no construct of this function:\n"
							  : ":\n");
	/* Else a note says why it counts for nothing. */
	if (!s->has_text && !s->notes.len)
		buf_adds(out, "The source cannot be read: all that follows rests on addresses.\n");
}

static bool is_same(const struct sharing_place *a, const struct sharing_place *b)
{
	return a->addr == b->addr && a->reg == b->reg && text_same(a->missing, b->missing);
}

static void add_place(struct buf *out, const struct sharing_place *place)
{
	if (place->addr)
		buf_addf(out, "0x%" PRIxTADDR, place->addr);
	else
		buf_addf(out, place->reg ? "$%s" : "<%s>",
			 place->reg ? place->reg->name : place->missing);
}

/* Which threads have it where. */
static void add_places(struct buf *out, const struct sharing_row *row, const struct picture *p)
{
	vec_for_each (place, &row->places) {
		struct ints threads = { 0 };
		bool first = true;
		vec_for_each (other, &row->places) {
			if (!is_same(place, other))
				continue;
			first = first && other >= place;
			if (!vec_push(&threads, other->thread))
				out->failed = true;
		}
		if (first) {
			buf_adds(out, "    ");
			merge_add_thread_set(out, p, threads.items, threads.len);
			buf_adds(out, ": ");
			add_place(out, place);
			buf_addc(out, '\n');
		}
		vec_fini(&threads);
	}
}

static void fill(struct buf *columns, const struct sharing_row *row)
{
	static const char *const titles[COLUMNS] = { "NAME", "SHARING", "WHERE", "BECAUSE" };

	for (int i = 0; !row && i < COLUMNS; i++)
		buf_adds(&columns[i], titles[i]);
	if (!row)
		return;
	style_add_text(&columns[0], row->name);
	add_sharing(&columns[1], &row->answer);
	add_where(&columns[2], row);
	style_add_text(&columns[3], buf_text(&row->answer.because));
}

static void add_line(struct buf *out, const struct sharing_row *row, size_t *widths, bool measure,
		     const struct style *style)
{
	struct buf columns[COLUMNS] = { 0 };

	fill(columns, row);
	for (int i = 0; i < COLUMNS; i++) {
		size_t width = style_width(&columns[i]);
		if (measure)
			widths[i] = width > widths[i] ? width : widths[i];
		else if (i < COLUMNS - 1)
			style_add_column(out, row ? INK_NAME : INK_TITLE, &columns[i],
					 widths[i] + 2, style);
		else
			buf_addf(out, "%s\n", buf_text(&columns[i]));
		buf_fini(&columns[i]);
	}
}

void format_sharing(struct buf *out, const struct sharings *s, bool each, const struct style *style)
{
	size_t widths[COLUMNS] = { 0 };

	add_head(out, s);
	add_line(out, NULL, widths, true, style);
	vec_for_each (row, &s->rows)
		add_line(out, row, widths, true, style);
	add_line(out, NULL, widths, false, style);
	vec_for_each (row, &s->rows) {
		add_line(out, row, widths, false, style);
		if (row->contradiction)
			buf_addf(out, "    but %s\n", row->contradiction);
		if (each)
			add_places(out, row, s->picture);
	}
	vec_for_each (note, &s->notes)
		style_add_between(out, "Note: ", *note, "\n");
}

/* ---- json --------------------------------------------------------------------------------- */

static void add_json_place(struct json *j, const struct sharing_place *place,
			   const struct picture *p)
{
	const struct picture_thread *th = picture_thread(p, place->thread);
	AUTO_BUF name = { 0 };

	json_add_object(j, NULL);
	json_add_integer(j, "lwp", th->lwp);
	if (picture_is_numbered(th))
		picture_add_thread_name(&name, p, place->thread);
	json_add_string(j, "thread", name.len ? buf_text(&name) : NULL);
	if (place->addr)
		json_add_address(j, "address", place->addr);
	else if (place->reg)
		json_add_string(j, "register", place->reg->name);
	else
		json_add_string(j, "missing", place->missing);
	json_end(j);
}

static void add_json_row(struct json *j, const struct sharing_row *row, const struct picture *p)
{
	json_add_object(j, NULL);
	json_add_string(j, "name", row->name);
	json_add_array(j, "sharing");
	for (int i = 0; i < NUM_SHARINGS; i++) {
		if (row->answer.sharing >> i & 1)
			json_add_string(j, NULL, sharing_names[i]);
	}
	json_end(j);
	json_add_string(j, "operator", row->answer.modifier);
	json_add_string(j, "because", buf_text(&row->answer.because));
	json_add_string(j, "rests_on", basis_names[row->answer.basis]);
	json_add_positive(j, "construct_line",
			  row->answer.construct ? row->answer.construct->line : 0);
	json_add_string(j, "addresses", evidence_names[row->evidence]);
	json_add_string(j, "contradiction", row->contradiction);
	json_add_array(j, "places");
	vec_for_each (place, &row->places)
		add_json_place(j, place, p);
	json_end(j);
	json_end(j);
}

void json_sharing_members(struct json *j, const struct sharings *s)
{
	json_add_string(j, "file", s->file);
	json_add_positive(j, "line", s->line);
	json_add_bool(j, "has_source", s->has_text);
	json_add_array(j, "constructs");
	vec_for_each (c, &s->around.items) {
		json_add_object(j, NULL);
		json_add_string(j, "name", c->directive.name);
		json_add_integer(j, "line", c->line);
		json_add_integer(j, "end", c->end);
		json_end(j);
	}
	json_end(j);
	json_add_array(j, "variables");
	vec_for_each (row, &s->rows)
		add_json_row(j, row, s->picture);
	json_end(j);
	json_add_array(j, "notes");
	vec_for_each (note, &s->notes)
		json_add_string(j, NULL, *note);
	json_end(j);
}
