/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_worksharing.h"

#include "debugger/output/json_picture.h"

/* null: it is not known. */
static void add_number(struct json *j, const char *key, const struct work *w, bool known,
		       uint64_t number)
{
	if (!known)
		json_add_null(j, key);
	else if (w->is_unsigned)
		json_add_unsigned(j, key, number);
	else
		json_add_integer(j, key, (int64_t)number);
}

static void add_count(struct json *j, const char *key, bool known, uint64_t number)
{
	if (known)
		json_add_unsigned(j, key, number);
	else
		json_add_null(j, key);
}

static void add_thread(struct json *j, const struct view *v, const struct work *w,
		       const struct work_thread *t)
{
	json_add_object(j, NULL);
	json_picture_lwp(j, "lwp", v, t->thread);
	json_add_natural(j, "number", t->number);
	json_add_string(j, "state", work_state_name(t->state));
	add_number(j, "first", w, t->has_chunk, t->first);
	add_number(j, "last", w, t->has_chunk, t->last);
	json_add_bool(j, "computed", t->computed);
	json_add_positive(j, "section_line", t->section);
	json_add_array(j, "now");
	for (size_t i = 0; t->has_now && i < t->nnow; i++)
		add_number(j, NULL, w, true, t->now[i]);
	json_end(j);
	add_count(j, "rest", t->has_rest, t->rest);
	json_end(j);
}

static void add_schedule(struct json *j, const struct work *w)
{
	const struct schedule *s = &w->in_force;

	json_add_object(j, "in_force");
	json_add_string(j, "kind", schedule_name(s->kind));
	add_count(j, "chunk", s->chunk, s->chunk);
	json_add_string(j, "modifier",
			s->monotonic      ? "monotonic"
			: s->nonmonotonic ? "nonmonotonic"
					  : NULL);
	json_add_bool(j, "assumed", w->assumed);
	json_end(j);
}

static void add_variables(struct json *j, const struct work *w)
{
	json_add_array(j, "variables");
	for (size_t i = 0; w->text && i < w->text->loops.len; i++)
		json_add_string(j, NULL, w->text->loops.items[i].variable);
	json_end(j);
}

static void add_work(struct json *j, const struct view *v, const struct work *w)
{
	json_add_object(j, NULL);
	json_add_natural(j, "region", picture_region_id(v->picture, w->region));
	json_add_string(j, "construct", w->sections ? "sections" : "loop");
	json_add_string(j, "directive", w->text ? w->text->directive.name : NULL);
	json_add_string(j, "file", w->place.file);
	json_add_positive(j, "line", w->place.line);
	json_add_string(j, "function", w->function);
	json_add_string(j, "schedule", w->schedule);
	add_schedule(j, w);
	add_variables(j, w);
	json_add_string(j, "numbers", w->counts ? "iterations" : "values");
	add_number(j, "begin", w, w->has_bounds, w->begin);
	add_number(j, "end", w, w->has_bounds, w->end);
	if (w->has_step)
		json_add_integer(j, "step", w->step);
	else
		json_add_null(j, "step");
	add_count(j, "iterations", w->has_total, w->total);
	add_count(j, "left", w->has_left, w->left);
	add_number(j, "next", w, w->has_next && w->left, w->next);
	json_add_array(j, "threads");
	vec_for_each (t, &w->threads)
		add_thread(j, v, w, t);
	json_end(j);
	json_end(j);
}

void json_worksharing(struct buf *out, const struct view *v, const struct worksharing *w)
{
	struct json j = { .out = out };

	json_picture_begin(&j, v, "loops");
	json_worksharing_loops(&j, v, w);
	json_picture_end(&j, v);
}

void json_worksharing_loops(struct json *j, const struct view *v, const struct worksharing *w)
{
	json_add_array(j, "loops");
	vec_for_each (work, &w->items)
		add_work(j, v, work);
	json_end(j);
}
