/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/loop_values.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/omp_variables.h"
#include "debugger/values/worksharing.h"

static bool set_number(const struct work *w, uint64_t number, struct value *ret)
{
	*ret = value_of_int(w->is_unsigned ? &type_unsigned_long : &type_long, number);
	return true;
}

/* Of several loops that are one there is no one value. */
static bool iteration(const struct scope *s, const struct work *w, const struct work_thread *t,
		      struct value *ret)
{
	(void)s;
	return t->has_now && t->nnow == 1 && set_number(w, t->now[0], ret);
}

static bool chunk_begin(const struct scope *s, const struct work *w, const struct work_thread *t,
			struct value *ret)
{
	(void)s;
	return t->has_chunk && set_number(w, t->first, ret);
}

/* As events tell it, the first one that is no part of it. */
static bool chunk_end(const struct scope *s, const struct work *w, const struct work_thread *t,
		      struct value *ret)
{
	const bool numbered = w->counts || w->sections;
	const uint64_t step = numbered ? 1 : (uint64_t)w->step;

	(void)s;
	return t->has_chunk && (numbered || w->has_step) && set_number(w, t->last + step, ret);
}

/* By the directive's text, "monotonic:dynamic, 2": its kind is the runtime's. */
static bool is_of_kind(const char *text, enum schedule_kind kind)
{
	const char *colon = strchr(text, ':');
	const char *word = colon ? colon + 1 + strspn(colon + 1, " ") : text;
	const char *name = schedule_name(kind);

	return strcspn(word, " ,") == strlen(name) && !strncmp(word, name, strlen(name));
}

/* "dynamic, 2"; 0: none, or no number. */
static uint64_t chunk_of(const char *text)
{
	const char *comma = strchr(text, ',');

	return comma ? strtoull(comma + 1, NULL, 10) : 0;
}

/* "dynamic, 3"; "dynamic, 3 (static with stealing)": what the source says, and then the runtime. */
static bool schedule(const struct scope *s, const struct work *w, const struct work_thread *t,
		     struct value *ret)
{
	AUTO_BUF text = { 0 };
	struct schedule own = w->in_force;
	const bool differs = w->schedule && own.kind && !is_of_kind(w->schedule, own.kind);

	(void)t;
	if (w->sections || !own.kind)
		return false;
	const uint64_t chunk = w->schedule ? chunk_of(w->schedule) : 0;
	if (differs && chunk == own.chunk)
		own.chunk = 0;
	else if (!differs && !own.chunk)
		own.chunk = chunk;
	buf_addf(&text, "%s%s", differs ? w->schedule : "", differs ? " (" : "");
	schedule_add(&text, &own);
	buf_adds(&text, differs ? ")" : "");
	struct error *err = omp_variable_text(s, buf_text(&text), ret);
	const bool known = !err;
	error_ignore(err);
	return known;
}

static const struct {
	const char *name;
	bool (*get)(const struct scope *s, const struct work *w, const struct work_thread *t,
		    struct value *ret);
} rows[] = {
	{ "omp_iteration", iteration },
	{ "omp_chunk_begin", chunk_begin },
	{ "omp_chunk_end", chunk_end },
	{ "omp_schedule", schedule },
};

/* What the scope's thread says of itself, in the first loop that it is in. */
static bool get_from(const struct scope *s, const struct worksharing *all, size_t row,
		     struct value *ret)
{
	vec_for_each (w, &all->items) {
		vec_for_each (t, &w->threads) {
			const struct thread *th = s->session->target->threads.items[t->thread];
			if (th == s->thread && t->state == WORK_INSIDE)
				return rows[row].get(s, w, t, ret);
		}
	}
	return false;
}

static bool get(const struct scope *s, size_t row, struct value *ret)
{
	AUTO(worksharing_fini) struct worksharing loops = { 0 };
	const struct snapshot_options options = worksharing_options(&loops, true);
	AUTO_SNAPSHOT *snapshot = NULL;
	struct error *err = snapshot_take(s->session, &options, &snapshot);
	const bool known = !err && get_from(s, &loops, row, ret);

	error_ignore(err);
	return known;
}

bool loop_values_get(const struct scope *s, const char *name, struct value *ret)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(rows[i].name, name))
			return s->thread && get(s, i, ret);
	}
	return false;
}
